import Frames
import HTTP
import Support
import Testing

extension HTTPTests {
  /// What is tried again, when, and how often.
  @Suite struct RetryPolicyTests {
    private static let lost = HTTPProblem.truncated(at: 1, of: 2)

    private static func decide(
      _ problem: HTTPProblem, retries: Int = 0, elapsed: Double = 0, wasReached: Bool = true, wasAnswered: Bool = false,
      hasSubstitute: Bool = false, policy: RetryPolicy = RetryPolicy(), seed: UInt64 = 1
    ) -> RetryPolicy.Decision {
      var generator = SplitMix64(seed: seed)
      let attempt = RetryPolicy.Attempt(
        retries: retries, elapsedSeconds: elapsed, wasReached: wasReached, wasAnswered: wasAnswered,
        hasSubstitute: hasSubstitute)
      return policy.decision(after: problem, attempt, using: &generator)
    }

    private static func seconds(_ decision: RetryPolicy.Decision) -> Double? {
      if case .wait(let seconds) = decision { seconds } else { nil }
    }

    @Test func waitsGrowAndAreSpread() {
      var policy = RetryPolicy()
      (policy.retryLimit, policy.limitSeconds) = (100, 1000)
      for (retries, longest) in [(0, 0.25), (1, 0.5), (2, 1), (5, 2), (9, 2), (70, 2)] {
        let waits = (0..<500).compactMap {
          Self.seconds(Self.decide(Self.lost, retries: retries, policy: policy, seed: $0))
        }
        #expect(waits.count == 500 && waits.allSatisfy { $0 >= 0 && $0 <= longest })
        #expect(waits.contains { $0 < longest * 0.1 } && waits.contains { $0 > longest * 0.9 })
      }
      #expect(Self.decide(Self.lost, seed: 5) == Self.decide(Self.lost, seed: 5))
    }

    @Test func limitsEndIt() {
      #expect(Self.decide(HTTPProblem(status: 500), retries: 4) == .giveUp(.count))
      #expect(Self.decide(Self.lost, retries: 4, wasAnswered: true) == .giveUp(.count))
      #expect(Self.decide(Self.lost, elapsed: 301) == .giveUp(.time))
      #expect(Self.decide(Self.lost, policy: .none) == .giveUp(.count))
      #expect(Self.seconds(Self.decide(Self.lost, retries: 3)) != nil)
      #expect(Self.decide(Self.lost, retries: 900, elapsed: 590, policy: .watching) != .giveUp(.time))
    }

    /// During an outage requests go on, and where another resource can be tried that comes first.
    @Test func outagesAreOutlasted() {
      let problems = [
        Self.lost, HTTPProblem(.noConnection, "x"), HTTPProblem(.noHost, "x"), HTTPProblem(.tls, "x"),
        HTTPProblem(.certificate, "x"), HTTPProblem(.firstByteTimeout, "x"), .portal, HTTPProblem(status: 503),
      ]
      for problem in problems {
        #expect(Self.seconds(Self.decide(problem, retries: 100, elapsed: 250)) != nil, "\(problem.kind)")
        #expect(Self.decide(problem, retries: 4, hasSubstitute: true) == .giveUp(.outage), "\(problem.kind)")
        #expect(Self.decide(problem, retries: 100, policy: .none) == .giveUp(.count), "\(problem.kind)")
      }
      for problem in problems[1...] where ![.firstByteTimeout, .status].contains(problem.kind) {
        #expect(Self.decide(problem, wasReached: false) == .giveUp(.permanent), "\(problem.kind)")
      }
    }

    @Test func aServerMayAskForPatience() {
      #expect(Self.seconds(Self.decide(HTTPProblem(status: 503, retryAfter: 7))) == 7)
      #expect(Self.decide(HTTPProblem(status: 503, retryAfter: 600)) == .giveUp(.time))
      #expect(Self.seconds(Self.decide(HTTPProblem(status: 503, retryAfter: 0))) != nil)
    }

    @Test func onlyWhatMayPassIsTriedAgain() {
      for status in [408, 425, 429, 500, 502, 503, 504] {
        #expect(Self.seconds(Self.decide(HTTPProblem(status: status))) != nil, "\(status)")
      }
      for status in [400, 401, 403, 404, 405, 410, 416, 501] {
        #expect(Self.decide(HTTPProblem(status: status)) == .giveUp(.permanent), "\(status)")
      }
      #expect(Self.decide(.changed) == .giveUp(.permanent) && Self.decide(.cancelled) == .giveUp(.permanent))
      #expect(Self.decide(.badResponse("x")) == .giveUp(.permanent))
    }

    @Test func aHostThatWasNeverReachedIsNotTriedAgain() throws {
      let client = try makeClient()
      let request = try makeRequest("http://127.0.0.1:\(ClipServer.deadPort())/")
      let refused = try #require(problem { _ = try client.fetch(request, limit: 1) })
      #expect(Self.decide(refused, wasReached: false) == .giveUp(.permanent))
      #expect(Self.seconds(Self.decide(refused, wasReached: true)) != nil)
    }

    @Test func progressIsManyBytes() {
      var policy = RetryPolicy()
      policy.limitSeconds = 10
      var progress = RetryProgress(seed: 3)
      let start = MonotonicTime.now
      func decide(at seconds: Double) -> RetryPolicy.Decision {
        progress.decide(after: Self.lost, by: policy, now: start.advanced(byMilliseconds: seconds * 1000))
      }
      for second in 0..<4 {
        #expect(Self.seconds(decide(at: Double(second))) != nil)
        progress.receive(1)
      }
      #expect(decide(at: 4) == .giveUp(.count), "a byte at a time is no progress")
      progress.receive(RetryProgress.leastBytes)
      #expect(progress.retries == 0 && progress.retriesInAll == 4)
      #expect(Self.seconds(decide(at: 100)) != nil, "time counts from the first failure after progress")
      #expect(decide(at: 111) == .giveUp(.time))
    }
  }
}
