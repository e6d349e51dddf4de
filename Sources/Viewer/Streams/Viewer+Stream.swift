import Frames
import Media
import Origin
import Session
import Streaming

// Clips that come from the network, and streams of segments above all.
extension Viewer {
  /// At each refresh: begins to play once enough is loaded, and tells why the picture stands.
  func followStream(_ showing: Showing, at now: MonotonicTime) {
    let stream = showing.session.stream
    stream?.played(to: showing.place)
    if let stream {
      followSleep(showing, stream, at: now)
      followLive(showing, stream)
    }
    if showing.stream.buffering.begins(canPlay: stream?.canPlay ?? true) { showing.play.play() }
    let isWaiting = showing.isShortOfMedia
    showing.stream.stalls.note(isStalled: isWaiting && showing.play.player.state == .stalled, at: now)
    let notice = showing.stream.buffering.notice(isWaiting: isWaiting, trouble: stream?.trouble, at: now)
    if hud.wait(notice) { isStale = true }
    guard let stream, !stream.hasGivenUp else { return }
    let said = showing.stream.network.notice(trouble: stream.trouble, ahead: stream.bufferSeconds, at: now)
    if let said { say(said) }
  }

  /// A live stream is played as fast as its edge goes on, and from elsewhere once its window has slid past the picture.
  private func followLive(_ showing: Showing, _ stream: LoadedStream) {
    // While a seek is under way the loader may ask once more.
    if let place = stream.takeJump(), showing.play.player.state != .seeking {
      showing.play.seek(SeekRequest(target: showing.sought(place)))
      say("The live window has moved on: " + (showing.stream.pace.follows ? "live again" : "playing from its start"))
    }
    guard let edge = stream.liveEdge, let live = stream.livePlace else { return }
    if showing.stream.pace.goesLive(edge) { return goLive(showing, plays: false) }
    if showing.play.player.state == .playing, showing.stream.pace.arrives(behind: (live - showing.place).seconds) {
      say("Live: normal speed")
    }
    showing.play.setRate(showing.stream.pace.rate(catchUp: stream.catchUpRate(at: showing.place)))
  }

  /// Connections do not outlive a sleep of the machine.
  private func followSleep(_ showing: Showing, _ stream: LoadedStream, at now: MonotonicTime) {
    let seconds = showing.stream.sleep.slept(boot: options.machine.boot(), monotonic: MonotonicTime.now.nanoseconds)
    guard let seconds else { return }
    stream.renewConnections()
    if showing.play.willPlay { showing.stream.pace.woke(at: stream.now) }
    say("After \(SleepWatch.text(seconds)) of sleep: connecting anew")
  }

  /// To the live edge, at normal speed.
  ///
  /// - Parameter plays: a paused stream plays on.
  func goLive(_ showing: Showing, plays: Bool = true) {
    guard let place = showing.session.stream?.goLive() else { return say("Live: this is no live stream") }
    showing.play.seek(SeekRequest(target: showing.sought(place)))
    if plays, !showing.play.willPlay { showing.play.play() }
    say("Live")
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
    default: stream.buffering.holdsStart
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
  /// Opens a clip as the viewer does: playlists and manifests with a client that adapts to the network, those of this machine from an
  /// origin of the viewer's own; all else by libavformat.
  ///
  /// - Parameters:
  ///   - streaming: nil: all is left to libavformat.
  ///   - check: called before libavformat opens it.
  init(
    shown path: String, _ options: RenderSession.Options, streaming: StreamOptions?, on device: DeviceOpening,
    interruption: Interruption, check: () throws(Failure) -> Void, onPhase: (OpeningPhase) -> Void
  ) throws(Failure) {
    if let streaming, let place = try StreamPlace(path, options.decoder.network, interruption) {
      let stream = try LoadedStream(
        place.url, name: path, server: place.origin, streaming, interruption: interruption)
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
  let origin: Origin?

  /// Nil for what is no playlist and no manifest.
  init?(_ path: String, _ network: NetworkOptions, _ interruption: Interruption) throws(Failure) {
    if let local = LocalPresentation(file: path) {
      let origin = try Origin.start(local.folder)
      (url, self.origin) = (origin.url + local.urlPath, origin)
      return
    }
    let isClip = { FolderEntry(name: $0).isListed }
    guard try isWebManifest(path, network: network, interruption: interruption, isClip: isClip) else { return nil }
    (url, origin) = (path, nil)
  }
}
