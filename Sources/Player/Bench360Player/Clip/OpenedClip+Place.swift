import Frames
import Media
import Session
import Streaming

/// How streams of segments are loaded.
package struct StreamLoading: Sendable {
  package var options: StreamOptions
  /// Serves a folder of this machine over HTTP, for as long as the object lives that comes with the folder's URL. Nil: playlists and
  /// manifests of this machine are left to libavformat, which does not adapt.
  package var serve: Serve?

  package typealias Serve =
    @Sendable (_ folder: String) throws(Failure) -> (url: String, server: any AnyObject & Sendable)

  package init(_ options: StreamOptions, serve: Serve? = nil) { (self.options, self.serve) = (options, serve) }
}

extension OpenedClip {
  /// Opens a clip to be played: playlists and manifests with a client that adapts to the network, all else by libavformat. Waits.
  ///
  /// - Parameters:
  ///   - streaming: nil: all is left to libavformat.
  ///   - check: called before libavformat opens it; throws to refuse it.
  package init(
    played path: String, _ options: RenderSession.Options, streaming: StreamLoading?, on device: DeviceOpening,
    interruption: Interruption, check: () throws(Failure) -> Void = {}, onPhase: (OpeningPhase) -> Void = { _ in }
  ) throws(Failure) {
    if let streaming, let place = try StreamPlace(path, streaming, options.decoder.network, interruption) {
      var loading = streaming.options
      loading.policy = options.decoder.network.policy
      loading.served = place.served
      let stream = try LoadedStream(place.url, name: path, server: place.server, loading, interruption: interruption)
      try self.init(stream, options, on: device, interruption: interruption, onPhase: onPhase)
      return
    }
    try check()
    try self.init(path, options, on: device, interruption: interruption, onPhase: onPhase)
  }
}

/// Where a stream is loaded from.
private struct StreamPlace {
  let url: String
  /// What serves a presentation of this machine.
  let server: (any AnyObject & Sendable)?
  let served: ServedFolder?

  /// Nil for what is no playlist and no manifest.
  init?(
    _ path: String, _ streaming: StreamLoading, _ network: NetworkOptions, _ interruption: Interruption
  ) throws(Failure) {
    if let local = LocalPresentation(file: path) {
      guard let serve = streaming.serve else { return nil }
      let (url, server) = try serve(local.folder)
      (self.url, self.server, served) = (url + local.urlPath, server, ServedFolder(url: url, path: local.folder))
      return
    }
    let isClip = { ClipNames.isClip($0) || ClipNames.isPlaylist($0) }
    guard try isWebManifest(path, network: network, interruption: interruption, isClip: isClip) else { return nil }
    (url, server, served) = (path, nil, nil)
  }
}
