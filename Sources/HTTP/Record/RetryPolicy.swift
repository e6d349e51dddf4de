/// Whether a request that failed is made again, and after how long. A pure value: the caller waits, and counts.
///
/// Waits grow exponentially, and each is drawn evenly between nothing and that ("full jitter": M. Brooker, *Exponential Backoff And
/// Jitter*, AWS Architecture Blog, 2015), so that players which lost one server do not come back to it all at once.
public struct RetryPolicy: Sendable, Hashable, Codable {
  /// Retries without progress.
  public var retryLimit = 4
  /// From the first failure on, waits included.
  public var limitSeconds = 30.0
  /// The longest first wait; each further one may be twice as long.
  public var firstWaitSeconds = 0.25
  public var longestWaitSeconds = 8.0

  public init() {}

  /// Never again.
  public static var none: RetryPolicy {
    var policy = RetryPolicy()
    policy.retryLimit = 0
    return policy
  }

  public enum Decision: Sendable, Hashable {
    case wait(seconds: Double)
    case giveUp(Reason)
  }

  public enum Reason: String, Sendable, Hashable, Codable {
    /// It would fail again.
    case permanent
    case count
    case time
  }

  /// What led to a decision.
  public struct Attempt: Sendable, Hashable {
    /// Retries without progress so far.
    public var retries: Int
    /// Since the first failure without progress since.
    public var elapsedSeconds: Double
    /// The resource was reached before: a host that is unknown now is out of reach, and not misspelt.
    public var wasReached: Bool

    public init(retries: Int, elapsedSeconds: Double, wasReached: Bool) {
      (self.retries, self.elapsedSeconds, self.wasReached) = (retries, elapsedSeconds, wasReached)
    }
  }

  /// - Parameter generator: of the waits; a seeded one gives the same again.
  public func decision(
    after problem: HTTPProblem, _ attempt: Attempt, using generator: inout some RandomNumberGenerator
  ) -> Decision {
    guard Self.mayPass(problem, wasReached: attempt.wasReached) else { return .giveUp(.permanent) }
    guard attempt.retries < retryLimit else { return .giveUp(.count) }
    // A shift by more would leave the range of numbers, and is longer than any wait.
    let exponential = firstWaitSeconds * Double(1 << min(30, max(0, attempt.retries)))
    let longest = max(0, min(longestWaitSeconds, exponential))
    let seconds = max(Double.random(in: 0...longest, using: &generator), problem.retryAfter ?? 0)
    return attempt.elapsedSeconds + seconds <= limitSeconds ? .wait(seconds: seconds) : .giveUp(.time)
  }

  /// Whether the same request may succeed later.
  private static func mayPass(_ problem: HTTPProblem, wasReached: Bool) -> Bool {
    switch problem.kind {
    case .lost, .stall, .connectTimeout, .firstByteTimeout: true
    case .noHost, .noConnection, .proxy, .tls: wasReached
    case .status: [408, 425, 429, 500, 502, 503, 504].contains(problem.status ?? 0)
    case .badURL, .badRequest, .forbiddenAddress, .certificate, .wholeTimeout, .badResponse, .tooLong, .redirects,
      .changed, .cancelled, .resources:
      false
    }
  }
}
