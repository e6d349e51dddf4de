import Frames
import Overlay
import Playback
import Render

/// The text over the view: statistics, and messages that expire by themselves. Pure.
public struct HUD: Sendable {
  /// Whether the statistics are shown.
  public var showsStatistics = false
  private var facts: [String] = []
  private var frameTimes: [Double] = []
  private var message: (text: String, until: MonotonicTime)?
  private var saidOnce: Set<String> = []
  private var looked: (time: MonotonicTime, presented: Int)?

  /// The statistics.
  public struct Facts: Sendable {
    public var file = ""
    public var presented = 0
    public var dropped = 0
    public var late = 0
    public var queueDepth = 0
    /// Milliseconds of the last view on the GPU; nil if unknown.
    public var renderMilliseconds: Double?
    /// Of the current frame: reading its packet, and from the packet to the picture. Nil if unknown.
    public var readMilliseconds: Double?
    public var decodeMilliseconds: Double?
    /// From the refresh that saw the last input to the view that shows it.
    public var inputMilliseconds: Double?
    /// The display time of each of the last frames, in milliseconds, the oldest first.
    public var frameTimes: [Double] = []
    public var device = ""
    public var decoder = ""
    public var upload = ""
    public var rate = 1.0
    /// Nil if the geometry has no camera.
    public var camera: Camera?

    public init() {}
  }

  /// Update interval of the statistics: users cannot read faster changes.
  static let interval = 0.25

  public init() {}

  public mutating func say(_ text: String, at now: MonotonicTime) {
    message = (text, now.advanced(byMilliseconds: max(2500, 70 * Double(text.count))))
  }

  /// Shows a message the first time only; returns false from then on.
  public mutating func sayOnce(_ text: String, at now: MonotonicTime) -> Bool {
    guard saidOnce.insert(text).inserted else { return false }
    say(text, at: now)
    return true
  }

  /// Whether its text has changed.
  ///
  /// - Parameter facts: called only if statistics are shown and due.
  public mutating func advance(to now: MonotonicTime, _ facts: () -> Facts) -> Bool {
    var hasChanged = false
    if let message, message.until <= now {
      self.message = nil
      hasChanged = true
    }
    guard showsStatistics else {
      hasChanged = hasChanged || !self.facts.isEmpty
      (self.facts, frameTimes, looked) = ([], [], nil)
      return hasChanged
    }
    if let looked, now.seconds(since: looked.time) < Self.interval { return hasChanged }
    let facts = facts()
    let lines = Self.lines(
      facts, rate: looked.map { Double(facts.presented - $0.presented) / now.seconds(since: $0.time) })
    looked = (now, facts.presented)
    defer { (self.facts, frameTimes) = (lines, facts.frameTimes) }
    return hasChanged || lines != self.facts || facts.frameTimes != frameTimes
  }

  static func lines(_ facts: Facts, rate: Double?) -> [String] {
    var lines = [
      facts.file,
      (rate.map { "\(tenths(max(0, $0))) fps" } ?? "– fps")
        + " · \(facts.presented) shown · \(facts.dropped) dropped · \(facts.late) late",
      "read \(time(facts.readMilliseconds)) · decode \(time(facts.decodeMilliseconds)) · "
        + "view \(time(facts.renderMilliseconds)) · queue \(facts.queueDepth)"
        + (facts.rate == 1 ? "" : " · speed \(facts.rate) ×"),
      "\(facts.decoder) · \(facts.upload) · \(facts.device)",
    ]
    if let input = facts.inputMilliseconds { lines.append("hand to view \(tenths(input)) ms") }
    if let camera = facts.camera {
      lines.append(
        "pan \(tenths(camera.pan))° · tilt \(tenths(camera.tilt))° · roll \(tenths(camera.roll))° · "
          + "\(tenths(camera.fieldOfView))° high")
    }
    return lines
  }

  private static func time(_ milliseconds: Double?) -> String { milliseconds.map { "\(tenths($0)) ms" } ?? "n/a" }

  private static func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10 + 0)" }

  public var isEmpty: Bool { facts.isEmpty && message == nil }

  /// - Parameters:
  ///   - size: of the target, in pixels.
  ///   - bottom: pixels at the bottom that another part covers.
  ///   - measure: width and height of a text.
  public func canvas(
    _ size: PictureSize, bottom: Double = 0, measure: (String, TextStyle) -> (width: Int, height: Int)
  ) -> Canvas {
    var canvas = Canvas()
    let height = min(max(Double(size.height) / 30, 13), 40)
    let style = TextStyle(height: height)
    let gap = height * 0.6
    @discardableResult
    func write(_ text: String, left: Double, top: Double) -> Canvas.Box {
      let extent = measure(text, style)
      let box = Canvas.Box(
        left: left, top: top, width: Double(extent.width) + 2 * gap, height: Double(extent.height) + gap)
      canvas.rectangle(box, Canvas.Color.black.opacity(0.65), radius: gap / 2)
      canvas.text(text, style, at: Canvas.Point(left + gap, top + gap / 2), .white)
      return box
    }
    if !facts.isEmpty {
      let box = write(facts.joined(separator: "\n"), left: gap, top: gap)
      let graph = Canvas.Box(left: gap, top: box.bottom + gap / 2, width: box.width, height: height * 4)
      if !frameTimes.isEmpty, graph.bottom < Double(size.height) - bottom {
        Self.graph(frameTimes, in: graph, on: &canvas)
      }
    }
    if let message {
      let extent = measure(message.text, style)
      write(
        message.text, left: (Double(size.width) - Double(extent.width) - 2 * gap) / 2,
        top: Double(size.height) - bottom - Double(extent.height) - (bottom > 0 ? 2 : 3) * gap)
    }
    return canvas
  }
}
