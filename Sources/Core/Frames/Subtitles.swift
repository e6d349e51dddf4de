/// One subtitle: a line of text with its interval, in ASS form.
public struct SubtitleEvent: Sendable, Hashable {
  public var start: MediaTime
  /// The first instant that is no longer part of it.
  public var end: MediaTime
  /// `ReadOrder,Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text`: the format of ASS packets in Matroska, to which
  /// libavcodec converts all other formats.
  public var line: String

  /// Times are rounded down to milliseconds, ASS's unit, so that every renderer gets the same interval.
  public init(start: MediaTime, end: MediaTime, line: String) {
    // Times before the clip's start are not displayed, so that rounding towards zero is rounding down.
    func whole(_ time: MediaTime) -> MediaTime {
      MediaTime(nanoseconds: time.nanoseconds / 1_000_000 * 1_000_000)
    }
    (self.start, self.end, self.line) = (whole(start), whole(end), line)
  }

  /// The last field, with its commands.
  public var text: Substring { rest(after: 8) }

  /// The field before it: a movement of the whole line, such as `Banner;10`.
  public var effect: Substring { rest(after: 7).prefix { $0 != "," } }

  /// The event has no text. A line with fewer fields, which a file's own header may define, counts as text.
  public var isEmpty: Bool { line.isEmpty || line.hasSuffix(",") && text.isEmpty && fieldCount > 8 }

  private var fieldCount: Int { line.utf8.count { $0 == 0x2C } + 1 }

  private func rest(after fields: Int) -> Substring {
    var rest = line[...]
    for _ in 0..<fields {
      guard let comma = rest.firstIndex(of: ",") else { return "" }
      rest = rest[rest.index(after: comma)...]
    }
    return rest
  }
}

/// The styles and fonts that all events of a track are drawn with.
public struct SubtitleScript: Sendable, Hashable {
  /// `[Script Info]` and `[V4+ Styles]` of an ASS file.
  public var header: String
  /// The header's styles are the author's. Otherwise they are libavcodec's placeholders and are ignored.
  public var isStyled: Bool
  /// Fonts that the file brings with it.
  public var fonts: [Font]

  /// A font that came with the subtitles.
  public struct Font: Sendable, Hashable {
    public var name: String
    /// Of a TrueType or OpenType file.
    public var bytes: [UInt8]

    public init(name: String, bytes: [UInt8]) { (self.name, self.bytes) = (name, bytes) }
  }

  public init(header: String, isStyled: Bool, fonts: [Font] = []) {
    (self.header, self.isStyled, self.fonts) = (header, isStyled, fonts)
  }
}

/// All known events of a track, sorted by start time. A value.
public struct SubtitleEvents: Sendable, Hashable {
  public private(set) var events: [SubtitleEvent] = []
  /// For each event, the latest end among it and those before it.
  private var ends: [MediaTime] = []

  /// The most events shown at one time; of more, the later ones are shown.
  public static let visibleLimit = 64

  /// In any order; of equal starts the order is kept.
  public init(_ events: [SubtitleEvent] = []) {
    var isSorted = true
    for (one, next) in zip(events, events.dropFirst()) where next.start < one.start { isSorted = false }
    self.events = isSorted ? events : events.sorted { $0.start < $1.start }
    ends.reserveCapacity(events.count)
    for event in self.events { ends.append(max(event.end, ends.last ?? event.end)) }
  }

  public var count: Int { events.count }

  /// The events whose interval contains the time, in order of their starts; at most `visibleLimit`.
  public func visible(at time: MediaTime) -> [SubtitleEvent] {
    var (low, high) = (0, events.count)
    while low < high {
      let middle = (low + high) / 2
      if events[middle].start <= time { low = middle + 1 } else { high = middle }
    }
    var visible: [SubtitleEvent] = []
    var place = low - 1
    while place >= 0, ends[place] > time, visible.count < Self.visibleLimit {
      if events[place].end > time { visible.append(events[place]) }
      place -= 1
    }
    return visible.reversed()
  }
}
