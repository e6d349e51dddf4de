import Decode
import Frames
import Media
import Streaming

/// Thumbnails of a stream, where its manifest names small pictures: tiles of images, or sync samples of their own. One thread at a time;
/// `interruption` may be used from any.
public final class StreamThumbnails: ThumbnailSource {
  private let previews: StreamPreviews
  private let shaper: ThumbnailShaper
  private let interruption: Interruption
  private let path: String
  private var starts: [MediaTime] = []

  /// Throws `.unsupported` where the stream names none.
  public init(of stream: LoadedStream, options: ThumbnailOptions, interruption: Interruption) throws(Failure) {
    guard let previews = stream.previews(interruption: interruption) else {
      throw Failure(.unsupported, "cannot show thumbnails of '\(stream.path)'", cause: "its manifest names none")
    }
    (self.previews, self.interruption, path) = (previews, interruption, stream.path)
    shaper = ThumbnailShaper(options)
  }

  public var places: ThumbnailPlaces { .starts(starts) }

  public func picture(at time: MediaTime) throws(Failure) -> SmallPicture? {
    guard let (piece, start) = try previews.piece(at: time) else { return nil }
    if starts.isEmpty { starts = previews.starts }
    var picture: SmallPicture?
    switch piece {
    case .tile(let bytes, let grid, let number):
      picture = try shaper.tile(number, columns: grid.columns, rows: grid.rows, ofImage: bytes, path: path)
    case .media(let bytes, let key):
      let sample = OneSample(path, bytes, key: key)
      let packets = try SegmentPackets(sample, interruption: interruption)
      picture = try shaper.picture(of: packets, packets.info)
    }
    picture?.time = start
    return picture
  }
}

/// One segment, which is there.
private final class OneSample: SegmentSupply {
  let path: String
  let container = ""
  let duration: MediaTime? = nil
  let synthetic: SyntheticTag? = nil
  private let segment: Monitor<MediaSegment?>

  init(_ path: String, _ bytes: [UInt8], key: [UInt8]?) {
    self.path = path
    let whole = SegmentBytes(path)
    bytes.withUnsafeBytes { whole.append($0) }
    whole.finish()
    var made = MediaSegment(bytes: whole, coding: 0, start: .zero, clock: .run(0))
    made.key = key
    segment = Monitor(made)
  }

  func next(unless interruption: Interruption, orSuperseded: Bool) throws(Failure) -> MediaSegment? {
    segment.withLock { segment in
      defer { segment = nil }
      return segment
    }
  }

  func seek(to time: MediaTime) -> Bool { false }
}
