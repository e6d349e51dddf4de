import Bench360Player
import Frames
import Streaming
import Testing

/// When a live stream is played at the pace of its edge, and when as the user wants.
@Suite struct LivePaceTests {
  private static let live = MediaTime(seconds: 100)

  private func went(to seconds: Double, _ pace: LivePace = LivePace()) -> LivePace {
    var pace = pace
    pace.go(to: MediaTime(seconds: seconds), live: Self.live)
    return pace
  }

  @Test func theRateCatchesUpUntilTheUserGoesBack() {
    #expect(LivePace().rate(catchUp: 1.03) == 1.03)
    #expect(went(to: 60).rate(catchUp: 1.05) == 1, "the user watches what is past")
    #expect(went(to: 98).rate(catchUp: 0.97) == 0.97)
    #expect(went(to: 100, went(to: 60)).rate(catchUp: 1.03) == 1.03, "live again")
  }

  @Test func theUsersSpeedGoesFirst() {
    var pace = went(to: 60)
    pace.choose(speed: 1.5)
    #expect(pace.rate(catchUp: 1.05) == 1.5)
    // There is nothing to play faster at the edge.
    let arrivals = [20, 3, 0.5, 0, -1].map { pace.arrives(behind: $0) }
    #expect(arrivals == [false, false, false, true, false])
    #expect(pace.speed == 1 && pace.rate(catchUp: 1.01) == 1.01)
    pace.choose(speed: 2)
    #expect(went(to: 100, pace).speed == 1 && went(to: 50, pace).speed == 2)
    pace.choose(speed: 0.5)
    #expect(went(to: 100, pace).speed == 0.5)
  }

  /// After a sleep the window of before tells nothing: the next one counts, once.
  @Test func aLivePictureIsLiveAgainAfterASleep() {
    var edge = LiveEdge(
      start: MediaTime(seconds: 100.4), end: MediaTime(seconds: 400), learnt: 10, step: MediaTime(seconds: 2))
    var pace = LivePace()
    pace.woke(at: 20)
    let early = pace.goesLive(edge)
    edge.learnt = 20.4
    let goes = [pace.goesLive(edge), pace.goesLive(edge)]
    #expect(!early && goes == [true, false])
    var behind = went(to: 60)
    behind.woke(at: 20)
    let returns = behind.goesLive(edge)
    #expect(!returns, "the user had gone back")
    var other = LivePace()
    other.woke(at: 20)
    other = went(to: 60, other)
    let insists = other.goesLive(edge)
    #expect(!insists, "the user goes back meanwhile")
  }
}
