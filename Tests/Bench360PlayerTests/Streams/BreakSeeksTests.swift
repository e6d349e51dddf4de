import Bench360Player
import Frames
import Streaming
import Testing

/// Where seeks lead in a stream with breaks: at 30 to 60 s and at 100 to 120 s, and at 200 to 210 s one that may be jumped over and not be
/// left.
@Suite struct BreakSeeksTests {
  private static let first = one("a", 30, 60)
  private static let second = one("b", 100, 120)
  private static let strict = StreamBreak(
    id: "c", start: MediaTime(seconds: 200), end: MediaTime(seconds: 210), allowsSkipping: false, allowsJumping: true)
  private static let all = [first, second, strict]

  private static func one(_ id: String, _ start: Double, _ end: Double?) -> StreamBreak {
    StreamBreak(id: id, start: MediaTime(seconds: start), end: end.map { MediaTime(seconds: $0) })
  }

  /// Playing and seeking by hand.
  private struct Hand {
    var seeks = BreakSeeks()
    var breaks = BreakSeeksTests.all
    var place = 0.0

    mutating func seek(_ target: Double) -> BreakSeeks.Answer {
      let answer = seeks.seek(to: MediaTime(seconds: target), from: MediaTime(seconds: place), among: breaks)
      switch answer {
      case .free: place = target
      case .first(let one): place = one.start.seconds
      case .refused: break
      }
      return answer
    }

    /// In refreshes of a tenth of a second; goes where playing goes on.
    mutating func play(to end: Double) {
      while place < end {
        place = min(end, place + 0.1)
        if let next = seeks.play(to: MediaTime(seconds: place), among: breaks) {
          place = next.seconds
          return
        }
      }
    }
  }

  @Test func aSeekOverABreakLeadsToItAndThenOn() {
    var hand = Hand()
    hand.play(to: 5)
    #expect(hand.seek(80) == .first(Self.first) && hand.place == 30)
    hand.play(to: 70)
    #expect(hand.place == 80 && hand.seeks.hasWatched(Self.first))
    // Watched once, it is free.
    #expect(hand.seek(10) == .free && hand.seek(45) == .free && hand.seek(80) == .free)
    // Playing through it leads nowhere else.
    #expect(hand.seek(25) == .free)
    hand.play(to: 90)
    #expect(hand.place == 90)
  }

  @Test func theLastOneThatIsPassedIsTheOne() {
    var hand = Hand()
    #expect(hand.seek(150) == .first(Self.second))
    hand.play(to: 130)
    #expect(hand.place == 150 && !hand.seeks.hasWatched(Self.first))
    #expect(hand.seek(0) == .free && hand.seek(90) == .first(Self.first))
  }

  /// Into a break: to its start; back into one, and within one that allows it: free.
  @Test func seeksIntoABreak() {
    var hand = Hand()
    #expect(hand.seek(50) == .first(Self.first))
    hand.play(to: 40)
    #expect(hand.seek(55) == .free && hand.seek(35) == .free)
    hand.play(to: 70)
    #expect(hand.place == 70 && !hand.seeks.hasWatched(Self.first), "it was not watched from its start")
    #expect(hand.seek(45) == .free)
    #expect(hand.seek(10) == .free && hand.seek(65) == .first(Self.first))
  }

  /// A drag of the slider holds at the break's start, and may be turned back.
  @Test func aDragHoldsAtABreak() {
    var hand = Hand()
    for target in stride(from: 1.0, to: 29, by: 7) { #expect(hand.seek(target) == .free) }
    for target in [31.0, 59, 62, 99] { #expect(hand.seek(target) == .first(Self.first) && hand.place == 30) }
    #expect(hand.seek(20) == .free && hand.place == 20)
    #expect(hand.seek(95) == .first(Self.first))
    hand.play(to: 75)
    #expect(hand.place == 95, "where the drag ended")
  }

  @Test func aBreakThatForbidsItIsNotLeft() {
    var hand = Hand(place: 195)
    #expect(hand.seek(230) == .free, "it may be jumped over")
    hand.place = 195
    hand.seeks = BreakSeeks()
    hand.play(to: 203)
    #expect(hand.seek(230) == .refused(Self.strict) && hand.seek(0) == .refused(Self.strict))
    #expect(hand.seek(204) == .refused(Self.strict))
    hand.play(to: 212)
    #expect(hand.seek(205) == .free, "watched")
    hand.play(to: 206)
    #expect(hand.seek(0) == .free)
  }

  /// One that may neither be skipped nor jumped over, sought before it plays, may be left by the same hand.
  @Test func aSeekToAStrictBreakMayBeTakenBack() {
    var hand = Hand()
    let strict = StreamBreak(
      id: "d", start: MediaTime(seconds: 30), end: MediaTime(seconds: 60), allowsSkipping: false, allowsJumping: false)
    hand.breaks = [strict]
    #expect(hand.seek(80) == .first(strict) && hand.seek(20) == .free)
    #expect(hand.seek(80) == .first(strict))
    hand.play(to: 40)
    #expect(hand.seek(20) == .refused(strict))
  }

  @Test func whatHasNoEndOrNoLengthHoldsNoSeek() {
    var hand = Hand()
    hand.breaks = [Self.one("open", 30, nil), Self.one("point", 50, 50)]
    #expect(hand.seek(80) == .free && hand.seek(40) == .free && hand.seek(10) == .free)
    hand.play(to: 60)
    #expect(hand.place == 60)
  }

  @Test func freeSeeksAreFree() {
    var hand = Hand(seeks: BreakSeeks(.free))
    #expect(hand.seek(80) == .free && hand.seek(205) == .free && hand.seek(0) == .free)
    hand.play(to: 70)
    #expect(hand.place == 70)
  }

  /// To the live edge, and where a loop begins anew.
  @Test func aJumpThatIsNoSeekEndsTheWay() {
    var hand = Hand()
    #expect(hand.seek(80) == .first(Self.first))
    hand.play(to: 31)
    hand.place = 150
    hand.play(to: 160)
    hand.place = 29
    hand.play(to: 90)
    #expect(hand.place == 90 && hand.seeks.hasWatched(Self.first))
  }

  /// A live stream tells of a break under another name, or with another end, once it knows more.
  @Test func aBreakThatIsToldAnewIsTheSame() {
    var hand = Hand()
    #expect(hand.seek(80) == .first(Self.first))
    hand.play(to: 40)
    hand.breaks = [Self.one("other", 30.2, 57)]
    hand.play(to: 70)
    #expect(hand.place == 80)
    hand.breaks = [Self.one("third", 30, 58)]
    #expect(hand.seek(10) == .free && hand.seek(80) == .free)
  }

  /// A new seek ends the way of the one before.
  @Test func anotherSeekIsAnotherWay() {
    var hand = Hand()
    #expect(hand.seek(80) == .first(Self.first))
    #expect(hand.seek(5) == .free)
    hand.play(to: 70)
    #expect(hand.place == 70 && hand.seeks.hasWatched(Self.first))
  }
}
