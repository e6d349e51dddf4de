import Frames
import Overlay
import Streaming
import Testing
import Viewer
import Window

/// The bar over a live stream: its badge, and a slider that is the window.
@Suite struct LiveControlTests {
  /// - Parameter seconds: of the picture; the live place is at 394.
  static func stage(at seconds: Double, _ edge: LiveEdge = LiveWindowTests.edge()) -> ControlStage {
    let stage = ControlStage()
    stage.facts.duration = nil
    stage.facts.place = MediaTime(seconds: seconds)
    stage.facts.loadedTo = MediaTime(seconds: seconds + 4)
    stage.facts.live = LiveWindowTests.window(edge, place: seconds)
    stage.refresh()
    return stage
  }

  /// With all controls: a window that is wide enough, over an ad in a live stream.
  static func fullStage() -> ControlStage {
    let stage = stage(at: 322)
    stage.size = PictureSize(width: 1600, height: 720)
    stage.facts.ad = AdFacts(number: 1, secondsToSkip: 0)
    stage.refresh()
    return stage
  }

  @Test func theBadgeGoesLive() {
    let stage = Self.stage(at: 322)
    #expect(stage.texts.contains("LIVE") && stage.texts.contains("12:05:22"))
    #expect(stage.bar.picture?.looks[.live]?.badge == .behind)
    #expect(stage.click(.live).effects == [.perform(.goLive)])
    stage.bar.showsRemaining = true
    stage.refresh()
    #expect(stage.texts.contains("−1:12"))
    // A clip has none.
    let clip = ControlStage()
    #expect(clip.bar.layout?.boxes[.live] == nil && !clip.texts.contains("LIVE"))
  }

  @Test func anEndedStreamHasNoEdgeToGoTo() {
    var edge = LiveWindowTests.edge()
    edge.hasEnded = true
    let stage = Self.stage(at: 322, edge)
    #expect(stage.texts.contains("ENDED") && stage.click(.live).effects == [])
  }

  /// Pixels are places in the window, before and after it has moved; the knob keeps its place in time.
  @Test func theSliderIsTheWindow() throws {
    let stage = Self.stage(at: 250)
    let track = try #require(stage.bar.layout?.track)
    #expect(track.time(at: 0) == MediaTime(seconds: 100) && track.time(at: 5000) == MediaTime(seconds: 400))
    let knob = try #require(stage.bar.picture?.knob)
    #expect(knob == track.slider.width / 2 || knob == track.slider.width / 2 - 1)
    let middle = track.middle
    stage.move(middle, stage.box(.slider).center.y)
    let hint = try #require(stage.facts.live).hint(at: track.time(at: middle))
    #expect(stage.texts.contains(hint) && hint.hasPrefix("12:04:10 · −2:2"), "\(hint)")
    let press = stage.button(true)
    guard case .beginScrubbing(let slider)? = press.effects.first, case .scrub(let place)? = press.effects.last else {
      Issue.record("\(press)")
      return
    }
    #expect(slider.start == MediaTime(seconds: 100) && slider.end == MediaTime(seconds: 400))
    #expect(abs(place.seconds - 250) < 0.5)
    stage.button(false)
    let before = stage.bar.layout
    stage.facts.live = LiveWindowTests.window(LiveWindowTests.edge(160, 460), live: 454, place: 250)
    stage.refresh()
    #expect(stage.bar.layout?.boxes == before?.boxes, "controls stay where they are")
    #expect(stage.bar.layout?.track?.time(at: middle).seconds ?? 0 > place.seconds + 59)
    #expect(try #require(stage.bar.picture?.knob) < knob)
  }

  /// Between two seconds nothing is drawn anew while the picture stands.
  @Test func thePictureChangesOnceASecond() {
    let stage = Self.stage(at: 322)
    var changes = 0
    for step in 1...100 {
      let moved = Double(step) / 50
      stage.facts.live = LiveWindowTests.window(
        LiveWindowTests.edge(100.4 + moved, 400 + moved), live: 394 + moved, place: 322)
      changes += stage.refresh() ? 1 : 0
    }
    #expect((2...6).contains(changes), "\(changes)")
  }
}

extension SliderTrack {
  /// The column of its middle.
  fileprivate var middle: Double { Double(left) + Double(slider.width) / 2 }
}
