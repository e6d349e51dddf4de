import Bench360Player
import Frames
import Overlay

// Subtitles in the window.
extension Viewer {
  /// The current clip's tracks, for a menu.
  package var subtitleTracks: [SubtitleTrack] { subtitles.tracks }

  /// The selected track; nil: none.
  package var chosenSubtitles: Int? { subtitles.chosen }

  /// Selects another track, or none, and shows a message.
  package func chooseSubtitles(_ track: Int?) { say(words.text(subtitles.choose(track))) }

  func applySubtitleSettings() {
    subtitles.apply(
      delay: MediaTime(seconds: options.settings.subtitleDelay), size: options.settings.subtitleSize)
  }

  func openSubtitles(of showing: Showing) {
    if let notice = subtitles.open(showing.clip, files: showing.item.subtitles) { tell(notice) }
  }

  /// At each refresh.
  func advanceSubtitles() {
    if let notice = subtitles.advance() { tell(notice) }
  }

  /// Whether the drawn lines are out of date.
  func subtitlesHaveChanged() -> Bool {
    guard let time = subtitleTime(), let geometry = showing?.clip.geometry, let size = targetSize else {
      return false
    }
    return subtitles.hasChanged(at: time, in: geometry.regions(in: size).first.size)
  }

  func drawSubtitles(on canvas: inout Canvas) {
    guard let time = subtitleTime(), let geometry = showing?.clip.geometry, let size = targetSize else {
      return
    }
    subtitles.draw(on: &canvas, at: time, in: geometry.regions(in: size))
  }

  private var targetSize: PictureSize? { showing?.clip.size }

  /// Subtitles follow the picture: during a seek, those of the picture still on screen stay.
  private func subtitleTime() -> MediaTime? {
    guard let showing, !showing.ads.isAd else { return nil }
    if showing.clip.state != .seeking { showing.subtitleTime = showing.place }
    return showing.subtitleTime
  }
}
