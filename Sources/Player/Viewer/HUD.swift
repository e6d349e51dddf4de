import Bench360Player
import Frames
import Overlay

/// The text over the view: statistics, and messages that expire by themselves. Pure.
package struct HUD: Sendable {
  /// Whether the statistics are shown.
  package var showsStatistics = false
  package var words = Words.english
  /// Whether the fonts were asked for the letters of the language.
  var isLegible = false
  /// The page of them.
  package private(set) var page = Page.playback
  private var facts: [String] = []
  private var graph: HUDGraph?
  private var message: (text: String, until: MonotonicTime)?
  private(set) var waiting: Wait?
  private(set) var meter: LevelMeter?
  private var saidOnce: Set<String> = []
  private var looked: (time: MonotonicTime, presented: Int)?

  /// A page of the statistics.
  package enum Page: Sendable, Hashable {
    case playback
    /// Of streams.
    case network
  }

  /// Why the picture stands, with turns of the indicator.
  package struct Wait: Sendable, Hashable {
    package var text: String
    package var spin: Double

    package init(text: String, spin: Double) { (self.text, self.spin) = (text, spin) }
  }

  /// The statistics.
  package struct Facts: Sendable {
    package var file = ""
    /// Of a stream: rung, media loaded ahead, network; nil for a file.
    package var stream: String?
    /// Of a stream, for the page of the network.
    package var network: NetworkFacts?
    package var presented = 0
    package var dropped = 0
    package var late = 0
    package var queueDepth = 0
    package var milliseconds = Milliseconds()
    /// The display time of each of the last frames, in milliseconds, the oldest first.
    package var frameTimes: [Double] = []
    package var device = ""
    package var decoder = ""
    package var upload = ""
    package var rate = 1.0
    /// Before the current clip; nil: no clip was played before it.
    package var gap: ClipGap?
    /// Nil if the geometry has no camera.
    package var camera: SphereView?

    package init() {}
  }

  /// Milliseconds of parts of the work; nil if unknown.
  package struct Milliseconds: Sendable {
    /// Of the last view on the GPU.
    package var render: Double?
    /// Of the current frame: reading its packet, and from the packet to the picture.
    package var read: Double?
    package var decode: Double?
    /// From the refresh that saw the last input to the view that shows it.
    package var input: Double?
  }

  /// Update interval of the statistics: users cannot read faster changes.
  static let interval = 0.25

  package init() {}

  /// - Parameter seconds: how long it is shown; nil: as long as reading takes.
  package mutating func say(_ text: String, at now: MonotonicTime, seconds: Double? = nil) {
    message = (text, now.advanced(byMilliseconds: seconds.map { $0 * 1000 } ?? max(2500, 70 * Double(text.count))))
  }

  /// From one page of the statistics to the next, after the last one to none.
  ///
  /// - Parameter hasNetwork: the clip is a stream.
  package mutating func turnPage(hasNetwork: Bool) {
    switch page {
    case _ where !showsStatistics: (showsStatistics, page) = (true, .playback)
    case .playback where hasNetwork: page = .network
    case .playback, .network: (showsStatistics, page) = (false, .playback)
    }
    looked = nil
  }

  /// Shows why the picture stands, until this is called with nil; returns whether that changes anything.
  package mutating func wait(_ waiting: Wait?) -> Bool {
    defer { self.waiting = waiting }
    return self.waiting != waiting
  }

  /// Shows how loud a clip without pictures is; nil: it has some. Returns whether that changes anything.
  package mutating func show(level peaks: SoundLevels.Peaks?, at now: MonotonicTime) -> Bool {
    guard let peaks else {
      defer { meter = nil }
      return meter != nil
    }
    var meter = self.meter ?? LevelMeter()
    defer { self.meter = meter }
    return meter.advance(to: now, peaks) || self.meter == nil
  }

  /// Shows a message the first time only; returns false from then on.
  package mutating func sayOnce(_ text: String, at now: MonotonicTime) -> Bool {
    guard saidOnce.insert(text).inserted else { return false }
    say(text, at: now)
    return true
  }

  /// Whether statistics are shown and due: then `advance` wants facts.
  package func wantsFacts(at now: MonotonicTime) -> Bool {
    guard showsStatistics else { return false }
    return looked.map { now.seconds(since: $0.time) >= Self.interval } ?? true
  }

  /// Whether its text has changed.
  ///
  /// - Parameter facts: looked at only if `wantsFacts` there. Not a closure: facts have words of this HUD in them.
  package mutating func advance(to now: MonotonicTime, _ facts: Facts?) -> Bool {
    var hasChanged = false
    if let message, message.until <= now {
      self.message = nil
      hasChanged = true
    }
    guard showsStatistics else {
      hasChanged = hasChanged || !self.facts.isEmpty
      (self.facts, graph, looked) = ([], nil, nil)
      return hasChanged
    }
    guard let facts, wantsFacts(at: now) else { return hasChanged }
    let (lines, graph) = content(
      facts, rate: looked.map { Double(facts.presented - $0.presented) / now.seconds(since: $0.time) })
    looked = (now, facts.presented)
    defer { (self.facts, self.graph) = (lines, graph) }
    return hasChanged || lines != self.facts || graph != self.graph
  }

  private func content(_ facts: Facts, rate: Double?) -> (lines: [String], graph: HUDGraph?) {
    guard page == .network, let network = facts.network else {
      return (lines(facts, rate: rate), HUDGraph.frameTimes(facts.frameTimes, words))
    }
    return ([facts.file] + network.lines(words), network.graph(words))
  }

  private func lines(_ facts: Facts, rate: Double?) -> [String] {
    var times: [Phrase] = [
      .read(time(facts.milliseconds.read)), .decode(time(facts.milliseconds.decode)),
      .render(time(facts.milliseconds.render)),
    ]
    if facts.milliseconds.input != nil { times.append(.input(time(facts.milliseconds.input))) }
    var frames: [Phrase] = [
      .framesPerSecond(rate.map { words.tenths(max(0, $0)) } ?? "–"), .shown(facts.presented), .dropped(facts.dropped),
      .late(facts.late), .queued(facts.queueDepth),
    ]
    if facts.rate != 1 { frames.append(.playedAt(speed: words.rate(facts.rate))) }
    var lines = [
      facts.file, words.line(frames), words.line(times),
      words.line([.decoder(facts.decoder), .upload(facts.upload), .device(facts.device)]),
    ]
    if let stream = facts.stream { lines.insert(stream, at: 1) }
    if let gap = facts.gap { lines.append(gap.text(words)) }
    if let camera = facts.camera {
      func angle(_ degrees: Double) -> String { words.tenths(degrees) + "°" }
      lines.append(
        words.line([
          .pan(angle(camera.pan)), .tilt(angle(camera.tilt)), .roll(angle(camera.roll)),
          .fieldOfView(angle(camera.fieldOfView)),
        ]))
    }
    return lines
  }

  private func time(_ milliseconds: Double?) -> String {
    milliseconds.map { words.tenths($0) + " ms" } ?? words[.unknown]
  }

  package var isEmpty: Bool { facts.isEmpty && message == nil && waiting == nil }
  var noticeText: String? { message?.text }
  var statistics: (lines: [String], graph: HUDGraph?) { (facts, graph) }
}
