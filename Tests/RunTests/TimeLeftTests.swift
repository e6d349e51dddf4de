import Frames
import Run
import Testing

@Suite struct TimeLeftTests {
  private static func left(_ progress: [(seconds: Double, fraction: Double)]) -> TimeLeft {
    var left = TimeLeft()
    for (seconds, fraction) in progress {
      left.note(fraction, at: MonotonicTime(nanoseconds: 0).advanced(byMilliseconds: seconds * 1000))
    }
    return left
  }

  @Test func theRestTakesAsLongAsThePartDone() {
    #expect(Self.left([(10, 0), (12, 0.1), (22, 0.35), (32, 0.6)]).seconds == 16)
    #expect(Self.left([(0, 0.5), (10, 1)]).seconds == 0)
  }

  /// Opening the clip and warming up are no progress, and a moment tells nothing.
  @Test func thereIsNoEstimateAtFirst() {
    #expect(Self.left([(0, 0), (60, 0)]).text == nil)
    #expect(Self.left([(0, 0.001), (60, 0.01)]).text == nil)
    #expect(Self.left([(0, 0.1), (0.5, 0.3)]).text == nil)
  }

  @Test func progressThatFallsBackBeginsAnew() {
    #expect(Self.left([(0, 0.1), (10, 0.9), (11, 0.1)]).seconds == nil)
    #expect(Self.left([(0, 0.1), (10, 0.9), (11, 0)]).text == nil)
  }

  @Test(arguments: [
    (0.5, "about 10 s left"), (0.1, "about 90 s left"), (0.05, "about 3 min left"), (0.021, "about 8 min left"),
  ])
  func textsAreRound(fraction: Double, text: String) {
    #expect(Self.left([(0, 0.000001), (10, fraction)]).text == text)
  }
}

@Suite struct ProgressLogTests {
  /// The scene of the built-in clip reports each of its 3,840 rows before the first frame.
  @Test func oneLineAtTheStartThenEveryTenSeconds() {
    var log = ProgressLog(interval: 10, begin: nil)
    let start = MonotonicTime(nanoseconds: 5_000_000_000)
    var due: [Double] = []
    for step in 0..<3840 {
      let seconds = Double(step) * 0.01
      if log.isDue(at: start.advanced(byMilliseconds: seconds * 1000)) { due.append(seconds) }
    }
    #expect(due == [0, 10, 20, 30])
  }

  @Test func noLineBeforeTheFirstInterval() {
    let start = MonotonicTime(nanoseconds: 5_000_000_000)
    var log = ProgressLog(interval: 30, begin: start)
    let due = (0..<100).filter { log.isDue(at: start.advanced(byMilliseconds: Double($0) * 1000)) }
    #expect(due == [30, 60, 90])
  }
}

@Suite struct ShellQuotingTests {
  @Test(arguments: [
    ("clip.mp4", "clip.mp4"), ("a b.mp4", "'a b.mp4'"), ("it's", #"'it'\''s'"#), ("", "''"), ("$(x)", "'$(x)'"),
    ("é.mp4", "'é.mp4'"), ("https://host/a.mp4", "https://host/a.mp4"), ("a;b", "'a;b'"),
  ])
  func wordsStayWords(text: String, quoted: String) {
    #expect(shellQuoted(text) == quoted)
  }
}
