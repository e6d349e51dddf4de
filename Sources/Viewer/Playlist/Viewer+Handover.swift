import Bench360Player
import Frames
import Playback
import Playlists

// From one clip to the next without a gap: the next one is opened, and its first frames are decoded, while the current one plays.
extension Viewer {
  /// Seconds before the end of a clip from which on the next one decodes: its frames take memory.
  private static let prepares = 4.0

  /// Opens the next clip ahead of time, and closes a prepared clip that is no longer the next one.
  func openAhead() {
    guard openings.leaving == nil, let entry = files.entry(.way(1)) else { return }
    if let prepared = openings.prepared, prepared.item != entry.item { openings.forgetPrepared() }
    guard openings.prepared == nil else { return }
    _ = openings.expect(entry.item) { begin(entry.item) }
  }

  /// At each refresh: begins to decode the next clip where the current one ends soon.
  func prepareNext(_ showing: Showing) {
    guard openings.prepared == nil, openings.leaving == nil, sharesSound, let ahead = openings.ahead else { return }
    if let duration = showing.duration, (duration - showing.place).seconds > Self.prepares { return }
    guard case .success? = ahead.outcome, files.entry(.way(1))?.item == ahead.item else { return }
    do throws(Failure) {
      guard let clip = try ahead.take() else { return }
      openings.ahead = nil
      openings.prepared = try make(clip, ahead.item)
    } catch {
      // Its turn tells why it cannot be played.
      openings.ahead = nil
    }
  }

  /// Whether a second clip may open the sound output while the first one plays.
  var sharesSound: Bool { if case .file = options.sound.output { false } else { true } }

  /// A clip has played to its end: the next one begins, or its last picture stays.
  func end(_ showing: Showing) {
    if openings.leaving == nil { leave(.way(1)) }
    leaveWhenOpen(at: .now)
    if next != nil { showing.clip.link.stop() }
  }

  /// At each refresh: the gap, once the first picture was seen.
  func noteGap(_ showing: Showing) {
    guard let first = showing.play.log.views.first, let end = openings.passed.takePictureEnd() else { return }
    let gap = ClipGap(from: end, to: first.seen, period: showing.play.log.period)
    files.gap = gap
    options.files.playlist.onGap(gap)
  }
}

extension Openings {
  /// Another clip is the next one.
  mutating func forgetPrepared() {
    prepared?.clip.end()
    prepared = nil
  }
}
