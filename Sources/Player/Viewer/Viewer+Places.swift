import Bench360Player
import Frames

// Places in the clip: where the user left it, chapters, and the A–B loop.
extension Viewer {
  /// Where to continue a clip that was shown before; nil: at its start.
  func rememberedPlace(of showing: Showing) -> Recovery.Place? {
    guard options.settings.remembersPosition != .no, options.watch == nil,
      let time = files.position(in: showing.path), let duration = showing.duration, time < duration
    else { return nil }
    let clock = ClockText.text(time, hours: duration.seconds >= 3600)
    guard options.settings.remembersPosition == .yes else {
      ask(showing, time, clock)
      return nil
    }
    say(.continued(at: clock))
    return Recovery.Place(path: showing.path, time: time, camera: hands.look.camera, isPlaying: true)
  }

  /// Seeks to the start of the A–B loop when its end is reached.
  func repeatPart(_ showing: Showing) {
    let clip = showing.clip
    guard clip.willPlay || clip.state == .ended, clip.state != .seeking else { return }
    if let start = showing.loop.target(at: showing.place, hasEnded: clip.state == .ended) {
      clip.seek(to: start)
      if !clip.willPlay { clip.startPlaying() }
    }
  }

  /// The places that the slider marks.
  func marks(_ showing: Showing) -> SliderMarks {
    var marks = SliderMarks(chapters: showing.clip.info.chapters, loop: showing.loop)
    if case .has(let ads) = showing.ads { marks.ads = ads.breaks.places }
    if let stream = showing.clip.loader { marks.breaks = showing.clip.breaks(of: stream) }
    return marks
  }

  func goToChapter(_ way: Int, _ showing: Showing) {
    let marks = marks(showing)
    guard let number = marks.chapter(way, from: showing.place) else {
      return say(marks.chapters.isEmpty ? .noChapters : .noFurtherChapter)
    }
    let start = marks.chapters[number].start
    guard let target = sought(start, showing) else { return }
    showing.clip.seek(to: target)
    // Else the break that comes first was told.
    if target == start { say(marks.title(number, words)) }
  }
}
