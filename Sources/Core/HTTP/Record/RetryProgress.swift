import Frames

/// The retries of one resource: counts them, and hands `RetryPolicy` what it decides by. A value; the caller waits.
public struct RetryProgress: Sendable {
  /// Since the last progress.
  public private(set) var retries = 0
  /// Since it was made.
  public private(set) var retriesInAll = 0
  private var firstFailure: MonotonicTime?
  private var receivedBytes: Int64 = 0
  private var wasReached = false
  private var wasAnswered = false
  private var generator: SplitMix64

  /// As many bytes are progress: a connection that breaks after a few of them is as bad as none.
  public static let leastBytes: Int64 = 1 << 16

  /// - Parameter seed: of the waits.
  public init(seed: UInt64) { generator = SplitMix64(seed: seed) }

  /// Bytes came, or, where there are none, a response.
  public mutating func receive(_ bytes: Int64) {
    (wasReached, wasAnswered) = (true, true)
    receivedBytes = receivedBytes.addingSaturated(bytes)
    guard receivedBytes >= Self.leastBytes else { return }
    (retries, firstFailure) = (0, nil)
  }

  /// Whether to wait and try again; counts the retry where it says so.
  ///
  /// - Parameters:
  ///   - originWasReached: earlier in this session, for another resource.
  ///   - hasSubstitute: another resource can replace this one.
  public mutating func decide(
    after problem: HTTPProblem, by policy: RetryPolicy, now: MonotonicTime, originWasReached: Bool = false,
    hasSubstitute: Bool = false
  ) -> RetryPolicy.Decision {
    let first = firstFailure ?? now
    firstFailure = first
    let attempt = RetryPolicy.Attempt(
      retries: retries, elapsedSeconds: now.seconds(since: first), wasReached: wasReached || originWasReached,
      wasAnswered: wasAnswered, hasSubstitute: hasSubstitute)
    wasAnswered = false
    let decision = policy.decision(after: problem, attempt, using: &generator)
    if case .wait = decision { (retries, retriesInAll, receivedBytes) = (retries + 1, retriesInAll + 1, 0) }
    return decision
  }
}
