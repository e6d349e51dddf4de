import Frames
import HTTP
import Media
import Playback
import Streaming

// Clips that come from the network, and streams of segments above all.
extension PlayedClip {
  /// What happened to a stream at a refresh, for who watches it.
  package enum StreamNews: Sendable, Hashable {
    /// The live window has slid past the picture, which goes on at its live edge, or at its start.
    case movedOn(isLive: Bool)
    /// A faster picture has come to the live edge, and is as fast as that from now on.
    case caughtUp
    /// The picture goes to the live edge.
    case live
    /// The machine slept for so many seconds: connections are made anew.
    case slept(Double)
  }

  /// At each refresh, before it is decided: begins to play once enough is loaded, and follows a live edge.
  ///
  /// - Parameter boot: the clock that goes on while the machine sleeps, in nanoseconds.
  package func followStream(at now: MonotonicTime, boot: Int64 = SleepWatch.boot) -> [StreamNews] {
    var news: [StreamNews] = []
    let loaded = session.stream
    // Before the first picture its place is not the stream's beginning: a live one begins elsewhere.
    if play.shownFrame != nil { loaded?.played(to: place) }
    if let loaded {
      followSleep(loaded, boot, &news)
      followLive(loaded, &news)
      followBreaks(loaded)
    }
    if stream.start.begins(canPlay: loaded?.canPlay ?? true) { play.play() }
    stream.stalls.note(isStalled: isShortOfMedia && play.player.state == .stalled, at: now)
    return news
  }

  /// A live stream is played as fast as its edge goes on, and from elsewhere once its window has slid past the picture.
  private func followLive(_ loaded: LoadedStream, _ news: inout [StreamNews]) {
    // While a seek is under way the loader may ask once more.
    if let place = loaded.takeJump(), play.player.state != .seeking {
      play.seek(SeekRequest(target: sought(place)))
      news.append(.movedOn(isLive: stream.pace.follows))
    }
    guard let edge = loaded.liveEdge, let live = loaded.livePlace else { return }
    if stream.pace.goesLive(edge) {
      if goLive(plays: false) { news.append(.live) }
      return
    }
    if play.player.state == .playing, stream.pace.arrives(behind: (live - place).seconds) { news.append(.caughtUp) }
    play.setRate(stream.pace.rate(catchUp: loaded.catchUpRate(at: place)))
  }

  /// Connections do not outlive a sleep of the machine.
  private func followSleep(_ loaded: LoadedStream, _ boot: Int64, _ news: inout [StreamNews]) {
    let seconds = stream.sleep.slept(boot: boot, monotonic: MonotonicTime.now.nanoseconds)
    guard let seconds else { return }
    loaded.renewConnections()
    if play.willPlay { stream.pace.woke(at: loaded.now) }
    news.append(.slept(seconds))
  }

  /// To the live edge, at normal speed; false where the clip is no live stream.
  ///
  /// - Parameter plays: a paused stream plays on.
  @discardableResult
  package func goLive(plays: Bool = true) -> Bool {
    guard let place = session.stream?.goLive() else { return false }
    play.seek(SeekRequest(target: sought(place)))
    if plays, !play.willPlay { play.play() }
    return true
  }

  /// Where a seek goes: within the clip, or within the window of a live stream, which follows its edge from there on or not.
  package func sought(_ place: MediaTime) -> MediaTime {
    guard let loaded = session.stream, let edge = loaded.liveEdge, let live = loaded.livePlace else {
      return max(place, .zero)
    }
    // Ahead of the live place there is little to play.
    let place = edge.clamped(edge.hasEnded ? place : min(place, live))
    stream.pace.go(to: place, live: live)
    return place
  }

  /// The picture stands, for what follows has not been loaded yet.
  package var isShortOfMedia: Bool {
    switch play.player.state {
    case .opening, .seeking, .stalled: session.stream?.isStarving ?? session.reader.info.isRemote
    default: stream.holdsStart
    }
  }

  /// The reason why requests fail; nil while they succeed, and for local files.
  package var trouble: NetworkTrouble? { session.trouble }

  /// It plays, or will as soon as it can.
  package var willPlay: Bool { play.willPlay || stream.holdsStart }

  /// Plays, also with less than is wanted for a start.
  package func startPlaying() {
    stream.start.stop()
    play.play()
  }

  /// Plays as soon as enough is loaded.
  package func playWhenLoaded() {
    guard session.stream?.canPlay == false else { return startPlaying() }
    stream.start = StartHold(holds: true)
  }

  package func pause() {
    stream.start.stop()
    play.pause()
  }

  /// - Parameter rate: the user's; of a live stream that is followed, 1 is as fast as its edge.
  package func setRate(_ rate: Double) {
    stream.pace.choose(speed: rate)
    play.setRate(rate)
  }
}

extension Subtitles {
  /// Opens the tracks of a clip, which of a stream are loaded over its network. Returns a message for the user, if any.
  ///
  /// - Parameter files: of a playlist that names them for the clip.
  package func open(_ clip: PlayedClip, files: [String] = []) -> Subtitles.Notice? {
    let reader = clip.session.reader
    guard let stream = clip.session.stream else {
      return open(clip.path, files: files, streams: reader.info.subtitles, of: reader.clip)
    }
    return open(clip.path, files: files, streams: stream.subtitles) { SubtitleFeed(stream, $0) }
  }
}
