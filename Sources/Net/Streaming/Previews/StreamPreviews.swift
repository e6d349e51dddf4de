import Frames
import HTTP
import Media

/// Small pictures along a stream's timeline, as its manifest names them: tiles of images (DASH), or the sync samples of a playlist of its
/// own (HLS). One thread.
package final class StreamPreviews {
  /// What a picture is made of.
  package enum Piece: Sendable {
    /// A container with one sync sample, behind its initialisation section.
    case media([UInt8], key: [UInt8]?)
    /// Of an image, the tile with this number, row by row.
    case tile([UInt8], grid: TileGrid, number: Int)
  }

  private var track: StreamTrack
  /// Nil: on demand.
  private let live: LiveSideTrack?
  private let headers: StreamHeaders
  private let resources: ResourceLoader
  private let grid: TileGrid?
  /// The last image.
  private var image: (address: StreamAddress, bytes: [UInt8])?
  private let path: String

  init(_ choice: PreviewChoice, _ opened: OpenedManifest, _ resources: ResourceLoader, path: String) {
    (self.resources, self.path, grid) = (resources, path, choice.grid)
    headers = StreamHeaders(opened.presentation.variables, resources.options)
    live = opened.followed.map { LiveSideTrack($0, opened.presentation.variables) }
    track = live?.track ?? opened.track
  }

  /// Where pictures begin, as far as it is known: after the first call of `piece`. Empty for a live stream, whose pictures come and go.
  package var starts: [MediaTime] {
    guard live == nil else { return [] }
    var starts: [MediaTime] = []
    for span in track.spans(rung: 0) {
      guard let grid else {
        starts.append(span.start)
        continue
      }
      let step = self.step(grid, of: span)
      for number in 0..<(grid.columns * grid.rows) where span.start + step * number < span.end {
        starts.append(span.start + step * number)
      }
    }
    return starts
  }

  /// What the picture for a time is made of, and where on the axis it begins; beside the stream's ends the first or the last. Nil where
  /// there is none, and of a live stream beside its window. Waits for it.
  ///
  /// Throws why it cannot be had, and `.cancelled` once it was interrupted.
  package func piece(at time: MediaTime) throws(Failure) -> (piece: Piece, start: MediaTime)? {
    do throws(LoadProblem) {
      return try load(at: time)
    } catch {
      throw error.failure("cannot load a preview of '\(path)'") ?? Failure.stoppedStream(path)
    }
  }

  private func load(at time: MediaTime) throws(LoadProblem) -> (piece: Piece, start: MediaTime)? {
    try live?.refresh(&track, headers, resources)
    var found = try find(max(time, .zero))
    if let live {
      found = found.flatMap { $0.start <= time && live.isThere($0, track, resources.transport) ? $0 : nil }
    } else if found == nil, let end = track.end {
      found = try find(end - MediaTime(nanoseconds: 1))
    }
    guard let place = found, !place.segment.isGap else { return nil }
    let source = place.segment
    guard let grid else {
      let header = try headers.initialization(source, rung: nil, resources)
      let key = try headers.key(place.protection, rung: nil, resources)
      let sample = try bytes(source)
      return (.media(header + sample, key: key), place.start)
    }
    if image?.address != source.address { image = (source.address, try bytes(source)) }
    let step = self.step(grid, of: (place.start, place.end))
    let count = grid.columns * grid.rows
    let behind = max(.zero, min(time, place.end - MediaTime(nanoseconds: 1)) - place.start)
    let number = min(max(0, Int(behind.nanoseconds / max(1, step.nanoseconds))), count - 1)
    return (.tile(image?.bytes ?? [], grid: grid, number: number), place.start + step * number)
  }

  private func find(_ place: MediaTime) throws(LoadProblem) -> StreamTrack.Place? {
    try track.find(place, live: live, headers, resources)
  }

  private func bytes(_ source: Segment) throws(LoadProblem) -> [UInt8] {
    let resource = StreamResource(
      kind: .segment, address: source.address, range: source.range, byteLimit: resources.options.limits.headerBytes)
    let (bytes, _) = try resources.bytes(resource)
    guard let cipher = try headers.cipher(of: source, rung: nil, resources) else { return bytes }
    let plain = bytes.withUnsafeBytes { cipher.decrypt($0) }
    guard let last = cipher.finish() else {
      throw .failed(.badResponse("a preview cannot be decrypted: its key is another's"))
    }
    return plain + last
  }

  /// From one tile to the next. The last image of a period is cut short, its tiles are not.
  private func step(_ grid: TileGrid, of span: (start: MediaTime, end: MediaTime)) -> MediaTime {
    let nominal = track.nominalDuration(rung: 0, at: span.start) ?? span.end - span.start
    return MediaTime(nanoseconds: max(1, nominal.nanoseconds / Int64(max(1, grid.columns * grid.rows))))
  }
}

extension MediaTime {
  fileprivate static func * (time: MediaTime, count: Int) -> MediaTime {
    MediaTime(nanoseconds: time.nanoseconds.multipliedSaturated(by: Int64(count)))
  }
}

/// Which of a presentation's renditions previews are made of. A value.
struct PreviewChoice {
  /// Of each period.
  var renditions: [(period: Period, rendition: Rendition)]
  /// Of images; nil: they are sync samples.
  var grid: TileGrid?

  /// Rows of a picture that are enough.
  private static let rows = 160

  /// Tiles, else sync samples of their own; nil where the presentation has neither.
  init?(_ presentation: Presentation) {
    for kind in [AdaptationSet.Kind.thumbnails, .trickPlay] {
      let found = presentation.periods.compactMap { period -> (period: Period, rendition: Rendition)? in
        let renditions = period.adaptationSets.filter { $0.kind == kind }.flatMap(\.renditions)
        return Self.best(renditions).map { (period, $0) }
      }
      guard let first = found.first else { continue }
      let grid = kind == .thumbnails ? first.rendition.video.tiles ?? TileGrid(columns: 1, rows: 1) : nil
      // One grid for all: periods with another are left out.
      renditions = grid == nil ? found : found.filter { $0.rendition.video.tiles == first.rendition.video.tiles }
      if let grid, grid.columns < 1 || grid.rows < 1 { continue }
      self.grid = grid
      return
    }
    return nil
  }

  /// The smallest that is large enough, else the largest.
  private static func best(_ renditions: [Rendition]) -> Rendition? {
    func height(_ rendition: Rendition) -> Int {
      (rendition.video.height ?? 0) / max(1, rendition.video.tiles?.rows ?? 1)
    }
    let ascending = renditions.sorted { height($0) < height($1) }
    return ascending.first { height($0) >= rows } ?? ascending.last
  }
}

extension OpenedManifest {
  /// Goes over to small pictures.
  ///
  /// - Parameter live: of the video; nil: on demand.
  fileprivate mutating func follow(_ choice: PreviewChoice, of live: LiveMonitor?) {
    let format = presentation.format
    followed = live.map {
      FollowedVideo(live: $0) { StreamTrack(sound: PreviewChoice($0)?.renditions ?? [], format) }
    }
    track = StreamTrack(sound: choice.renditions, format)
  }
}

extension LoadedStream {
  /// Whether the manifest names small pictures along its timeline.
  public var hasPreviews: Bool { PreviewChoice(opened.presentation) != nil }

  /// The small pictures of the stream, loaded by the thread that asks for them; nil where it has none.
  package func previews(interruption: Interruption) -> StreamPreviews? {
    PreviewChoice(opened.presentation).map { choice in
      var opened = opened
      opened.follow(choice, of: liveEdge == nil ? nil : store.live)
      return StreamPreviews(choice, opened, sideResources(interruption), path: path)
    }
  }
}
