import Frames
import HTTP
import Media

/// A segment of subtitles: a WebVTT file of its own.
package struct TextPiece: Sendable {
  package var bytes: [UInt8]
  /// On the stream's axis.
  package var start: MediaTime
  /// What is added to a cue's time to get its place on the axis.
  package var shift: MediaTime
}

/// One track of a stream's subtitles: its segments around the picture, each once. One thread.
///
/// It loads by requests of its own, which fail and are made again without a word: the picture plays on. Behind an outage the text around the
/// picture is loaded.
package final class StreamText {
  private let store: SegmentStore
  private let transport: any StreamTransport
  private let headers: StreamHeaders
  private let resources: ResourceLoader
  private let runs: RunOffsets
  /// Nil: on demand.
  private let live: LiveSideTrack?
  private var track: StreamTrack
  /// Where the segments begin that were given; of a live stream, of those in its window.
  private var given: Set<MediaTime> = []
  /// Segments in a row that could not be had.
  private var failures = 0
  /// When an outage began that has not ended.
  private var outage: Double?
  /// A longer outage is taken for segments that cannot be had, in seconds.
  private let longestOutage: Double

  /// Subtitles are loaded so far ahead of the picture, and segments that begin so much earlier are not left out.
  private static let ahead = MediaTime(nanoseconds: 30_000_000_000)
  /// The text of a live stream may come after the picture: a line that began this long ago may still be shown.
  private static let behind = MediaTime(nanoseconds: 3_000_000_000)
  /// Of a live stream, more starts are sifted.
  private static let givenLimit = 256
  /// How often it is looked where the picture is, in seconds.
  private static let watchSeconds = 0.1
  /// During an outage a segment is asked for so often, in seconds.
  private static let outageSeconds = 1.0
  /// More segments that cannot be had, one after the other, end it.
  private static let failureLimit = 3
  /// The video tells of a run's time stamps; text waits so long for it, in seconds.
  private static let clockSeconds = 10.0

  /// - Parameter longestOutage: in seconds.
  init(
    _ opened: OpenedManifest, _ store: SegmentStore, _ resources: ResourceLoader, _ runs: RunOffsets,
    longestOutage: Double
  ) {
    (self.store, self.resources, self.runs, transport) = (store, resources, runs, resources.transport)
    self.longestOutage = longestOutage
    headers = StreamHeaders(opened.presentation.variables, resources.options)
    live = opened.followed.map { LiveSideTrack($0, opened.presentation.variables) }
    track = live?.track ?? opened.track
  }

  /// The next segment near the picture that was not given before; waits for it. Nil once it is over.
  ///
  /// Throws why the track cannot be had.
  package func next() throws(Failure) -> TextPiece? {
    while !isOver {
      do throws(LoadProblem) {
        if let place = try wanted(), let piece = try load(place) { return piece }
      } catch {
        guard let failure = error.failure("cannot load the subtitles of '\(store.path)'") else { return nil }
        throw failure
      }
    }
    return nil
  }

  private var isOver: Bool { resources.interruption.shouldStop }

  /// The first segment near the picture that was not given; waits a while where there is none.
  private func wanted() throws(LoadProblem) -> StreamTrack.Place? {
    if let live {
      try live.refresh(&track, headers, resources)
      if let begin = live.begin, given.count > Self.givenLimit { given = given.filter { $0 > begin - Self.ahead } }
    }
    let playhead = store.playhead
    var place = live == nil ? playhead : max(.zero, playhead - Self.behind)
    while place < playhead + Self.ahead, let found = try find(place),
      live?.isThere(found, track, transport) ?? true
    {
      let isWanted = !found.segment.isGap && (found.end > playhead || isTimed(found))
      if isWanted, given.insert(found.start).inserted { return found }
      place = max(found.end, place + StreamTrack.slack)
    }
    guard transport.pause(seconds: Self.watchSeconds, unless: resources.interruption) else { throw .stopped }
    return nil
  }

  /// The video has told of its run's time stamps.
  private func isTimed(_ place: StreamTrack.Place) -> Bool {
    guard case .run(let number) = place.clock else { return true }
    return runs.offset(of: number) != nil
  }

  private func find(_ place: MediaTime) throws(LoadProblem) -> StreamTrack.Place? {
    try track.find(place + StreamTrack.slack, live: live, headers, resources)
  }

  /// Nil where it cannot be had.
  private func load(_ place: StreamTrack.Place) throws(LoadProblem) -> TextPiece? {
    guard place.segment.initialization == nil else {
      throw .refused(
        Failure(
          .unsupported, "cannot show the subtitles of '\(store.path)'", cause: "they lie in fragmented MP4",
          remedy: "choose others: only WebVTT text is read"))
    }
    do throws(LoadProblem) {
      let bytes = try self.bytes(of: place)
      (failures, outage) = (0, nil)
      guard let offset = offset(of: place) else { return nil }
      let shift = TextClock(bytes).shift(start: place.start, end: place.end, offset: offset)
      return TextPiece(bytes: bytes, start: place.start, shift: shift)
    } catch {
      guard case .failed(let problem) = error else { throw error }
      headers.forgetProblems()
      if problem.isOutage, try outlasts() {
        given.remove(place.start)
        return nil
      }
      failures += 1
      guard failures <= Self.failureLimit else { throw error }
      return nil
    }
  }

  /// Waits until the next look where the server is out of order; false where it has been for too long.
  private func outlasts() throws(LoadProblem) -> Bool {
    let began = outage ?? transport.now
    outage = began
    guard transport.now - began < longestOutage else { return false }
    guard transport.pause(seconds: Self.outageSeconds, unless: resources.interruption) else { throw .stopped }
    return true
  }

  private func bytes(of place: StreamTrack.Place) throws(LoadProblem) -> [UInt8] {
    let resource = StreamResource(
      kind: .segment, address: place.segment.address, range: place.segment.range,
      seconds: (place.end - place.start).seconds, byteLimit: Int64(ManifestLimits.byteCount))
    let (bytes, _) = try resources.bytes(resource)
    guard let cipher = try headers.cipher(of: place.segment, rung: nil, resources) else { return bytes }
    let plain = bytes.withUnsafeBytes { cipher.decrypt($0) }
    guard let last = cipher.finish() else {
      throw .failed(.badResponse("its subtitles cannot be decrypted: their key is another's"))
    }
    return plain + last
  }

  /// By which the media's time stamps are ahead of the axis; nil where the track was stopped before that was known.
  private func offset(of place: StreamTrack.Place) -> MediaTime? {
    switch place.clock {
    case .behind(let offset): return offset
    case .run(let number):
      let end = transport.now + Self.clockSeconds
      while transport.now < end {
        if let offset = runs.offset(of: number) { return MediaTime(nanoseconds: offset) }
        guard !runs.hasPassed(place.start) else { break }
        guard transport.pause(seconds: Self.watchSeconds, unless: resources.interruption) else { return nil }
      }
      return .zero
    }
  }
}
