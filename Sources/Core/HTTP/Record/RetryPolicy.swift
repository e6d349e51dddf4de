/// Whether a request that failed is made again, and after how long. A pure value: the caller waits, and counts.
///
/// Waits grow exponentially, and each is drawn evenly between nothing and that ("full jitter": M. Brooker, *Exponential Backoff And
/// Jitter*, AWS Architecture Blog, 2015), so that players which lost one server do not come back to it all at once.
public struct RetryPolicy: Sendable, Hashable, Codable {
  /// Retries of one request without progress. During an outage there are more, where no other resource can replace the requested one. 0: no
  /// request is made again.
  public var retryLimit = 4
  /// From the first failure without progress on, waits included.
  public var limitSeconds = 300.0
  /// The longest first wait; each further one may be twice as long.
  public var firstWaitSeconds = 0.25
  /// Playing continues at most this long after the end of an outage, and what the first request takes.
  public var longestWaitSeconds = 2.0
  /// The servers have answered another process of the same run: a host that is unknown now is out of reach, and not misspelt.
  public var serversWereReached = false

  /// The limits of measuring.
  public init() {}

  /// The limits while a person watches, who can stop it.
  public static var watching: RetryPolicy {
    var policy = RetryPolicy()
    policy.limitSeconds = 600
    return policy
  }

  /// No request is made again.
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
    /// The number of retries is reached during an outage: the caller tries another resource, and this one again later.
    case outage
  }

  /// What led to a decision.
  public struct Attempt: Sendable, Hashable {
    /// Retries without progress so far.
    public var retries: Int
    /// Since the first failure without progress since.
    public var elapsedSeconds: Double
    /// The origin was reached before in this session: a host that is unknown now is out of reach, and not misspelt.
    public var wasReached: Bool
    /// The failed request got a response: the server is there, and there is no outage.
    public var wasAnswered: Bool
    /// Another resource can replace this one.
    public var hasSubstitute: Bool

    public init(
      retries: Int, elapsedSeconds: Double, wasReached: Bool, wasAnswered: Bool = false, hasSubstitute: Bool = false
    ) {
      (self.retries, self.elapsedSeconds, self.wasReached) = (retries, elapsedSeconds, wasReached)
      (self.wasAnswered, self.hasSubstitute) = (wasAnswered, hasSubstitute)
    }
  }

  /// - Parameter generator: of the waits; a seeded one gives the same again.
  public func decision(
    after problem: HTTPProblem, _ attempt: Attempt, using generator: inout some RandomNumberGenerator
  ) -> Decision {
    let wasReached = attempt.wasReached || serversWereReached
    guard Self.mayPass(problem, wasReached: wasReached) else { return .giveUp(.permanent) }
    if attempt.retries >= retryLimit {
      guard problem.isOutage, !attempt.wasAnswered, retryLimit > 0 else { return .giveUp(.count) }
      if attempt.hasSubstitute { return .giveUp(.outage) }
    }
    // A shift by more would leave the range of numbers, and is longer than any wait.
    let exponential = firstWaitSeconds * Double(1 << min(30, max(0, attempt.retries)))
    let longest = max(0, min(longestWaitSeconds, exponential))
    let seconds = max(
      Double.random(in: ClosedRange(from: 0, through: longest), using: &generator), problem.retryAfter ?? 0)
    return attempt.elapsedSeconds + seconds <= limitSeconds ? .wait(seconds: seconds) : .giveUp(.time)
  }

  /// Whether the same request may succeed later.
  private static func mayPass(_ problem: HTTPProblem, wasReached: Bool) -> Bool {
    switch problem.kind {
    case .lost, .stall, .connectTimeout, .firstByteTimeout: true
    case .noHost, .noConnection, .proxy, .tls, .certificate, .portal: wasReached
    case .status: [408, 425, 429, 500, 502, 503, 504].contains(problem.status ?? 0)
    case .badURL, .badRequest, .forbiddenAddress, .wholeTimeout, .badResponse, .tooLong, .redirects, .changed,
      .cancelled, .resources:
      false
    }
  }
}
