import Frames

/// The outcome of a scenario at the pace of a display, in a clause: of its first variant.
struct PlayAnswer {
  private let presented: Int
  private let dropped: Int
  private let skipped: Int
  private let late: Int
  private let stalls: Int
  private let refresh: String

  /// Nil if no clip was played.
  init?(_ record: Record, _ scenario: Scenario = .play) {
    let counters = record.scenarios(scenario).first?.summary.counters ?? [:]
    func count(_ name: Metric) -> Int? { counters[name] ?? nil }
    guard let presented = count(.presented), let dropped = count(.dropped) else { return nil }
    self.presented = presented
    self.dropped = dropped
    skipped = count(.skipped) ?? 0
    late = count(.late) ?? 0
    // The session of a stream tells its stalls, and their causes.
    stalls = scenario.has(.network) ? 0 : count(.stalls) ?? 0
    refresh = record.settings.pacing.refreshHz.map { " at \(ReportText.shortest($0, decimals: 2)) Hz" } ?? ""
  }

  var isOnTime: Bool { presented > 0 && dropped == 0 && late == 0 && stalls == 0 }

  var clause: String {
    let frames = presented.addingSaturated(dropped).addingSaturated(skipped)
    guard presented > 0 else { return "shows none of \(frames) frames" }
    if isOnTime {
      // No refresh can show the others.
      return "plays every frame on time\(refresh)" + (skipped == 0 ? "" : ", except frames that no refresh can show")
    }
    return faults ?? ""
  }

  /// Nil if there is none.
  var faults: String? {
    let frames = presented.addingSaturated(dropped).addingSaturated(skipped)
    let faults = [
      dropped == 0 ? nil : "drops \(dropped) of \(frames) frames",
      late == 0 ? nil : dropped == 0 ? "shows \(late) of \(frames) frames late" : "shows \(late) late",
      stalls == 0 ? nil : "stalls \(stalls == 1 ? "once" : "\(stalls) times")",
    ].compactMap { $0 }
    guard let last = faults.last else { return nil }
    return faults.dropLast().joined(separator: ", ") + (faults.count > 1 ? " and " : "") + last + refresh
  }
}
