import Bench360Player
import Testing

/// When playing a stream begins.
@Suite struct StartHoldTests {
  @Test func playingBeginsOnceThereIsEnough() {
    var hold = StartHold(holds: true)
    let isEarly = hold.begins(canPlay: false)
    #expect(!isEarly && hold.holds)
    let begins = [hold.begins(canPlay: true), hold.begins(canPlay: true)]
    #expect(begins == [true, false])
  }

  @Test func aPausedStreamDoesNotBegin() {
    var hold = StartHold(holds: true)
    hold.stop()
    let begins = hold.begins(canPlay: true)
    #expect(!begins)
  }
}
