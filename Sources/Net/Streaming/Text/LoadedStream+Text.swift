import Adaptation
import Frames
import Media

extension Presentation {
  /// The tracks of subtitles that it offers; ones in other formats have a refusal.
  package var subtitleTracks: [SubtitleTrack] { texts.tracks.map(\.track) }

  /// One of its tracks of subtitles as a track that is loaded.
  fileprivate func subtitles(_ number: Int) -> StreamTrack {
    StreamTrack(sound: texts.tracks[number].renditions, format)
  }

  /// A track of an earlier manifest in this one.
  fileprivate func subtitles(as track: SubtitleTrack) -> StreamTrack {
    let same = texts.tracks.first { ($0.track.language, $0.track.title) == (track.language, track.title) }
    return StreamTrack(sound: same?.renditions ?? [], format)
  }

  private var texts: TextRenditions { TextRenditions(self, videos: StreamTrack.videos(of: self)) }
}

extension OpenedManifest {
  /// Goes over to a track of subtitles.
  ///
  /// - Parameter live: of the video; nil: on demand.
  fileprivate mutating func follow(subtitles number: Int, of live: LiveMonitor?) {
    let wanted = presentation.subtitleTracks[number]
    followed = live.map { FollowedVideo(live: $0) { $0.subtitles(as: wanted) } }
    track = presentation.subtitles(number)
  }
}

// Subtitles of a stream. Any thread.
extension LoadedStream {
  /// The tracks of subtitles that the manifest names.
  public var subtitles: [SubtitleTrack] { opened.presentation.subtitleTracks }

  /// Begins to load a track of `subtitles`, around the picture.
  ///
  /// - Parameter interruption: ends it.
  ///
  /// Throws `.failed` where the system has no thread for it. What cannot be loaded is thrown by the reader.
  package func text(_ number: Int, interruption: Interruption) throws(Failure) -> StreamText {
    let tracks = store.tracks
    var (opened, options) = (opened, options)
    let live = liveEdge == nil ? nil : store.live
    opened.follow(subtitles: number, of: live)
    options.controller = ControllerChoice("lowest") ?? options.controller
    options.load = LoadPolicy(minimum: Self.textAhead, maximum: Self.textAhead)
    options.retries.retryLimit = min(options.retries.retryLimit, 2)
    options.limits.segmentBytes = Int64(ManifestLimits.byteCount)
    options.cmcd = nil
    let text = TextStore(path: path, video: store, isLive: live != nil, interruption: interruption)
    let loader = StreamLoader(opened, text, transport, sideLog, options)
    try tracks.add(text) { () throws(Failure) in try WorkerThread { loader.run() } }
    return StreamText(text, runs) { tracks.remove(text) }
  }

  /// Subtitles are loaded so far ahead of the picture, in seconds.
  private static let textAhead = 30.0

  /// Of small pictures, which playing does not wait for: what fails is not made again for long, and is no trouble of the stream.
  func sideResources(_ interruption: Interruption) -> ResourceLoader {
    var options = options
    options.retries.retryLimit = min(options.retries.retryLimit, 2)
    options.retries.limitSeconds = min(options.retries.limitSeconds, 20)
    return ResourceLoader(
      transport: transport, options: options, log: sideLog, buffer: { [store] in store.bufferSeconds },
      interruption: Interruption(within: interruption, store.ending))
  }
}
