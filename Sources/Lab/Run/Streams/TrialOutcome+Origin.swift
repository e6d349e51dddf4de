import Frames
import Origin
import Verdict

extension TrialOutcome {
  /// Holds the sessions against the log of the run's own origin, which is stopped, and adds how much of its link several clients used.
  ///
  /// - Parameter origin: nil where the stream came from another server.
  mutating func check(against origin: Origin?) throws(Failure) {
    let sessions = stream.sessions
    guard !sessions.isEmpty else { return }
    let settled = try origin.map { origin throws(Failure) in try Run.settled(origin) }
    if let settled, let text = disagreement(sessions, settled.log) {
      facts.warnings.append(.init(code: .originDisagrees, text: text, remedy: "report it with this record"))
    }
    guard stream.clients != nil else { return }
    let used = settled.flatMap { linkUse(origin?.shape, $0.log, $0.passed) }
    samples[.linkUtilisation] = used.map { [$0] } ?? []
    if used == nil {
      facts.reasons[.linkCapacity] =
        origin == nil
        ? "unknown: the link to another server is not the run's own"
        : "unknown: without --rate or --network the link has no capacity of its own"
    }
  }
}

/// Nil where the link has no shape.
private func linkUse(_ shape: LinkShape?, _ log: [OriginRequest], _ passed: LinkPassage) -> Double? {
  shape.flatMap { shape in
    LinkUse.utilisation(
      bytes: passed.bytes, passing: passed.times.map { LinkUse.Span(start: $0.lowerBound, end: $0.upperBound) },
      loading: log.map { LinkUse.Span(start: $0.time, end: $0.lastByte ?? $0.time) }, capacity: shape.bytes(until:))
  }
}
