import Frames

/// What a desktop shows of the player.
public struct PlayerState: Sendable, Hashable {
  /// By the names that clients know.
  public enum Status: String, Sendable {
    case playing = "Playing"
    case paused = "Paused"
    case stopped = "Stopped"
  }

  /// What starts over at its end, by the names that clients know.
  public enum Loop: String, Sendable, CaseIterable {
    case none = "None"
    case track = "Track"
    case playlist = "Playlist"
  }

  /// The clip that is shown.
  public struct Track: Sendable, Hashable {
    /// Another number for each clip that is shown, also where a clip is shown again.
    public var number: Int
    public var title: String
    /// Without secrets.
    public var url: String
    /// Nil: unknown.
    public var length: MediaTime?
    public var canSeek: Bool

    public init(number: Int, title: String, url: String, length: MediaTime?, canSeek: Bool) {
      (self.number, self.title, self.url) = (number, title, url)
      (self.length, self.canSeek) = (length, canSeek)
    }
  }

  public var status = Status.stopped
  /// Nil: no clip is shown.
  public var track: Track?
  /// The place in the clip.
  public var place = MediaTime.zero
  public var rate = 1.0
  /// 0 … 1.
  public var volume = 1.0
  public var loop = Loop.none
  /// Clips are played in random order.
  public var isShuffled = false
  public var canGoNext = false
  public var canGoPrevious = false
  public var isFullscreen = false

  public init() {}

  /// The speeds that can be set.
  public static let rates = 0.25...4.0
}

/// What a desktop asks of the player.
public enum PlayerRequest: Sendable, Hashable {
  case play, pause, playOrPause, stop
  case next, previous
  /// Forward or back.
  case move(by: MediaTime)
  /// To a place in the clip.
  case go(to: MediaTime)
  /// A file or URL.
  case open(String)
  case raise, quit
  /// Within `PlayerState.rates`.
  case setRate(Double)
  /// 0 … 1.
  case setVolume(Double)
  case setLoop(PlayerState.Loop)
  case setShuffle(Bool)
  case setFullscreen(Bool)
}
