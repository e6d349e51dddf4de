import Bench360Player
import Frames
import Playlists

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
  var ads: AdRole
  var repose = Repose()

  init(_ clip: PlayedClip, _ item: PlaylistItem, _ ads: AdRole = .none) {
    (self.clip, self.item, self.ads) = (clip, item, ads)
    opened = clip.geometry.projection
  }

  /// Plays it, with its ads, until the link is stopped.
  func run(
    beforeTick: (DisplayTick) -> Void, onFrame: (QueuedFrame) -> Void, onTick: (PlayTick) -> Void
  ) throws(Failure) {
    guard let ads = ads.clip else {
      return try clip.run(beforeTick: beforeTick, onFrame: onFrame, onTick: onTick)
    }
    try ads.run(beforeTick: beforeTick, onFrame: onFrame, onTick: onTick)
  }

  /// Of the window; the clip behind an ad has the same.
  func resize(to size: PictureSize) {
    clip.size = size
    if case .isAd(let content) = ads { content.clip.size = size }
  }

  /// Minutes of views: more than the statistics show.
  static let loggedViews = 8192

  var path: String { clip.path }
  /// For users.
  var title: String { item.title ?? ShownClip(path).name }
  var sound: ClipSound? { clip.sound }
  var duration: MediaTime? { clip.duration }
  /// The position in the clip, current or sought.
  var place: MediaTime { clip.place }
}
