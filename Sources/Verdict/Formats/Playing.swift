import Frames

/// The outcome of scenario `play`, in a clause.
struct Playing {
  private let presented: Int
  private let dropped: Int
  private let skipped: Int
  private let late: Int
  private let stalls: Int
  private let refresh: String

  /// Nil if no clip was played.
  init?(_ record: Record) {
    let counters = record.scenarios(.play).first?.summary.counters ?? [:]
    func count(_ name: Metric) -> Int? { counters[name] ?? nil }
    guard let presented = count(.presented), let dropped = count(.dropped) else { return nil }
    self.presented = presented
    self.dropped = dropped
    skipped = count(.skipped) ?? 0
    late = count(.late) ?? 0
    stalls = count(.stalls) ?? 0
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
    let faults = [
      dropped == 0 ? nil : "drops \(dropped) of \(frames) frames",
      late == 0 ? nil : dropped == 0 ? "shows \(late) of \(frames) frames late" : "shows \(late) late",
      stalls == 0 ? nil : "stalls \(stalls == 1 ? "once" : "\(stalls) times")",
    ].compactMap { $0 }
    return faults.dropLast().joined(separator: ", ") + (faults.count > 1 ? " and " : "") + (faults.last ?? "") + refresh
  }
}
