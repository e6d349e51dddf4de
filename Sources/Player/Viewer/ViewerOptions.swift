import Bench360Player
import Frames
import Playlists

extension Viewer {
  /// What the caller decides about a window.
  package struct Options {
    package var session = RenderSession.Options()
    package var machine = Machine()
    /// The initial camera; nil: the file's, else straight ahead.
    package var camera: SphereView?
    package var keys = KeyBindings()
    package var settings = ViewerSettings()
    package var window = WindowWish()
    package var hands = Hands()
    package var tracks = Tracks()
    /// Nil: the display's.
    package var refresh: Ratio?
    package var files = Files()
    /// The session's D-Bus, where a desktop controls the window; nil: none does.
    package var sessionBus: String?
    /// Called before a clip is opened, on the thread that opens it: throws to refuse it, as for playlists that keep a
    /// demuxer busy forever. Nil: all clips are opened.
    package var checkInput: CheckInput?
    /// Called when a clip is shown, for a watcher that follows it.
    package var watch: ((_ session: RenderSession, _ path: String, _ pace: Pace) -> Watcher)?
    /// Called at each refresh: whether the caller wants the viewer to end.
    package var shouldQuit: () -> Bool = { false }
    /// Called with messages for the user, each a sentence.
    package var onMessage: (String) -> Void = { _ in }

    package init() {}

    package var subtitles: SubtitleWish {
      get { tracks.subtitles }
      set { tracks.subtitles = newValue }
    }
    package var sound: SoundWish {
      get { tracks.sound }
      set { tracks.sound = newValue }
    }
    package var locale: Language? {
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
  package typealias CheckInput = ClipCheck

  /// The window at first.
  package struct WindowWish: Sendable {
    package var isFullscreen = false
    /// Takes the shape of the first clip that is flat, inside the size of the options.
    package var takesClipShape = false

    package init() {}
  }

  /// The tracks chosen at first.
  package struct Tracks: Sendable {
    package var subtitles = SubtitleWish.auto
    package var sound = SoundWish()
    /// The user's language; nil: unknown.
    package var locale: Language?

    package init() {}
  }

  /// What is heard, and where.
  package struct SoundWish: Sendable {
    package var output = SoundOutput.device(name: nil)
    package var track = AudioWish.auto
    package var isMuted = false

    package init() {}
  }

  /// Input devices.
  package struct Hands {
    /// A head tracker that turns the view; nil: none.
    package var headTracker: HeadTracker?
    /// Record input events in `recording`.
    package var isRecorded = false

    package init() {}
  }

  /// Sources of clips.
  package struct Files {
    /// The recent clips, and the function that stores them.
    package var recent = RecentFiles()
    package var remember: (RecentFiles) -> Void = { _ in }
    /// How the user wanted clips drawn, and the function that stores it.
    package var geometries = RememberedGeometries()
    package var rememberGeometries: (RememberedGeometries) -> Void = { _ in }
    /// Where clips were left, and the function that stores that.
    package var positions = ClipPositions()
    package var rememberPositions: (ClipPositions) -> Void = { _ in }
    /// The folder that `~` stands for in a typed path, and the folder that the file browser shows first.
    package var home = ""
    package var folder = "/"
    /// The names in a folder, folders with a trailing `/`.
    package var names: @Sendable (_ folder: String) -> [String] = { _ in [] }
    /// The entries of a folder in any order, on a thread of its own. Throws where it cannot be read.
    package var list: @Sendable (_ folder: String) throws(Failure) -> [FolderEntry] = { _ in [] }
    /// How streams of HLS and DASH on web servers are loaded; nil: libavformat loads them, without adaptation.
    package var streaming: StreamOptions?
    /// Ads in each clip: a file or URL of VMAP or VAST; nil: none.
    package var ads: String?
    package var playlist = Playlist()
    /// Told what happens to the clips; nil: it is not wanted. The viewer ends it.
    package var events: AnalyticsLog?
    /// Returns the path of the built-in clip, and makes it if absent: on a thread of its own, which reports its
    /// progress, and the seconds left if they are known, and stops when that call returns false. Nil: no built-in clip.
    package var makeBuiltInClip:
      (@Sendable (_ progress: (_ share: Double, _ secondsLeft: Int?) -> Bool) throws(Failure) -> String)?

    package init() {}
  }

  /// What is played in which order.
  package struct Playlist {
    /// The clips that inputs stand for: playlists and folders are read. Waits for the disk.
    package var clips: (_ inputs: [String]) throws(Failure) -> [PlaylistItem] = { $0.map { PlaylistItem($0) } }
    /// Of the playlist that the caller names; nil: it has none.
    package var title: String?
    /// Called at each change of clips that came without a user.
    package var onGap: (ClipGap) -> Void = { _ in }
    /// Of shuffled orders.
    package var seed: UInt64 = 1

    package init() {}
  }

  /// The pace of pictures.
  package struct Pace {
    /// Refreshes per second.
    package var refresh: Ratio
    /// Whether the display reports when pictures were seen.
    package var isTold: Bool
    /// The output and the number of the stream that is heard; nil: none.
    package var sound: (output: String, track: Int)?
  }

  /// Receives all events of a clip while it is shown.
  package struct Watcher {
    package var onFrame: (QueuedFrame) -> Void
    package var onTick: (PlayTick) -> Void
    package var onEnd: (_ log: PlayLog, _ framesLeftOut: Int, _ heard: [HeardSound]) -> Void

    package init(
      onFrame: @escaping (QueuedFrame) -> Void, onTick: @escaping (PlayTick) -> Void,
      onEnd: @escaping (_ log: PlayLog, _ framesLeftOut: Int, _ heard: [HeardSound]) -> Void
    ) {
      (self.onFrame, self.onTick, self.onEnd) = (onFrame, onTick, onEnd)
    }
  }
}
