import Ads
import Frames
import Media
import Playback

/// The clips before and behind the one that is played: the next one is opened, and its first frames are decoded, while that plays; what
/// takes time at a clip's end waits for the first picture of the next. One thread.
///
/// A class, so that the closures it is given may change what it lies in: opening a clip's sound may fail, and that is noted beside it.
package final class ClipQueue<Item: Equatable> {
  /// A clip that can be shown at once.
  package struct Ready {
    package let item: Item
    package let clip: PlayedClip
    /// Of its opening: what ends reading it.
    package let interruption: Interruption
    package let ads: Result<AdPlan?, Failure>
  }

  /// The clip that is likely to be shown next.
  package private(set) var ahead: ClipOpening<Item>?
  /// The next clip, once it was opened and its first frames are being decoded.
  package private(set) var prepared: Ready?
  /// The clip before, until the next one's first picture.
  package var passed = PassedClip()
  /// Openings whose threads may still hold the device.
  private var abandoned: [ClipOpening<Item>] = []

  package init() {}

  /// Whether a clip has been shown long enough to open the next one: one that is skipped at once is not worth it.
  ///
  /// - Parameters:
  ///   - seconds: for which it was shown.
  ///   - duration: its own; nil: unknown.
  package static func opensAhead(after seconds: Double, of duration: MediaTime?) -> Bool {
    seconds > min(1, (duration?.seconds ?? 4) / 4)
  }

  /// Whether a clip ends soon enough to decode the first frames of the next one: they take memory.
  package static func prepares(at place: MediaTime, of duration: MediaTime?) -> Bool {
    duration.map { ($0 - place).seconds <= 4 } ?? true
  }

  /// The opening of a clip that is to be shown now: the one ahead, else a new one.
  package func take(_ item: Item, begin: () -> ClipOpening<Item>) -> ClipOpening<Item> {
    defer { ahead = nil }
    return expect(item, begin: begin)
  }

  /// The clip that was prepared, where it is this one.
  package func takePrepared(_ item: Item) -> Ready? {
    guard let ready = prepared, ready.item == item else {
      forgetPrepared()
      return nil
    }
    prepared = nil
    return ready
  }

  /// The opening of a clip that is shown next; it stays ahead.
  @discardableResult
  package func expect(_ item: Item, begin: () -> ClipOpening<Item>) -> ClipOpening<Item> {
    if let ahead, ahead.item == item { return ahead }
    if let ahead { abandon(ahead) }
    let opening = begin()
    ahead = opening
    return opening
  }

  /// Begins to decode the clip ahead, once it is open. One that cannot be played is no longer ahead: its turn tells why.
  package func prepare(_ make: (LoadedClip, Item) throws(Failure) -> PlayedClip) {
    guard prepared == nil, let opening = ahead, case .success? = opening.outcome else { return }
    ahead = nil
    guard let opened = try? opening.take(), let clip = try? make(opened, opening.item) else { return }
    prepared = Ready(item: opening.item, clip: clip, interruption: opening.interruption, ads: opened.ads)
  }

  /// The clip ahead cannot be opened.
  package func refuseAhead() { ahead = nil }

  /// Another clip is ahead.
  package func abandonAhead() {
    if let ahead { abandon(ahead) }
    ahead = nil
  }

  /// What ends reading a clip that is open already, or is being opened; nil: it is neither.
  package func interruption(of item: Item) -> Interruption? {
    if let prepared, prepared.item == item { return prepared.interruption }
    if let ahead, ahead.item == item { return ahead.interruption }
    return nil
  }

  /// Cancels an opening: its thread is waited for when the device must close.
  package func abandon(_ opening: ClipOpening<Item>) {
    abandoned.append(opening)
    abandoned.removeAll { $0.stop(withinSeconds: 0) }
  }

  /// Another clip is the next one.
  package func forgetPrepared() {
    prepared?.clip.end()
    prepared = nil
  }

  /// Nothing follows the clip that was shown.
  package func forget() {
    forgetPrepared()
    passed.end()
  }

  /// Cancels all openings, and waits for a moment until no thread holds the device.
  package func stopAll() {
    forget()
    if let ahead { abandoned.append(ahead) }
    ahead = nil
    for opening in abandoned { _ = opening.stop(withinSeconds: 0.5) }
    abandoned = []
  }
}
