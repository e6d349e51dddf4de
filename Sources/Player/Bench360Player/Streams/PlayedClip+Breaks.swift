import Frames
import Media
import Playback
import Streaming

// Breaks of a stream that is played.
extension PlayedClip {
  /// Where a seek of the user's leads.
  package enum UserSeek: Sendable, Hashable {
    case place(MediaTime)
    /// To the start of a break that lies before the place; playing goes on there behind it.
    case firstBreak(MediaTime)
    /// Nowhere: the break that plays forbids it.
    case refused
  }

  /// Where a seek of the user's leads: within the clip or the window, as `sought`, and by the breaks of a stream.
  package func userSought(_ place: MediaTime) -> UserSeek {
    guard let loaded = session.stream else { return .place(sought(place)) }
    switch stream.breaks.seek(to: place, from: self.place, among: loaded.breaks) {
    case .free: return .place(sought(place))
    case .first(let one): return .firstBreak(sought(one.start))
    case .refused: return .refused
    }
  }

  /// A break plays that no seek may leave.
  package var breakForbidsSeeks: Bool {
    session.stream.flatMap { stream.breaks.forbidding(at: place, among: $0.breaks) } != nil
  }

  /// The breaks of a stream, and which of them were watched.
  package func breaks(of loaded: LoadedStream) -> [Player.Break] {
    loaded.breaks.map { one in
      var told = Player.Break(id: one.id)
      (told.start, told.end) = (one.start, one.end)
      (told.allowsSkipping, told.allowsJumping) = (one.allowsSkipping, one.allowsJumping)
      told.isWatched = stream.breaks.hasWatched(one)
      return told
    }
  }

  /// Behind a break that was watched, playing goes on where the user wanted.
  func followBreaks(_ loaded: LoadedStream) {
    guard play.player.state == .playing else { return }
    let breaks = loaded.breaks
    guard !breaks.isEmpty, let next = stream.breaks.play(to: place, among: breaks) else { return }
    play.seek(SeekRequest(target: sought(next)))
  }
}

extension PlayingClip {
  /// Where a seek leads in a stream with breaks; nil: nowhere, which is told.
  func sought(_ place: MediaTime) -> MediaTime? {
    switch clip.userSought(place) {
    case .place(let target), .firstBreak(let target): return target
    case .refused:
      tellOfBreak(true)
      return nil
    }
  }

  /// Returns what it is given.
  @discardableResult
  func tellOfBreak(_ forbids: Bool) -> Bool {
    if forbids {
      desk.listeners.tell(
        .trouble(
          Failure(
            .usage, "cannot leave this place", cause: "the break that plays forbids it", remedy: "wait for its end")))
    }
    return forbids
  }
}

extension Player.State {
  /// Parts of a clip.
  struct Spans: Sendable, Equatable {
    var loaded = Player.Span()
    var breaks: [Player.Break] = []
  }

  /// Media that plays without waiting; of a stream, loaded, of a file, decoded.
  public var loaded: Player.Span {
    get { spans.loaded }
    set { spans.loaded = newValue }
  }

  /// Of a stream, by their starts; of a live one, the ones in its window, and announced ones.
  public var breaks: [Player.Break] {
    get { spans.breaks }
    set { spans.breaks = newValue }
  }
}
