import Decode
import Frames
import Overlay
import Render

// Subtitles in the window.
extension Viewer {
  /// Those of the clip that is shown, for a menu.
  public var subtitleTracks: [SubtitleTrack] { subtitles.tracks }

  /// Which of them is shown; nil: none.
  public var chosenSubtitles: Int? { subtitles.chosen }

  /// Shows another track, or none, and says so.
  public func chooseSubtitles(_ track: Int?) { say(subtitles.choose(track)) }

  func openSubtitles(of showing: Showing) {
    let message = subtitles.open(showing.path, streams: showing.session.reader.info.subtitles)
    if let message { tell(message) }
  }

  /// At each refresh.
  func advanceSubtitles() {
    if let message = subtitles.advance() { tell(message) }
  }

  /// What is shown is no longer what stands there.
  func subtitlesHaveChanged() -> Bool {
    guard let time = subtitleTime(), let geometry = showing?.session.renderer.geometry, let size = targetSize else {
      return false
    }
    return subtitles.hasChanged(at: time, in: geometry.regions(in: size).first.size)
  }

  func drawSubtitles(on canvas: inout Canvas) {
    guard let time = subtitleTime(), let geometry = showing?.session.renderer.geometry, let size = targetSize else {
      return
    }
    subtitles.draw(on: &canvas, at: time, in: geometry.regions(in: size))
  }

  private var targetSize: PictureSize? { showing?.session.renderer.targetSize }

  /// They go with the picture: while another place is sought, those of the picture that still stands stay.
  private func subtitleTime() -> MediaTime? {
    guard let showing else { return nil }
    if showing.play.player.state != .seeking { showing.subtitleTime = showing.place }
    return showing.subtitleTime
  }
}
