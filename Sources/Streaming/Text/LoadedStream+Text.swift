import Frames
import Media

extension Presentation {
  /// The tracks of subtitles that it offers; ones in other formats have a refusal.
  package var subtitleTracks: [SubtitleTrack] { texts.tracks.map(\.track) }

  fileprivate var texts: TextRenditions { TextRenditions(self, videos: StreamTrack.videos(of: self)) }
}

// Subtitles of a stream. Any thread.
extension LoadedStream {
  /// The tracks of subtitles that the manifest names. None for live streams: their subtitles are not loaded.
  public var subtitles: [SubtitleTrack] { liveEdge == nil ? texts.tracks.map(\.track) : [] }

  /// Begins a track of `subtitles`; it is loaded by the thread that reads it.
  package func text(_ number: Int, interruption: Interruption) -> StreamText {
    StreamText(texts.tracks[number].renditions, opened, store, sideResources(interruption), runs)
  }

  private var texts: TextRenditions { opened.presentation.texts }

  /// Of requests that playing does not wait for: what fails is not made again for long, and is no trouble of the stream.
  func sideResources(_ interruption: Interruption) -> ResourceLoader {
    var options = options
    options.retries.retryLimit = min(options.retries.retryLimit, 2)
    options.retries.limitSeconds = min(options.retries.limitSeconds, 20)
    return ResourceLoader(
      transport: transport, options: options, log: sideLog, buffer: { [store] in store.bufferSeconds },
      shouldStop: { [store] in interruption.shouldStop || store.isStopped })
  }
}
