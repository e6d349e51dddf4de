import Frames
import Overlay

/// All visible state of the controls. Equal values draw the same pixels.
public struct ControlPicture: Sendable, Hashable {
  public let layout: ControlLayout
  /// The look of each control; empty while the bar is hidden.
  public internal(set) var looks: [Control: ControlLook] = [:]
  /// Pixels of the track: the current position, and the end of the decoded range.
  public internal(set) var knob: Int?
  public internal(set) var loadedTo = 0
  public internal(set) var marks = Marks()
  public internal(set) var hovered: Control?
  public internal(set) var pressed: Control?
  public internal(set) var focus: Control?
  public internal(set) var isSliding = false
  /// The column of the volume's knob, in pixels of the target; nil where there is none.
  public internal(set) var volumeKnob: Double?
  public internal(set) var menu: OpenMenu?
  public internal(set) var tip: Tip?
  public internal(set) var hint: Hint?
  public internal(set) var help: Help?

  /// Pixels of the track.
  public struct Marks: Sendable, Hashable {
    /// Where chapters begin, but the first one at the track's start.
    public var chapters: [Int] = []
    public var ads: [Int] = []
    /// The ends of the A–B loop.
    public var loop: [Int] = []
    public var breaks: [BreakSpan] = []
  }

  /// A break of a stream, in pixels of the track.
  public struct BreakSpan: Sendable, Hashable {
    public var from: Int
    public var to: Int
    public var isWatched: Bool
  }

  /// The tooltip of a control.
  public struct Tip: Sendable, Hashable {
    public var control: Control
    public var text: String
  }

  /// The preview at a position of the slider.
  public struct Hint: Sendable, Hashable {
    /// The pixel of the track.
    public var pixel: Int
    public var text: String
    public var thumbnail: SmallPicture?
  }

  public struct Help: Sendable, Hashable {
    public var sheet: HelpSheet
    public var page: Int
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
