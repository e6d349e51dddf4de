import Overlay
import Testing
import Viewer
import Window

/// The volume in the bar.
@Suite struct VolumeSliderTests {
  /// A press sets the volume and a drag changes it, also beyond the slider's ends.
  @Test func aDragChangesTheVolume() throws {
    let stage = ControlStage()
    let layout = try #require(stage.bar.layout)
    let (range, box) = (try #require(layout.volumeRange), try #require(layout.boxes[.volume]))
    let middle = (range.lowerBound + range.upperBound) / 2
    stage.move(middle, box.center.y)
    #expect(stage.bar.hovered == .volume)
    #expect(stage.button(true) == ControlAnswer(effects: [.setVolume(0.5)], isTaken: true))
    #expect(stage.move(9999, 3).effects == [.setVolume(1)] && stage.bar.hovered == .volume)
    #expect(stage.move(0, 3).effects == [.setVolume(0)])
    #expect(stage.button(false) == ControlAnswer(effects: [], isTaken: true))
    #expect(stage.move(middle, box.center.y).effects == [])
    #expect(stage.send(.scroll(right: 0, up: 2)).effects == [.perform(.volume(10))])
  }

  @Test func arrowsOfTheFocusedSliderChangeIt() {
    let stage = ControlStage()
    while stage.bar.focus != .volume { stage.key(.tab) }
    #expect(stage.key(.right).effects == [.perform(.volume(5))] && stage.key(.down).effects == [.perform(.volume(-5))])
    #expect(stage.key(.enter).effects == [])
  }

  /// The knob is where the volume is; muted, at the start. A clip without sound has nothing to change.
  @Test func theKnobTellsWhatIsHeard() throws {
    let stage = ControlStage()
    let range = try #require(stage.bar.layout?.volumeRange)
    for (volume, isMuted, share) in [(0.25, false, 0.25), (1, false, 1), (0.25, true, 0), (7, false, 1)] {
      (stage.facts.sound.volume, stage.facts.sound.isMuted) = (volume, isMuted)
      stage.refresh()
      let place = range.lowerBound + share * (range.upperBound - range.lowerBound)
      #expect(stage.bar.picture?.volumeKnob == place.rounded())
    }
    stage.facts.sound.tracks = [:]
    let box = try #require(stage.bar.layout?.boxes[.volume])
    stage.move(box.center.x, box.center.y)
    #expect(stage.button(true) == ControlAnswer(effects: [], isTaken: true) && stage.move(0, 0).effects == [])
    #expect(stage.bar.picture?.looks[.volume]?.isEnabled == false)
  }
}
