import Bench360Player
import Frames
import Playlists

// From one clip to the next without a gap: the next one is opened, and its first frames are decoded, while the current one plays.
extension Viewer {
  /// Opens the next clip ahead of time, and closes a prepared clip that is no longer the next one.
  func openAhead() {
    guard openings.leaving == nil, let entry = files.entry(.way(1)) else { return }
    if let prepared = openings.clips.prepared, prepared.item != entry.item { openings.clips.forgetPrepared() }
    guard openings.clips.prepared == nil else { return }
    openings.clips.expect(entry.item) { begin(entry.item) }
  }

  /// At each refresh: begins to decode the next clip where the current one ends soon.
  func prepareNext(_ showing: Showing) {
    guard openings.leaving == nil, sharesSound, let ahead = openings.clips.ahead,
      files.entry(.way(1))?.item == ahead.item,
      ClipQueue<PlaylistItem>.prepares(at: showing.place, of: showing.duration)
    else { return }
    openings.clips.prepare { (opened, item) throws(Failure) in try make(opened, item) }
  }

  /// Whether a second clip may open the sound output while the first one plays.
  var sharesSound: Bool { if case .file = options.sound.output { false } else { true } }

  /// A clip has played to its end: the next one begins, or its last picture stays.
  func end(_ showing: Showing) {
    if openings.leaving == nil { leave(.way(1)) }
    leaveWhenOpen(at: .now)
    if next != nil { showing.clip.stop() }
  }

  /// At each refresh: the gap, once the first picture was seen.
  func noteGap(_ showing: Showing) {
    guard let gap = openings.clips.passed.takeGap(to: showing.clip) else { return }
    files.gap = gap
    options.files.playlist.onGap(gap)
  }
}

extension ClipGap {
  /// `gap between clips 16.7 ms, 1.0 refreshes`.
  func text(_ words: Words) -> String {
    words[.gap(words.tenths(milliseconds) + " ms", refreshes: words.tenths(refreshes))]
  }
}
