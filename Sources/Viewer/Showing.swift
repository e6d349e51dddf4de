import Bench360Player
import Frames
import GPU
import Media
import Playback
import Playlists
import Render
import Session

/// The clip in the window, and what the window remembers of it. Main thread only.
final class Showing {
  let clip: PlayedClip
  /// What the queue says of it.
  let item: PlaylistItem
  /// The projection that it was opened with.
  let opened: Projection
  /// The time whose subtitles are shown.
  var subtitleTime = MediaTime.zero
  /// When showing began.
  var began = MonotonicTime.now
  /// Write the next view to a file.
  var wantsScreenshot = false
  /// The play state to restore when the window is visible again.
  var playsWhenRestored = false
  /// The previous refresh came after the last frame.
  var hasEnded = false
  /// The part that is played again and again.
  var loop = ABLoop()
  /// What the window says of the network.
  var buffering = Buffering()
  var network = NetworkNotices()
  /// Where the user may go on, until the question is over.
  var offer: (time: MediaTime, until: MonotonicTime)?

  init(_ clip: PlayedClip, _ item: PlaylistItem) {
    (self.clip, self.item) = (clip, item)
    opened = clip.session.renderer.geometry.projection
  }

  /// Minutes of views: more than the statistics show.
  static let loggedViews = 8192

  var path: String { clip.path }
  /// For users.
  var title: String { item.title ?? ShownClip(path).name }
  var session: RenderSession { clip.session }
  var play: PlaySession { clip.play }
  var sound: ClipSound? { clip.sound }
  var duration: MediaTime? { clip.duration }
  /// The position in the clip, current or sought.
  var place: MediaTime { clip.place }
}
