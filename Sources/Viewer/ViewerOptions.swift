import Analytics
import Bench360Player
import Decode
import Frames
import GPU
import Media
import Playback
import Playlists
import Render
import Session
import Sound
import Streaming

extension Viewer {
  /// What the caller decides about a window.
  public struct Options {
    public var session = RenderSession.Options()
    package var machine = Machine()
    /// The initial camera; nil: the file's, else straight ahead.
    public var camera: Camera?
    public var keys = KeyBindings()
    public var settings = ViewerSettings()
    public var window = WindowWish()
    public var hands = Hands()
    public var tracks = Tracks()
    /// Nil: the display's.
    public var refresh: Ratio?
    public var files = Files()
    /// The session's D-Bus, where a desktop controls the window; nil: none does.
    public var sessionBus: String?
    /// Called before a clip is opened, on the thread that opens it: throws to refuse it, as for playlists that keep a
    /// demuxer busy forever. Nil: all clips are opened.
    public var checkInput: CheckInput?
    /// Called when a clip is shown, for a watcher that follows it.
    public var watch: ((_ session: RenderSession, _ path: String, _ pace: Pace) -> Watcher)?
    /// Called at each refresh: whether the caller wants the viewer to end.
    public var shouldQuit: () -> Bool = { false }
    /// Called with messages for the user, each a sentence.
    public var onMessage: (String) -> Void = { _ in }

    public init() {}

    public var subtitles: SubtitleWish {
      get { tracks.subtitles }
      set { tracks.subtitles = newValue }
    }
    public var sound: SoundWish {
      get { tracks.sound }
      set { tracks.sound = newValue }
    }
    public var locale: Language? {
      get { tracks.locale }
      set { tracks.locale = newValue }
    }
  }

  /// What tests plant.
  package struct Machine {
    /// Loses the device; nil: only the driver reports a loss.
    package var losses: (any SurfaceLosses)?
    /// The clock that goes on while the machine sleeps, in nanoseconds.
    package var boot: () -> Int64 = { SleepWatch.boot }
  }

  /// Throws to refuse a clip.
  public typealias CheckInput = @Sendable (_ path: String, _ shouldStop: () -> Bool) throws(Failure) -> Void

  /// The window at first.
  public struct WindowWish: Sendable {
    public var isFullscreen = false
    /// Takes the shape of the first clip that is flat, inside the size of the options.
    public var takesClipShape = false

    public init() {}
  }

  /// The tracks chosen at first.
  public struct Tracks: Sendable {
    public var subtitles = SubtitleWish.auto
    public var sound = SoundWish()
    /// The user's language; nil: unknown.
    public var locale: Language?

    public init() {}
  }

  /// What is heard, and where.
  public struct SoundWish: Sendable {
    public var output = AudioOutputChoice.device(name: nil)
    public var track = AudioWish.auto
    public var isMuted = false

    public init() {}
  }

  /// Input devices.
  public struct Hands {
    /// A head tracker that turns the view; nil: none.
    public var headTracker: HeadTracker?
    /// Record input events in `recording`.
    public var isRecorded = false

    public init() {}
  }

  /// Sources of clips.
  public struct Files {
    /// The recent clips, and the function that stores them.
    public var recent = RecentFiles()
    public var remember: (RecentFiles) -> Void = { _ in }
    /// How the user wanted clips drawn, and the function that stores it.
    public var geometries = RememberedGeometries()
    public var rememberGeometries: (RememberedGeometries) -> Void = { _ in }
    /// Where clips were left, and the function that stores that.
    public var positions = ClipPositions()
    public var rememberPositions: (ClipPositions) -> Void = { _ in }
    /// The folder that `~` stands for in a typed path, and the folder that the file browser shows first.
    public var home = ""
    public var folder = "/"
    /// The names in a folder, folders with a trailing `/`.
    public var names: @Sendable (_ folder: String) -> [String] = { _ in [] }
    /// The entries of a folder in any order, on a thread of its own. Throws where it cannot be read.
    public var list: @Sendable (_ folder: String) throws(Failure) -> [FolderEntry] = { _ in [] }
    /// How streams of HLS and DASH on web servers are loaded; nil: libavformat loads them, without adaptation.
    public var streaming: StreamOptions?
    /// Ads in each clip: a file or URL of VMAP or VAST; nil: none.
    public var ads: String?
    public var playlist = Playlist()
    /// Told what happens to the clips; nil: it is not wanted. The viewer ends it.
    package var events: AnalyticsLog?
    /// Returns the path of the built-in clip, and makes it if absent: on a thread of its own, which reports its
    /// progress and stops when that call returns false. Nil: no built-in clip.
    public var makeBuiltInClip: (@Sendable (_ progress: (Double) -> Bool) throws(Failure) -> String)?

    public init() {}
  }

  /// What is played in which order.
  public struct Playlist {
    /// The clips that inputs stand for: playlists and folders are read. Waits for the disk.
    public var clips: (_ inputs: [String]) throws(Failure) -> [PlaylistItem] = { $0.map { PlaylistItem($0) } }
    /// Of the playlist that the caller names; nil: it has none.
    public var title: String?
    /// Called at each change of clips that came without a user.
    public var onGap: (ClipGap) -> Void = { _ in }
    /// Of shuffled orders.
    public var seed: UInt64 = 1

    public init() {}
  }

  /// The pace of pictures.
  public struct Pace {
    /// Refreshes per second.
    public var refresh: Ratio
    /// Whether the display reports when pictures were seen.
    public var isTold: Bool
    /// The output and the number of the stream that is heard; nil: none.
    public var sound: (output: String, track: Int)?
  }

  /// Receives all events of a clip while it is shown.
  public struct Watcher {
    public var onFrame: (QueuedFrame) -> Void
    public var onTick: (PlayTick) -> Void
    public var onEnd: (_ log: PlayLog, _ framesLeftOut: Int, _ heard: [HeardSound]) -> Void

    public init(
      onFrame: @escaping (QueuedFrame) -> Void, onTick: @escaping (PlayTick) -> Void,
      onEnd: @escaping (_ log: PlayLog, _ framesLeftOut: Int, _ heard: [HeardSound]) -> Void
    ) {
      (self.onFrame, self.onTick, self.onEnd) = (onFrame, onTick, onEnd)
    }
  }
}
