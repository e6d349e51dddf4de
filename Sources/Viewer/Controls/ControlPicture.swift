import Frames
import Overlay

/// All that is seen of the controls. A value: as long as it stays the same, so does what is drawn.
public struct ControlPicture: Sendable, Hashable {
  public let layout: ControlLayout
  /// What each control shows; empty while the bar is hidden.
  public internal(set) var looks: [Control: ControlLook] = [:]
  /// Pixels of the track at which the clip is, and up to which it has been decoded.
  public internal(set) var knob: Int?
  public internal(set) var decodedTo = 0
  public internal(set) var hovered: Control?
  public internal(set) var pressed: Control?
  public internal(set) var focus: Control?
  public internal(set) var isSliding = false
  public internal(set) var menu: OpenMenu?
  public internal(set) var tip: Tip?
  public internal(set) var hint: Hint?
  public internal(set) var help: Help?

  /// What a control does.
  public struct Tip: Sendable, Hashable {
    public var control: Control
    public var text: String
  }

  /// What lies at a place of the slider.
  public struct Hint: Sendable, Hashable {
    /// Of the track.
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
    let time = ClockText.time(facts.place, of: facts.sliderDuration, showsRemaining: showsRemaining)
    for control in layout.boxes.keys { looks[control] = ControlLook(control, facts, time: time) }
    guard let track = layout.track else { return }
    knob = track.pixel(of: facts.place)
    decodedTo = track.pixel(of: facts.decodedTo)
  }
}
