import Frames

/// A WebVTT thumbnail track: which image, or which part of one, belongs to which stretch of a clip. Values only.
///
/// Cues are those of W3C WebVTT with an image's URL as their text; the part is a spatial fragment of W3C Media Fragments
/// URI 1.0, `#xywh=`. That is what the players of JW, Brightcove, Plyr and others read.
public struct ThumbnailTrack: Sendable, Hashable {
  /// One stretch of the clip and its picture.
  public struct Cue: Sendable, Hashable {
    public var start: MediaTime
    /// The first instant that is no longer part of it.
    public var end: MediaTime
    /// A reference as in a URL, without its fragment: relative to the track, or absolute.
    public var image: String
    /// Nil: the whole image.
    public var region: ImageRegion?

    public init(start: MediaTime, end: MediaTime, image: String, region: ImageRegion? = nil) {
      (self.start, self.end, self.image, self.region) = (start, end, image, region)
    }
  }

  /// In ascending order of their starts.
  public private(set) var cues: [Cue]
  public let starts: [MediaTime]

  public init(_ cues: [Cue]) {
    // Of two that start together the later in the file counts, as above.
    let order = cues.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
    self.cues = order.map(\.element)
    starts = self.cues.map(\.start)
  }

  /// The cue that began last; before the first one, that. In gaps the cue before them goes on. Nil where there are none.
  public func cue(at time: MediaTime) -> Cue? {
    guard let start = ThumbnailPlaces.starts(starts).place(of: time) else { return nil }
    var (low, high) = (0, cues.count)
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= start { low = middle + 1 } else { high = middle }
    }
    return cues[low - 1]
  }

  /// The track as a file's text. Times are rounded to milliseconds; a cue lasts at least one.
  public var text: String {
    var text = "WEBVTT\n"
    for cue in cues {
      let start = WebVTT.milliseconds(cue.start)
      let end = max(start + 1, WebVTT.milliseconds(cue.end))
      let fragment = cue.region.map { "#xywh=\($0)" } ?? ""
      text += "\n\(WebVTT.timestamp(start)) --> \(WebVTT.timestamp(end))\n\(cue.image)\(fragment)\n"
    }
    return text
  }
}

/// The spatial dimension of Media Fragments URI 1.0, 4.2.2.
public enum ImageRegion: Sendable, Hashable, CustomStringConvertible {
  /// From the left, from the top, width, height; in pixels of the image.
  case pixels(x: Int, y: Int, width: Int, height: Int)
  /// The same in percent of the image's width and height.
  case percent(x: Double, y: Double, width: Double, height: Double)

  public var description: String {
    switch self {
    case .pixels(let x, let y, let width, let height): "\(x),\(y),\(width),\(height)"
    case .percent(let x, let y, let width, let height): "percent:\(x),\(y),\(width),\(height)"
    }
  }

  /// Reads `x,y,w,h`, `pixel:x,y,w,h` or `percent:x,y,w,h`; nil where it is malformed or empty.
  public init?(_ text: some StringProtocol) {
    let isPercent = text.hasPrefix("percent:")
    let list = isPercent ? text.dropFirst(8) : text.hasPrefix("pixel:") ? text.dropFirst(6) : text.dropFirst(0)
    let parts = list.split(separator: ",", maxSplits: 4, omittingEmptySubsequences: false)
    guard parts.count == 4, parts.allSatisfy({ Self.isNumber($0, allowsFraction: isPercent) }) else { return nil }
    if isPercent {
      let values = parts.compactMap { Double($0) }
      guard values.count == 4, values[2] > 0, values[3] > 0, values.allSatisfy({ $0 <= 100 }) else { return nil }
      self = .percent(x: values[0], y: values[1], width: values[2], height: values[3])
    } else {
      let values = parts.compactMap { Int($0) }
      guard values.count == 4, values[2] > 0, values[3] > 0 else { return nil }
      self = .pixels(x: values[0], y: values[1], width: values[2], height: values[3])
    }
  }

  /// ASCII digits, at most nine, with a fraction where one is allowed: no sign, no exponent.
  private static func isNumber(_ text: some StringProtocol, allowsFraction: Bool) -> Bool {
    let parts = text.utf8.split(separator: 0x2E, maxSplits: 2, omittingEmptySubsequences: false)
    return ClosedRange(from: 1, through: allowsFraction ? 2 : 1).contains(parts.count)
      && parts.allSatisfy { (1...9).contains($0.count) && $0.allSatisfy { (0x30...0x39).contains($0) } }
  }

  /// The pixels of an image that it covers, clipped to the image; nil where none are left.
  public func part(of image: PictureSize) -> (column: Int, row: Int, size: PictureSize)? {
    let (left, top, right, bottom): (Int, Int, Int, Int)
    switch self {
    case .pixels(let x, let y, let width, let height):
      (left, top, right, bottom) = (x, y, x + width, y + height)
    case .percent(let x, let y, let width, let height):
      let (columns, rows) = (Double(image.width) / 100, Double(image.height) / 100)
      (left, top) = (Int((x * columns).rounded()), Int((y * rows).rounded()))
      (right, bottom) = (Int(((x + width) * columns).rounded()), Int(((y + height) * rows).rounded()))
    }
    let size = PictureSize(width: min(right, image.width) - left, height: min(bottom, image.height) - top)
    return left >= 0 && top >= 0 && size.width > 0 && size.height > 0 ? (left, top, size) : nil
  }
}
