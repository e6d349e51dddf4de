import FoundationEssentials
import Frames

/// The outcome of scenario `stream`, in clauses: of its first variant, all trials together.
struct StreamAnswer {
  private let sessions: [StreamSession]
  /// Of the typical trial and of the highest rung, bit/s.
  private let bitrate: Double?
  private let highest: Double?
  /// Milliseconds.
  private let timeToFirstFrame: Double?
  private let isComplete: Bool
  private let frames: PlayAnswer?
  /// Of several clients; nil of one player.
  private let clients: ClientAnswer?

  /// Nil if no stream was played.
  init?(_ record: Record) {
    guard let scenario = record.scenarios(.stream).first else { return nil }
    sessions = scenario.trials.flatMap(\.sessions)
    guard !sessions.isEmpty else { return nil }
    let metrics = scenario.summary.metrics
    bitrate = metrics[.meanBitrate]?.p50
    let rungs = sessions.map(\.rungs).max { $0.count < $1.count } ?? []
    highest = rungs.count > 1 ? rungs.map(\.bitrate).max() : nil
    timeToFirstFrame =
      metrics[.timeToFirstFrame]?.p50 ?? Distribution.median(sessions.compactMap(\.firstFrame)).map { $0 * 1000 }
    isComplete = scenario.trials.allSatisfy(\.complete)
    clients = ClientAnswer(scenario)
    frames = PlayAnswer(record, .stream)
  }

  /// Every trial played to its end without a stall, and showed each frame on time.
  var isSmooth: Bool {
    sessions.allSatisfy { $0.isStarted && !$0.isFailed && $0.stalls.isEmpty } && frames?.isOnTime != false
  }

  /// At least one.
  var clauses: [String] {
    let started = sessions.filter(\.isStarted)
    guard !started.isEmpty else { return [unstarted(sessions)] }
    let failed = started.filter(\.isFailed)
    let unstarted = sessions.filter { !$0.isStarted }
    let rate = clients == nil ? rate : rate.map { $0 + " each" }
    var play = ([clients?.verb ?? "plays", rate, stalls].compactMap { $0 }).joined(separator: " ")
    var clauses: [String] = []
    if sessions.count > 1 {
      if !failed.isEmpty { clauses.append("fails \(place(failed.count))" + cause(failed)) }
      if !unstarted.isEmpty { clauses.append(self.unstarted(unstarted)) }
    } else if let session = failed.first {
      play += ", then fails after \(Self.seconds(session.failure ?? session.end))" + cause(failed)
    } else if let session = started.first, !isComplete {
      play += ", stopped after \(Self.seconds(session.end))"
    }
    if let timeToFirstFrame { clauses.append("first frame after \(Self.seconds(timeToFirstFrame / 1000))") }
    return [play] + (self.clients?.clauses ?? []) + clauses + [frames?.faults].compactMap { $0 }
  }

  /// `in 2 of 3 trials`, `in 8 clients`
  private func place(_ count: Int) -> String {
    let unit = clients?.unit ?? "trials"
    return count == sessions.count ? "in \(count) \(unit)" : "in \(count) of \(sessions.count) \(unit)"
  }

  private func unstarted(_ some: [StreamSession]) -> String {
    let place = sessions.count == 1 ? "" : " " + place(some.count)
    let cause = cause(some)
    guard cause.isEmpty, let longest = some.map(\.end).max() else { return "shows no picture\(place)" + cause }
    return "shows no picture\(place) within \(Self.seconds(longest))"
  }

  /// What the last failed request of the first of them says.
  private func cause(_ some: [StreamSession]) -> String {
    let problem = some.lazy.filter(\.isFailed).compactMap { session in
      session.requests.last { $0.outcome == .failed && $0.problem != nil }?.problem
    }.first
    return problem.map { ": " + ReportText.cut(ReportText.printable($0), to: 100) } ?? ""
  }

  /// The rate is rounded down, so that a miss never reads as a hit.
  private var rate: String? {
    guard let bitrate else { return nil }
    let of = highest.map { " of \(Self.megabits($0, .toNearestOrAwayFromZero))" } ?? ""
    return "at \(Self.megabits(bitrate * (1 + 1e-9), .down))\(of) Mbit/s"
  }

  private var stalls: String {
    let stalls = sessions.flatMap(\.stalls)
    guard !stalls.isEmpty else { return "without a stall" }
    let place =
      sessions.count == 1 || clients?.isOfOneTrial == true ? "" : " " + (clients?.trials ?? place(sessions.count))
    let sum = Self.seconds(stalls.reduce(0) { $0 + $1.seconds })
    let count = stalls.count == 1 ? "1 stall of \(sum)\(place)" : "\(stalls.count) stalls\(place), \(sum) in all,"
    let causes = StreamSession.Stall.Cause.allCases.compactMap { cause in
      let caused = stalls.count { $0.cause == cause }
      return caused == 0 ? nil : (caused, Self.words(cause))
    }
    guard causes.count > 1 else { return "with \(count) caused by \(causes[0].1)" }
    let parts = causes.enumerated().map { $0 == 0 ? "\($1.0) caused by \($1.1)" : "\($1.0) by \($1.1)" }
    return "with \(count) " + parts.dropLast().joined(separator: ", ") + " and \(parts[parts.count - 1])"
  }

  private static func words(_ cause: StreamSession.Stall.Cause) -> String {
    switch cause {
    case .network: "the network"
    case .decode: "the decoder"
    case .render: "the renderer"
    }
  }

  private static func megabits(_ value: Double, _ rule: FloatingPointRoundingRule) -> String {
    let megabits = value / 1e6
    let scale = megabits >= 100 ? 1.0 : megabits >= 1 ? 10 : 100
    return ReportText.shortest((megabits * scale).rounded(rule) / scale, decimals: 2)
  }

  /// `0.61 s`, `12.3 s`, `40 ms`.
  private static func seconds(_ value: Double) -> String {
    if value < 0.1 { return "\(ReportText.shortest(value * 1000, decimals: 0)) ms" }
    return "\(ReportText.shortest(value, decimals: value < 1 ? 2 : value < 100 ? 1 : 0)) s"
  }
}

/// How several clients fared beside each other, in words.
private struct ClientAnswer {
  private let count: Int
  private let trialCount: Int
  private let fairness: Double?
  private let utilisation: Double?

  /// Nil where there was one player.
  init?(_ scenario: Record.Scenario) {
    guard let most = scenario.trials.compactMap({ $0.clients?.count }).max() else { return nil }
    (count, trialCount) = (most, scenario.trials.count)
    fairness = scenario.summary.metrics[.clientFairness]?.p50
    utilisation = scenario.summary.metrics[.linkUtilisation]?.p50
  }

  var verb: String { "\(count) client\(count == 1 ? "" : "s") play" }
  var isOfOneTrial: Bool { trialCount == 1 }
  var trials: String { "in \(trialCount) trials" }
  var unit: String { isOfOneTrial ? "clients" : "clients of \(trialCount) trials" }

  /// Rounded down, so that no share is called equal that is not.
  var clauses: [String] {
    func down(_ value: Double, _ scale: Double) -> Double { ((value * scale) * (1 + 1e-9)).rounded(.down) / scale }
    return [
      fairness.map { "fairness \(ReportText.shortest(down($0, 100), decimals: 2))" },
      utilisation.map { "\(ReportText.shortest(down($0 * 100, 1), decimals: 0)) % of the link used" },
    ].compactMap { $0 }
  }
}

extension StreamSession {
  fileprivate var isStarted: Bool { firstFrame != nil }
  fileprivate var isFailed: Bool { failure != nil }

  /// When it failed for good.
  fileprivate var failure: Double? {
    let last = states.max { $0.time < $1.time }
    return last?.state == .failed ? last?.time : nil
  }
}
