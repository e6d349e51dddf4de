import Foundation
import Frames
import RecordSamples
import Support
import Testing
import Verdict

/// Pictures that are wrong, and the exit code that a comparison comes to.
@Suite struct IncorrectTests {
  @Test(arguments: ["wrong_frame", "out_of_tolerance"]) func aWrongPictureIsIncorrectOnEitherSide(_ counter: String)
    throws
  {
    func side(_ counts: [Int?], clip: String = "tour") -> [Record] {
      counts.map { count in
        Sides.record(
          [Sides.scenario("decode", ["decode_fps": Sides.spread(100)], counters: [counter: count])], clip: clip)
      }
    }
    let well = side([0, nil])
    #expect(try Sides.compare(well, well).incorrect.isEmpty)
    for (name, base, head) in [("head", well, side([2, 0, 3])), ("base", side([2, 0, 3]), well)] {
      let comparison = try Sides.compare(base, head)
      let incorrect = try #require(comparison.incorrect.first)
      #expect(comparison.incorrect.count == 1 && incorrect.side == name && incorrect.input == "tour.mp4")
      #expect(incorrect.scenario == "decode" && incorrect.counter == counter && incorrect.count == 5)
      #expect([[Outcome.regression], []].allSatisfy { ExitStatus(after: comparison, failsOn: $0) == .incorrect })
      #expect(comparison.sentence.hasPrefix("\(name) was incorrect: \(counter) 5 in decode of tour.mp4; same: "))
    }
    // A clip on one side is not compared, but it is not well either.
    #expect(try Sides.compare(well, well + side([1], clip: "new")).incorrect.map(\.input) == ["new.mp4"])
  }

  @Test func incompleteTrialsCountForCorrectness() throws {
    var cut = Sides.record([Sides.scenario("decode", ["decode_fps": Sides.spread(100)], counters: ["wrong_frame": 1])])
    cut.scenarios[0].trials[0].complete = false
    let comparison = try Sides.compare([Sides.fps(Sides.spread(100))], [cut])
    #expect(comparison.incorrect.map(\.count) == [1] && comparison.results[0].head.values.count == 9)
  }

  /// Exit codes by precedence: 3, 2, 8, 4, 0.
  @Test func theWorstIsTold() throws {
    let codes:
      [(wrong: Bool, verdicts: Set<Outcome>, both: Int32, regression: Int32, improvement: Int32, none: Int32)] = [
        (false, [.same], 0, 0, 0, 0), (false, [.improvement], 4, 0, 4, 0), (false, [.regression], 2, 2, 0, 0),
        (false, [.inconclusive], 8, 8, 8, 8), (false, [.same, .improvement], 4, 0, 4, 0),
        (false, [.regression, .improvement], 2, 2, 4, 0), (false, [.inconclusive, .improvement], 8, 8, 8, 8),
        (false, [.regression, .inconclusive, .improvement, .same], 2, 2, 8, 8), (true, [.same], 3, 3, 3, 3),
        (true, [.regression, .inconclusive, .improvement], 3, 3, 3, 3),
      ]
    let whole = try Sides.full()
    for code in codes {
      var comparison = whole
      if !code.wrong { comparison.incorrect = [] }
      comparison.results = code.verdicts.compactMap { verdict in whole.results.first { $0.verdict == verdict } }
      comparison.results += whole.results.filter { $0.verdict == nil }
      #expect(comparison.results.count > code.verdicts.count)
      func status(_ failsOn: Set<Outcome>) -> Int32 {
        ExitStatus(after: comparison, failsOn: failsOn)?.rawValue ?? 0
      }
      #expect(status([.regression, .improvement]) == code.both, "\(code)")
      #expect(status([.regression]) == code.regression, "\(code)")
      #expect(status([.improvement]) == code.improvement, "\(code)")
      #expect(status([]) == code.none, "\(code)")
    }
  }

  @Test func thePageListsTheExitCodes() throws {
    let page = try String(contentsOfFile: TestFolders.repository + "/Docs/CI.md", encoding: .utf8)
    let section = try #require(page.components(separatedBy: "\n## ").first { $0.hasPrefix("Exit codes\n") })
    let listed = section.matches(of: #/(?m)^\| ([0-9, ]+) \|/#).flatMap { $0.output.1.split(separator: ", ") }
    #expect(Set(listed.compactMap { Int32($0) }) == Set(ExitStatus.allCases.map(\.rawValue)).union([0]))
    let refused = Failure(.incomparable, "cannot compare", cause: "they differ")
    #expect(ExitStatus(after: refused, isInterrupted: true) == .incomparable)
    let stopped = Failure(.cancelled, "cannot measure", cause: "it was interrupted")
    #expect(ExitStatus(after: stopped, isInterrupted: true) == .interrupted)
    #expect(ExitStatus(after: stopped, isInterrupted: false) == .failure)
  }

  @Test func theOutcomeIsTheWorstVerdict() throws {
    var comparison = try Sides.full()
    for worst in [Outcome.regression, .inconclusive, .improvement, .same] {
      #expect(comparison.outcome == worst)
      comparison.results.removeAll { $0.verdict == worst }
    }
  }
}
