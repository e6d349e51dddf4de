import Bench360Player
import Decode
import Foundation
import Frames
import Media
import Overlay
import Support
import Testing

/// Which subtitles a clip gets and when they are drawn, from files to pieces of ink.
struct SubtitlesTests {
  private static let size = PictureSize(width: 640, height: 360)
  private static let one = (first: TargetRegion(size: size), second: TargetRegion?.none)

  private static func srt(_ color: String) -> String {
    """
    1
    00:00:01,000 --> 00:00:02,000
    <font color="\(color)">Hxg</font>

    2
    00:00:03,000 --> 00:00:04,000
    <font color="\(color)">later</font>


    """
  }

  /// A clip's folder, with English in red and German in green.
  private func withClip(_ body: (String) throws -> Void) throws {
    try TestFolders.withTemporary { folder in
      for (name, text) in [
        ("clip.mp4", ""), ("clip.en.srt", Self.srt("#ff0000")), ("clip.de.srt", Self.srt("#00ff00")),
      ] {
        try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
      }
      try body(folder)
    }
  }

  private func canvas(_ subtitles: Subtitles, _ seconds: Double) -> Canvas {
    var canvas = Canvas()
    subtitles.draw(on: &canvas, at: MediaTime(seconds: seconds), in: Self.one)
    return canvas
  }

  private func colors(_ canvas: Canvas) -> [Canvas.Color] {
    canvas.items.compactMap { if case .coverage(_, _, let color) = $0 { color } else { nil } }
  }

  private func read(_ subtitles: Subtitles) -> String? {
    subtitles.waitUntilRead()
    return subtitles.advance()?.description
  }

  @Test func localeSelectsTrackAndKeyCycles() throws {
    try withClip { folder in
      let subtitles = Subtitles(wish: .auto, locale: Language("en_US.UTF-8"))
      #expect(subtitles.open(folder + "/clip.mp4", streams: []) == nil)
      #expect(subtitles.tracks.map(\.name) == ["German (clip.de.srt)", "English (clip.en.srt)"])
      #expect(subtitles.chosen == 1 && subtitles.description == "Subtitles: English (clip.en.srt)")
      #expect(read(subtitles) == nil)
      #expect(colors(canvas(subtitles, 1.5)).contains(Canvas.Color(1, 0, 0)))
      #expect(subtitles.chooseNext().description == "Subtitles: Off" && subtitles.chosen == nil)
      #expect(canvas(subtitles, 1.5).items.isEmpty)
      #expect(subtitles.chooseNext().description == "Subtitles: German (clip.de.srt)")
      #expect(read(subtitles) == nil && colors(canvas(subtitles, 1.5)).contains(Canvas.Color(0, 1, 0)))
      #expect(subtitles.chooseNext().description == "Subtitles: English (clip.en.srt)")
      // The next clip gets the last choice.
      _ = subtitles.choose(0)
      #expect(subtitles.open(folder + "/clip.mp4", streams: []) == nil && subtitles.chosen == 0)
      _ = subtitles.choose(nil)
      #expect(subtitles.open(folder + "/clip.mp4", streams: []) == nil && subtitles.chosen == nil)
    }
  }

  /// A file that was named stays a track: switched off, with another track chosen, and with the next clip.
  @Test func aNamedFileStays() throws {
    try withClip { folder in
      let named = folder + "/named.srt"
      try Data(Self.srt("#0000ff").utf8).write(to: URL(filePath: named))
      let subtitles = Subtitles(wish: .file(named), locale: nil)
      func open() { _ = subtitles.open(folder + "/clip.mp4", streams: []) }
      open()
      #expect(subtitles.tracks.count == 3 && subtitles.tracks[0].file == named && subtitles.chosen == 0)
      _ = subtitles.choose(nil)
      open()
      #expect(subtitles.tracks.count == 3 && subtitles.chosen == nil, "off stays off, and the file is still to be had")
      _ = subtitles.chooseNext()
      #expect(subtitles.chosen == 0)
      open()
      #expect(subtitles.chosen == 0, "on again, it goes on with the next clip")
      _ = subtitles.choose(2)
      open()
      #expect(subtitles.tracks[0].file == named && subtitles.chosen == 2)
    }
  }

  @Test func subtitlesChangeAtTheirStartAndEnd() throws {
    try withClip { folder in
      let subtitles = Subtitles(wish: .auto, locale: Language("en"))
      _ = subtitles.open(folder + "/clip.mp4", streams: [])
      func hasChanged(_ seconds: Double) -> Bool {
        subtitles.hasChanged(at: MediaTime(seconds: seconds), in: Self.size)
      }
      #expect(!hasChanged(1.5), "nothing is read yet")
      _ = canvas(subtitles, 1.5)
      _ = read(subtitles)
      #expect(hasChanged(1.5), "lines are drawn once read, also while paused")
      var changes: [Int] = []
      _ = canvas(subtitles, 0)
      for tick in 0..<500 where hasChanged(Double(tick) / 100) {
        changes.append(tick)
        _ = canvas(subtitles, Double(tick) / 100)
      }
      #expect(changes == [100, 200, 300, 400])
      // Backwards, as after a seek back.
      #expect(hasChanged(1) && hasChanged(1.999) && !hasChanged(0.999) && !hasChanged(2))
      // Another size is another picture.
      _ = canvas(subtitles, 1)
      #expect(!hasChanged(1))
      #expect(subtitles.hasChanged(at: MediaTime(seconds: 1), in: PictureSize(width: 320, height: 180)))
      subtitles.bottom = 50
      #expect(hasChanged(1))
    }
  }

  @Test func delayMovesSubtitles() throws {
    try withClip { folder in
      let subtitles = Subtitles(wish: .auto, locale: Language("en"))
      _ = subtitles.open(folder + "/clip.mp4", streams: [])
      _ = read(subtitles)
      for (delay, shown, hidden) in [(0.0, 1.5, 2.5), (1, 2.5, 1.5), (-1, 0.5, 1.5)] {
        subtitles.apply(delay: MediaTime(seconds: Double(delay)), size: 1)
        #expect(!canvas(subtitles, shown).items.isEmpty && canvas(subtitles, hidden).items.isEmpty, "\(delay) s")
      }
    }
  }

  @Test func sizeScalesSubtitles() throws {
    try withClip { folder in
      let subtitles = Subtitles(wish: .auto, locale: Language("en"))
      _ = subtitles.open(folder + "/clip.mp4", streams: [])
      _ = read(subtitles)
      // The letters themselves, which their outline and shadow are larger than: those do not grow.
      func height() -> Int {
        canvas(subtitles, 1.5).items.map { if case .coverage(let ink, _, _) = $0 { ink.height } else { 0 } }.min() ?? 0
      }
      let usual = height()
      subtitles.apply(delay: .zero, size: 2)
      #expect(usual > 0 && subtitles.hasChanged(at: MediaTime(seconds: 1.5), in: Self.size))
      let ratio = Double(height()) / Double(usual)
      #expect((1.7...2.3).contains(ratio), "\(ratio)")
    }
  }

  @Test func eachEyeShowsSubtitles() throws {
    try withClip { folder in
      let subtitles = Subtitles(wish: .auto, locale: Language("en"))
      _ = subtitles.open(folder + "/clip.mp4", streams: [])
      _ = read(subtitles)
      var canvas = Canvas()
      let half = PictureSize(width: 320, height: 360)
      subtitles.draw(
        on: &canvas, at: MediaTime(seconds: 1), in: (TargetRegion(size: half), TargetRegion(left: 320, size: half)))
      let places = canvas.items.compactMap { if case .coverage(let ink, let at, _) = $0 { (ink, at) } else { nil } }
      let count = places.count / 2
      try #require(count > 0 && places.count == 2 * count)
      for (one, other) in zip(places[..<count], places[count...]) {
        #expect(one.0 == other.0 && other.1 == Canvas.Point(one.1.x + 320, one.1.y))
        #expect(one.1.x >= 0 && one.1.x + Double(one.0.width) <= 320, "inside the eye's view")
      }
    }
  }

  @Test func refusedTracksAreReported() throws {
    try withClip { folder in
      let clip = folder + "/clip.mp4"
      let french = Subtitles(wish: .language(try #require(Language("fr"))), locale: Language("en"))
      #expect(
        french.open(clip, streams: [])?.description.hasSuffix("has no subtitles in French") == true
          && french.chosen == nil)
      let bitmap = SubtitleTrack(
        streamIndex: 2, codec: "dvd_subtitle", language: Language("fr"), refusal: "it holds pictures")
      let said = french.open(clip, streams: [bitmap])
      #expect(said?.description == "cannot show subtitles French (stream 2): it holds pictures" && french.chosen == nil)
      #expect(french.choose(2) == said && french.chosen == nil)
      let named = Subtitles(wish: .file(folder + "/missing.srt"), locale: nil)
      #expect(named.open(clip, streams: []) == nil && named.chosen == 0 && named.tracks.count == 3)
      #expect(read(named)?.contains("missing.srt") == true && named.chosen == nil)
      #expect(named.advance() == nil, "reported once")
      let nothing = Subtitles(wish: .auto, locale: nil)
      _ = nothing.open(folder + "/other.mp4", streams: [])
      #expect(nothing.chooseNext().description == "No subtitles" && nothing.tracks.isEmpty)
      try Data([0x31, 0x0A] + Array("00:00:01,000 --> 00:00:02,000\n".utf8) + [0xE9, 0x0A]).write(
        to: URL(filePath: folder + "/other.srt"))
      _ = nothing.open(folder + "/other.mp4", streams: [])
      #expect(nothing.chosen == 0, "a file with the clip's own name is a default")
      #expect(read(nothing)?.contains("Windows-1252") == true && nothing.advance() == nil)
    }
  }
}
