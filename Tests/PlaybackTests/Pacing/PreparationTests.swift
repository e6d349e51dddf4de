import Frames
import Playback
import Render
import Support
import Testing

/// What is made before its refresh, and whether it is shown there.
struct PreparationTests {
  /// What is planned after each refresh is what the player decides at the next ones: no view is made for nothing.
  @Test(arguments: CadenceTests.rates, CadenceTests.refreshes)
  func whatIsPlannedIsDecided(_ rate: Ratio, _ refresh: Ratio) {
    var simulation = Simulation(.steady(rate, count: 120), refresh: refresh)
    _ = simulation.player.play()
    var (planned, whole) = (Preparation.Upcoming?.none, Preparation.Upcoming?.none)
    var (new, all) = (0, 0)
    simulation.run(refreshes: 100_000) { simulation, _ in
      let screen = simulation.screen
      guard let last = screen.last else { return }
      // Where each refresh is drawn anew, it is the next one's view; else the next new frame's.
      if let whole {
        #expect(last.isNew == (whole.picture != .shown))
        #expect(abs(whole.target.nanoseconds - last.tick.target.nanoseconds) <= 1)
        #expect(abs((whole.moment - simulation.player.position).nanoseconds) <= 1)
        all += 1
      }
      if let planned, abs(planned.target.nanoseconds - last.tick.target.nanoseconds) < 1000 {
        #expect(last.isNew)
        new += 1
      } else if planned != nil, last.isNew {
        Issue.record("a new frame that was planned for another refresh")
      }
      whole = simulation.player.upcoming(after: last.tick, now: last.tick.timestamp, redraws: true)
      planned = simulation.player.upcoming(after: last.tick, now: last.tick.timestamp, redraws: false)
      if case .queued(let place) = planned?.picture { #expect(simulation.player.queue.count > place) }
    }
    #expect(new >= min(simulation.count(.presented), 120) - 2 && all >= simulation.screen.count - 4)
  }

  /// Nothing is made ahead while playing stands, nor for a frame that is not there.
  @Test func nothingIsPlannedForWhatIsNotKnown() throws {
    var simulation = Simulation(.steady(Ratio(60, 1), count: 60), refresh: Ratio(60, 1))
    simulation.run(refreshes: 4)
    let paused = try #require(simulation.screen.last)
    #expect(
      simulation.player.upcoming(after: paused.tick, now: paused.tick.timestamp, redraws: true) == nil,
      "it was not asked to play")
    _ = simulation.player.play()
    simulation.run(refreshes: 4)
    let playing = try #require(simulation.screen.last)
    func planned(_ nanoseconds: Int64) -> Preparation.Upcoming.Picture? {
      let now = MonotonicTime(nanoseconds: playing.tick.target.nanoseconds + nanoseconds)
      return simulation.player.upcoming(after: playing.tick, now: now, redraws: false)?.picture
    }
    #expect(planned(-1) == .queued(place: 0) && planned(0) == nil && planned(1) == nil, "the next call is due")
    simulation.player.seek(to: .zero)
    #expect(simulation.player.upcoming(after: playing.tick, now: playing.tick.timestamp, redraws: true) == nil)
    var player = PlayMachine<Int>()
    player.open()
    _ = player.play()
    player.add(PacedFrame(index: 0, time: .zero, duration: MediaTime(seconds: 1.0 / 60)), 0)
    let tick = playing.tick
    _ = player.tick(tick)
    #expect(
      player.upcoming(after: tick, now: tick.timestamp, redraws: true) == nil, "the next frame is due, and not there")
  }

  private static let step = MediaTime(nanoseconds: 16_000_000)
  private static let made = Preparation(frame: 7, moment: MediaTime(seconds: 1), camera: Camera(pan: 10))

  private func verdict(
    frame: Int = 7, after nanoseconds: Int64 = 0, _ view: Preparation.View
  ) -> Preparation.Verdict {
    Self.made.verdict(
      frame: frame, moment: Self.made.moment + MediaTime(nanoseconds: nanoseconds), step: Self.step, view: view)
  }

  /// A view of another frame is never shown, nor one of another refresh where the camera follows time.
  @Test func aViewThatFollowsTimeIsOfItsRefresh() {
    #expect(verdict(.followsTime) == .show)
    #expect(verdict(after: 1_000_000, .followsTime) == .show && verdict(after: -1_000_000, .followsTime) == .show)
    #expect(verdict(after: 1_000_001, .followsTime) == .discard && verdict(after: -1_000_001, .followsTime) == .discard)
    #expect(verdict(frame: 8, .followsTime) == .discard)
  }

  /// A hand that moved is answered at this refresh, not at the next; when it was made is nothing to one that rests.
  @Test func aViewThatFollowsAHandIsDiscardedOnceTheHandMoves() {
    #expect(verdict(.followsHand(Camera(pan: 10))) == .show)
    #expect(verdict(after: 900_000_000, .followsHand(Camera(pan: 10))) == .show)
    #expect(verdict(.followsHand(Camera(pan: 10.000001))) == .discard)
    #expect(verdict(.followsHand(Camera(pan: 10, fieldOfView: 84))) == .discard)
    #expect(verdict(frame: 6, .followsHand(Camera(pan: 10))) == .discard)
  }
}
