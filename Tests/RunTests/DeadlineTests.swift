import Frames
import Run
import Testing

@Suite struct DeadlineTests {
  private static let start = MonotonicTime(nanoseconds: 1_000_000_000)

  /// Each trial of the smallest suite takes all of its time: the last ends at the end, and those of a scenario with several share one part.
  @Test func trialsShareTheTimeOfTheRun() throws {
    let jobs = try Scenarios.jobs(named: Suite.smoke.scenarios)
    let trials = jobs.flatMap { job in Array(repeating: job, count: job.scenario.trialFactor) }
    let end = Self.start.advanced(byMilliseconds: 20_000)
    var (now, shares): (MonotonicTime, [String: Double]) = (Self.start, [:])
    for (done, job) in trials.enumerated() {
      let deadline = Benchmark.deadline(of: job, after: done, jobs, rounds: 1, within: end, now: now)
      shares[job.scenario.name, default: 0] += deadline.seconds(since: now)
      now = deadline
    }
    #expect(abs(now.seconds(since: end)) < 0.001)
    for (scenario, seconds) in shares {
      #expect(abs(seconds - 20 / Double(jobs.count)) < 0.01, "\(scenario): \(seconds)")
    }
  }

  /// The time that a trial leaves is for those behind it; one behind the end has none.
  @Test func unusedTimeIsForLaterTrials() throws {
    let jobs = try Scenarios.jobs(named: ["decode", "pipeline"])
    let end = Self.start.advanced(byMilliseconds: 10_000)
    func seconds(after done: Int, at elapsed: Double) -> Double {
      let now = Self.start.advanced(byMilliseconds: elapsed * 1000)
      return Benchmark.deadline(of: jobs[done], after: done, jobs, rounds: 1, within: end, now: now).seconds(since: now)
    }
    #expect(seconds(after: 0, at: 0) == 5 && seconds(after: 1, at: 1) == 9 && seconds(after: 1, at: 11) == 0)
  }
}
