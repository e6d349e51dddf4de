import Frames
import Overlay

/// All visible state of the controls. Equal values draw the same pixels.
package struct ControlPicture: Sendable, Hashable {
  package let layout: ControlLayout
  /// The look of each control; empty while the bar is hidden.
  package internal(set) var looks: [Control: ControlLook] = [:]
  /// Pixels of the track: the current position, and the end of the decoded range.
  package internal(set) var knob: Int?
  package internal(set) var loadedTo = 0
  package internal(set) var marks = Marks()
  package internal(set) var hovered: Control?
  package internal(set) var pressed: Control?
  package internal(set) var focus: Control?
  package internal(set) var isSliding = false
  /// The column of the volume's knob, in pixels of the target; nil where there is none.
  package internal(set) var volumeKnob: Double?
  package internal(set) var menu: OpenMenu?
  package internal(set) var tip: Tip?
  package internal(set) var hint: Hint?
  package internal(set) var help: Help?

  /// Pixels of the track.
  package struct Marks: Sendable, Hashable {
    /// Where chapters begin, but the first one at the track's start.
    package var chapters: [Int] = []
    package var ads: [Int] = []
    /// The ends of the A–B loop.
    package var loop: [Int] = []
    package var breaks: [BreakSpan] = []
  }

  /// A break of a stream, in pixels of the track.
  package struct BreakSpan: Sendable, Hashable {
    package var from: Int
    package var to: Int
    package var isWatched: Bool
  }

  /// The tooltip of a control.
  package struct Tip: Sendable, Hashable {
    package var control: Control
    package var text: String
  }

  /// The preview at a position of the slider.
  package struct Hint: Sendable, Hashable {
    /// The pixel of the track.
    package var pixel: Int
    package var text: String
    package var thumbnail: SmallPicture?
  }

  package struct Help: Sendable, Hashable {
    package var sheet: HelpSheet
    package var page: Int
  }

  init(layout: ControlLayout) { self.layout = layout }

  mutating func fill(_ facts: ControlFacts, showsRemaining: Bool) {
    let time =
      facts.live?.text(of: facts.place, showsBehind: showsRemaining, facts.words)
      ?? ClockText.time(facts.place, of: facts.sliderDuration, showsRemaining: showsRemaining)
    for control in layout.boxes.keys { looks[control] = ControlLook(control, facts, time: time) }
    volumeKnob = layout.volumeRange.map { range in
      let volume = facts.sound.isMuted ? 0 : min(max(0, facts.sound.volume), 1)
      return (range.lowerBound + volume * (range.upperBound - range.lowerBound)).rounded()
    }
    guard let track = layout.track else { return }
    knob = track.pixel(of: facts.place)
    loadedTo = track.pixel(of: facts.loadedTo)
    marks.chapters = facts.marks.chapters.map { track.pixel(of: $0.start) }.filter { $0 > 0 }
    marks.ads = facts.marks.ads.map { track.pixel(of: $0) }
    marks.breaks = facts.marks.breaks.compactMap { one in
      let (end, slider) = (one.end ?? facts.loadedTo, track.slider)
      guard end >= slider.start, one.start <= slider.start + slider.duration else { return nil }
      return BreakSpan(from: track.pixel(of: one.start), to: track.pixel(of: end), isWatched: one.isWatched)
    }
    marks.loop = [facts.marks.loop.start, facts.marks.loop.end].compactMap { $0.map { track.pixel(of: $0) } }
  }
}
