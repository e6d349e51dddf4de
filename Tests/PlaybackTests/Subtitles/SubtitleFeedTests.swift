import Decode
import Foundation
import Frames
import Media
import Playback
import Support
import Testing

@Suite struct SubtitleFeedTests {
  private func withFile<Result>(_ text: String, _ body: (SubtitleTrack) throws -> Result) throws -> Result {
    try TestFolders.withTemporary { folder in
      let path = folder + "/a.en.srt"
      try Data(text.utf8).write(to: URL(filePath: path))
      return try body(SideSubtitles.track(named: path))
    }
  }

  @Test func allIsReadInTheEnd() throws {
    let text = (0..<1000).map { "\($0)\n00:00:\($0 / 100 + 10),\($0 % 100 + 100) --> 00:01:00,000\nline \($0)\n\n" }
      .joined()
    try withFile(text) { track in
      let feed = SubtitleFeed(track, of: nil)
      feed.waitUntilComplete()
      let state = feed.state
      #expect(state.isComplete && state.failure == nil && state.events.count == 1000 && state.script != nil)
      #expect(feed.version > 2, "it is told in parts")
      #expect(state.events.visible(at: MediaTime(seconds: 10.1)).map(\.text) == ["line 0"])
    }
  }

  @Test func whatIsWrongIsOneSentence() throws {
    let missing = SubtitleFeed(SideSubtitles.track(named: "nowhere/x.srt"), of: nil)
    missing.waitUntilComplete()
    #expect(missing.state.failure?.attempt.contains("nowhere/x.srt") == true && missing.state.isComplete)
    try withFile("nothing in it") { track in
      let feed = SubtitleFeed(track, of: nil)
      feed.waitUntilComplete()
      #expect(feed.state.failure?.cause == "there are none in it")
      #expect(feed.state.failure?.attempt.contains(track.file ?? "-") == true)
    }
  }

  /// A line of 1 MB, and a cue of 20,000 tags: both are longer than the limit of one event.
  @Test(arguments: [
    "[Script Info]\nScriptType: v4.00+\n\n[V4+ Styles]\nFormat: Name, Fontname, Fontsize\nStyle: Default,Arial,20\n\n[Events]\n"
      + "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
      + "Dialogue: 0,0:00:00.00,0:00:05.00,Default,,0,0,0,," + String(repeating: "x", count: 1_000_000) + "\n",
    "WEBVTT\n\n00:00:00.000 --> 00:00:05.000\n" + String(repeating: "<b>x</b>", count: 20_000) + "\n",
  ])
  func eventsThatAreTooLongAreNamed(text: String) throws {
    try withFile(text) { track in
      let feed = SubtitleFeed(track, of: nil)
      feed.waitUntilComplete()
      #expect(
        feed.state.failure?.cause == "each of them is longer than 64 KiB", "\(String(describing: feed.state.failure))")
    }
  }

  @Test func stoppingEndsIt() throws {
    try withFile("1\n00:00:01,000 --> 00:00:02,000\nx\n") { track in
      for _ in 0..<50 {
        let feed = SubtitleFeed(track, of: nil)
        feed.stop()
        feed.stop()
        #expect(feed.state.isComplete)
      }
    }
  }

  /// All that was read is copied each time: n events cost no more than a few times n, unless time goes by.
  @Test func whatIsReadIsToldSoonAndSeldom() {
    var publishing = SubtitlePublishing(at: MonotonicTime(nanoseconds: 0))
    var (told, copied) = (0, 0)
    for count in 1...100_000 where publishing.isDue(count, at: MonotonicTime(nanoseconds: 0)) {
      if told == 0 { #expect(count == 1) }
      told += 1
      copied += count
    }
    #expect(told < 100 && copied < 1_000_000, "\(told), \(copied)")
    let later = MonotonicTime(nanoseconds: 250_000_000)
    let due = [100_001, 100_001, 100_002].map { publishing.isDue($0, at: later) }
    #expect(due == [true, false, false])
  }
}
