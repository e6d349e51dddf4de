import Bench360Player
import Frames

/// Places of a clip that the slider marks: chapters, ads, breaks of a stream, and the ends of an A–B loop.
package struct SliderMarks: Sendable, Hashable {
  /// In order of time.
  package var chapters: [Chapter] = []
  package var loop = ABLoop()
  /// Where ads are.
  package var ads: [MediaTime] = []
  /// Of a stream, which its maker marked.
  package var breaks: [Player.Break] = []

  package init(chapters: [Chapter] = [], loop: ABLoop = ABLoop()) { (self.chapters, self.loop) = (chapters, loop) }

  /// The number of the chapter at a time, from 0; nil before the first.
  package func chapter(at time: MediaTime) -> Int? { chapters.lastIndex { $0.start <= time } }

  /// The number of the chapter to jump to; nil where there is none.
  ///
  /// - Parameter way: + forward; back leads to the chapter's own start first, unless it began less than 3 s ago.
  package func chapter(_ way: Int, from time: MediaTime) -> Int? {
    guard way < 0 else { return chapters.firstIndex { $0.start > time } }
    return chapters.lastIndex { $0.start + MediaTime(seconds: 3) <= time } ?? (chapters.isEmpty ? nil : 0)
  }

  /// `Chapter 2 of 5: Name`.
  package func title(_ number: Int, _ words: Words = .english) -> String {
    let chapter = words[.chapter(number + 1, of: chapters.count)]
    return chapters[number].title.map { words[.named(chapter, value: printable($0))] } ?? chapter
  }
}

/// A part of a clip that is played again and again. Pure.
package struct ABLoop: Sendable, Hashable {
  package private(set) var start: MediaTime?
  package private(set) var end: MediaTime?

  package init() {}

  /// Sets A, then B, then clears both. A B at or before A becomes the A of a new loop.
  package mutating func press(at time: MediaTime) {
    if let start, end == nil, time > start {
      end = time
    } else {
      (start, end) = end == nil ? (time, nil) : (nil, nil)
    }
  }

  /// Where to seek when a place is reached; nil: play on.
  ///
  /// - Parameter hasEnded: the clip has no more frames.
  package func target(at place: MediaTime, hasEnded: Bool) -> MediaTime? {
    guard let start, let end, place >= end || hasEnded else { return nil }
    return start
  }

  /// `A–B loop: 0:05 – 0:12`.
  package func notice(_ words: Words = .english) -> String {
    func text(_ time: MediaTime) -> String { ClockText.text(time, hours: time.seconds >= 3600) }
    guard let start else { return words.named(.abLoop, words[.off]) }
    return words.named(.abLoop, end.map { "\(text(start)) – \(text($0))" } ?? words[.loopFrom(text(start))])
  }
}
