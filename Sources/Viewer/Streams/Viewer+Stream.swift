import Frames
import Media
import Session
import Streaming

// Clips that come from the network, and streams of segments above all.
extension Viewer {
  /// At each refresh: begins to play once enough is loaded, and tells why the picture stands.
  func followStream(_ showing: Showing, at now: MonotonicTime) {
    let stream = showing.session.stream
    stream?.played(to: showing.place)
    if showing.buffering.begins(canPlay: stream?.canPlay ?? true) { showing.play.play() }
    let notice = showing.buffering.notice(isWaiting: showing.isShortOfMedia, trouble: stream?.trouble, at: now)
    if hud.wait(notice) { isStale = true }
  }

  /// The next higher rung; after the highest, by what the network carries.
  func chooseNextQuality() {
    guard let qualities = showing?.qualities, !qualities.titles.isEmpty else {
      return say("Quality: only streams have several")
    }
    let next = qualities.fixed.map { $0 + 1 } ?? 0
    choose(quality: next < qualities.titles.count ? next : nil)
  }

  /// Chooses the rung of a stream; nil: by what the network carries.
  func choose(quality rung: Int?) {
    guard let stream = showing?.session.stream else { return }
    stream.fixedRung = rung
    let title = rung.map { showing?.qualities.titles[$0] ?? "" } ?? "Auto"
    say("Quality: \(title)")
  }
}

extension Showing {
  /// The picture stands, for what follows has not been loaded yet.
  var isShortOfMedia: Bool {
    switch play.player.state {
    case .opening, .seeking, .stalled: session.stream?.isStarving ?? session.reader.info.isRemote
    default: buffering.holdsStart
    }
  }

  /// Empty where the clip is no stream.
  var qualities: ControlFacts.Qualities {
    session.stream?.qualities(at: pictureTime) ?? ControlFacts.Qualities()
  }

  /// The time of the picture on the display, in the stream.
  var pictureTime: MediaTime { play.shownFrame?.presentationTime ?? place }
}

extension OpenedClip {
  /// Opens a clip as the viewer does: manifests on web servers with a client that adapts to the network, all else by libavformat. Live
  /// streams are libavformat's too.
  ///
  /// - Parameters:
  ///   - streaming: nil: all is left to libavformat.
  ///   - check: called before libavformat opens it.
  init(
    shown path: String, _ options: RenderSession.Options, streaming: StreamOptions?, on device: DeviceOpening,
    interruption: Interruption, check: () throws(Failure) -> Void, onPhase: (OpeningPhase) -> Void
  ) throws(Failure) {
    if let streaming, isWebManifest(path) {
      do throws(Failure) {
        let stream = try LoadedStream(path, streaming, interruption: interruption)
        try self.init(stream, options, on: device, interruption: interruption, onPhase: onPhase)
        return
      } catch {
        guard LoadedStream.isLive(error) else { throw error }
      }
    }
    try check()
    try self.init(path, options, on: device, interruption: interruption, onPhase: onPhase)
  }
}
