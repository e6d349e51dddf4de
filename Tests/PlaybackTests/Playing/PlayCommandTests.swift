import Decode
import Frames
import Media
import Playback
import Render
import Support
import Testing

/// What a person does while it plays; what comes of it is read from the pixels. The clip has 50 numbered frames, 25 a
/// second; the display has 50 refreshes a second, and a seek takes as long as a test says.
@Suite(.tier(.test), .enabled(if: TestDevice.isAvailable, "no Vulkan device"))
struct PlayCommandTests {
  private struct Shown {
    /// The number that each refresh was the first to show; nil where it repeated the last.
    var numbers: [Int?]
    var states: [PlaybackState]
    var log: PlayLog

    var row: [Int] { numbers.compactMap { $0 } }
    func row(from tick: Int) -> [Int] { numbers.dropFirst(tick).compactMap { $0 } }
  }

  private func play(
    seeking: Double = 0.005, pauses: [Int: MediaTime] = [:], ticks limit: Int = 400,
    _ commands: @escaping (PlaySession, Int) -> Void
  ) throws -> Shown {
    let stage = try PlayStage(try PlayStage.clip(25), on: 50, cost: 0.001, pauses: pauses, loops: false)
    stage.source.seeking = MediaTime(seconds: seeking)
    let (log, ticks, _) = try stage.play(end: nil) { session, tick in
      commands(session, tick)
      return tick < limit
    }
    let fates = log.fates.map(\.frame.index)
    #expect(fates == Array(0..<fates.count), "each frame has one fate, in order")
    return Shown(numbers: try ticks.map(PlayStage.number), states: ticks.map(\.state), log: log)
  }

  private func place(_ number: Int) -> MediaTime { MediaTime(seconds: (Double(number) + 0.5) / 25) }
  private func exactly(_ number: Int) -> SeekRequest { SeekRequest(target: place(number)) }

  @Test func playingGoesOnFromWhereItWasSent() throws {
    let shown = try play { session, tick in if tick == 20 { session.seek(exactly(31)) } }
    let before = shown.numbers.prefix(20).compactMap { $0 }
    #expect(before == Array(0..<before.count) && (9...10).contains(before.count))
    #expect(shown.row(from: 20) == Array(31..<50), "to the end")
    #expect(shown.states.last == .ended && shown.log.stalls == [] && shown.log.dropped == 0 && shown.log.late == 0)
    #expect(shown.log.segments.map(\.presented) == [before.count, 19])
    #expect(shown.log.segments.map(\.skipped).reduce(0, +) == shown.log.skipped && shown.log.skipped > 0)
  }

  /// A live stream has no other places: it plays on.
  @Test func whatCannotBeSoughtPlaysOn() throws {
    let stage = try PlayStage(try PlayStage.clip(25), on: 50, cost: 0.001, loops: false)
    let (_, ticks, _) = try stage.play(end: nil, canSeek: false) { session, tick in
      if tick == 20 { session.seek(exactly(5)) }
      if tick == 30 { session.beginScrubbing(ScrubSlider(duration: MediaTime(seconds: 2), width: 100)) }
      if tick == 31 { session.scrub(to: .zero) }
      return tick < 150
    }
    #expect(try ticks.compactMap(PlayStage.number) == Array(0..<50))
    #expect(!ticks.contains { $0.state == .seeking })
  }

  @Test func ofTwoSeeksOnlyTheNewerLands() throws {
    let shown = try play(seeking: 0.1) { session, tick in
      if tick == 10 { session.seek(exactly(40)) }
      if tick == 13 { session.seek(exactly(20)) }
    }
    #expect(shown.row(from: 10) == Array(20..<50))
    #expect(shown.states[10..<18].allSatisfy { $0 == .seeking })
  }

  /// The stall ends with the seek: nothing waits for the late frame.
  @Test func aSeekWhileItStallsEndsTheStall() throws {
    var wasStalled = 0
    let shown = try play(pauses: [20: MediaTime(seconds: 5)]) { session, tick in
      guard session.player.state == .stalled else { return }
      wasStalled += 1
      if wasStalled == 10 { session.seek(exactly(3)) }
    }
    let row = shown.row
    #expect(row.prefix(20) == ArraySlice(0..<20) && Array(row.dropFirst(20)) == Array(3..<50), "\(row)")
    // A quarter of a second until it was one, and ten refreshes.
    #expect(shown.log.stalls.count == 1 && abs((shown.log.stalls.first?.seconds ?? 0) - 0.45) < 0.03)
    #expect(shown.log.late == 0 && shown.log.dropped == 0 && shown.log.repeated == 0)
  }

  /// Media that comes during the pause starts nothing, and no frame is lost by it.
  @Test func aPauseWhileItStallsIsHonoured() throws {
    var (pausedAt, stalled) = (0, 0)
    let shown = try play(pauses: [20: MediaTime(seconds: 2)]) { session, tick in
      if session.player.state == .stalled { stalled += 1 }
      if stalled == 10, pausedAt == 0 {
        pausedAt = tick
        session.pause()
      }
      if pausedAt > 0, tick == pausedAt + 200 { session.play() }
    }
    #expect(pausedAt > 0 && shown.states[(pausedAt + 1)..<(pausedAt + 200)].allSatisfy { $0 == .paused })
    #expect(shown.numbers[pausedAt..<(pausedAt + 200)].allSatisfy { $0 == nil }, "the last picture stands")
    #expect(shown.row == Array(0..<50) && shown.states.last == .ended, "\(shown.row)")
    #expect(shown.log.stalls.count == 1 && shown.log.dropped == 0 && shown.log.late == 0)
  }

  /// As a live stream's latency comes to its target: the rate changes in small steps, faster and slower.
  @Test(arguments: [[1.05, 1.0475, 1.02, 1.0025, 1], [0.95, 0.9525, 0.98, 0.9975, 1]])
  func noPictureIsDroppedWhileCatchingUp(rates: [Double]) throws {
    let shown = try play { session, tick in
      if tick % 20 == 5, tick / 20 < rates.count { session.setRate(rates[tick / 20]) }
    }
    #expect(shown.row == Array(0..<50) && shown.states.last == .ended, "\(shown.row)")
    #expect(shown.log.dropped == 0 && shown.log.skipped == 0 && shown.log.late == 0 && shown.log.stalls == [])
  }

  @Test func seeksWhilePausedShowOnePictureAndStay() throws {
    let shown = try play { session, tick in
      if tick == 10 { session.pause() }
      if tick == 20 { session.seek(exactly(33)) }
      if tick == 40 { session.seek(SeekRequest(target: MediaTime(seconds: 100))) }
      if tick == 60 { session.seek(SeekRequest(target: MediaTime(seconds: -5))) }
      if tick == 80 { session.play() }
    }
    #expect(Array(shown.numbers[15..<80]).compactMap { $0 } == [33, 49, 0])
    // The first is there already.
    #expect(shown.row(from: 80) == Array(1..<50) && shown.states.last == .ended)
  }

  @Test func playAtTheEndStartsOver() throws {
    let shown = try play { session, tick in
      if tick == 150 { session.play() }
      if tick == 280 { session.seek(exactly(7)) }
    }
    #expect(shown.states[149] == .ended && shown.row == Array(0..<50) + Array(0..<50) + [7])
    #expect(shown.states.last == .paused, "who seeks from the end does not play")
  }

  @Test func stepsGoBothWays() throws {
    var start = 0
    let shown = try play { session, tick in
      if tick == 20 { session.pause() }
      if tick == 30 { start = tick }
      switch tick {
      case 30, 32, 34: session.stepForward()
      case 36, 38, 40, 42, 44: session.stepBack()
      case 50: session.seek(exactly(1))
      case 54, 57, 60: session.stepBack()
      case 63, 65: session.stepForward()
      case 70: session.seek(exactly(48))
      case 75, 77, 79: session.stepForward()
      case 90: session.play()
      default: break
      }
    }
    let last = shown.numbers.prefix(30).compactMap { $0 }.last ?? -1
    #expect(last == 9)
    #expect(Array(shown.numbers[30..<50]).compactMap { $0 } == [10, 11, 12, 11, 10, 9, 8, 7])
    // Before the first there is none: it is shown again.
    #expect(Array(shown.numbers[50..<70]).compactMap { $0 } == [1, 0, 0, 0, 1, 2])
    #expect(Array(shown.numbers[70..<90]).compactMap { $0 } == [48, 49])
    #expect(start == 30 && shown.states[89] == .paused && shown.states.last == .ended)
  }

  /// A key that is hit faster than frames come.
  @Test func stepsThatComeTooFastAreAllTaken() throws {
    let shown = try play(seeking: 0.1) { session, tick in
      if tick == 20 { session.pause() }
      if (30..<35).contains(tick) { session.stepBack() }
    }
    let last = shown.numbers.prefix(30).compactMap { $0 }.last ?? -1
    #expect(shown.row(from: 30) == (1...5).map { last - $0 })
  }

  /// The hand takes the slider while it plays: it stands, follows, lands exactly, and plays on.
  @Test func scrubbingPausesFollowsAndPlaysOn() throws {
    let slider = ScrubSlider(duration: MediaTime(seconds: 2), width: 500)
    let shown = try play(seeking: 0.03) { session, tick in
      switch tick {
      case 20: session.beginScrubbing(slider, tolerance: .fixed(.zero))
      case 21..<40: session.scrub(to: place(tick))
      case 40: session.endScrubbing()
      default: break
      }
    }
    let dragged = Array(shown.numbers[21..<46]).compactMap { $0 }
    #expect(shown.states[20] == .paused && dragged.first == 21)
    #expect(zip(dragged, dragged.dropFirst()).allSatisfy { $0 < $1 } && (8...14).contains(dragged.count), "\(dragged)")
    #expect(shown.row(from: 21).contains(39) && shown.row(from: 40).suffix(10) == ArraySlice(40..<50))
    #expect(shown.states.last == .ended && shown.log.dropped == 0)
    #expect(shown.log.segments.count == dragged.filter { $0 <= 39 }.count + 1)
  }

  @Test func whatWasPausedStaysPausedAfterScrubbing() throws {
    let slider = ScrubSlider(duration: MediaTime(seconds: 2), width: 500)
    let shown = try play(seeking: 0.03) { session, tick in
      switch tick {
      case 10: session.pause()
      case 20: session.beginScrubbing(slider)
      case 21: session.scrub(to: place(44))
      case 22: session.endScrubbing()
      // It took nothing: nothing happens.
      case 40: session.endScrubbing()
      case 41: session.scrub(to: place(1))
      default: break
      }
    }
    #expect(shown.row(from: 20) == [44] && shown.states.last == .paused)
  }
}
