import Decode
import Frames
import GPU
import Playback
import Render
import Session

extension Viewer {
  /// What of a window is left to the caller.
  public struct Options {
    public var session = RenderSession.Options()
    /// For tests of what follows a loss; nil: only what the driver reports is lost.
    package var losses: (any SurfaceLosses)?
    /// Where the view begins; nil: where the file says, else straight ahead.
    public var camera: Camera?
    public var keys = KeyBindings()
    public var loops = false
    public var isFullscreen = false
    public var hands = Hands()
    /// Which subtitles are shown at first.
    public var subtitles = SubtitleWish.auto
    /// The user's language; nil: unknown.
    public var locale: Language?
    /// Nil: the display's.
    public var refresh: Ratio?
    public var files = Files()
    /// Asked before a clip is opened, on the thread that opens it: throws where it must not be, as for playlists that keep a
    /// demuxer busy without end. Nil: all are opened.
    public var checkInput: (@Sendable (_ path: String, _ shouldStop: () -> Bool) throws(Failure) -> Void)?
    /// Asked when a clip is shown for a watcher that is told of it.
    public var watch: ((_ session: RenderSession, _ path: String, _ pace: Pace) -> Watcher)?
    /// Asked at each refresh: whether the caller wants it to end.
    public var shouldQuit: () -> Bool = { false }
    /// Told what a person should know, in a sentence.
    public var onMessage: (String) -> Void = { _ in }

    public init() {}
  }

  /// What moves the view.
  public struct Hands {
    /// The view goes on turning when a drag ends.
    public var hasInertia = true
    /// A head whose poses turn the view; nil: none.
    public var headTracker: HeadTracker?
    /// What hands do to the view is kept in `recording`.
    public var isRecorded = false

    public init() {}
  }

  /// Where clips are found.
  public struct Files {
    /// Clips that were shown before, and what remembers those that are shown now.
    public var recent = RecentFiles()
    public var remember: (RecentFiles) -> Void = { _ in }
    /// What `~` stands for in a path that is typed, and what a folder holds, folders with a `/` behind.
    public var home = ""
    public var names: @Sendable (_ folder: String) -> [String] = { _ in [] }
    /// Gives the path of the built-in clip, and makes it where it is not there: on a thread of its own, which tells how far it
    /// has come and stops when it is told false. Nil: there is none.
    public var makeBuiltInClip: (@Sendable (_ progress: (Double) -> Bool) throws(Failure) -> String)?

    public init() {}
  }

  /// At what pace pictures are shown.
  public struct Pace {
    /// Refreshes per second.
    public var refresh: Ratio
    /// The display tells when pictures were seen.
    public var isTold: Bool
  }

  /// Told all that becomes of a clip while it is shown.
  public struct Watcher {
    public var onFrame: (FedFrame) -> Void
    public var onTick: (PlayTick) -> Void
    public var onEnd: (_ log: PlayLog, _ framesLeftOut: Int) -> Void

    public init(
      onFrame: @escaping (FedFrame) -> Void, onTick: @escaping (PlayTick) -> Void,
      onEnd: @escaping (_ log: PlayLog, _ framesLeftOut: Int) -> Void
    ) {
      (self.onFrame, self.onTick, self.onEnd) = (onFrame, onTick, onEnd)
    }
  }
}
