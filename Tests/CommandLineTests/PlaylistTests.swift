import Foundation
import Support
import Testing

extension CommandLineTests {
  /// Playlists by the program: the scenario of their gaps, and playlists that are refused before a window opens.
  @Suite(.tier(.test)) struct PlaylistTests {
    /// A trial has three changes; each is measured, and every picture is of the right frame.
    @Test func gapsAreMeasured() throws {
      try Program.withClip { folder, clip in
        let began = ContinuousClock.now
        let result = try Program.run(
          Program.shortRun(clip, scenario: "playlist", seconds: 1) + ["--duration", "4", "-o", "record.json"],
          in: folder)
        let milliseconds = (ContinuousClock.now - began) / .milliseconds(1)
        #expect(result.status == 0, "\(result.errors)")
        let record = try RecordText(file: folder + "/record.json")
        let gaps = record.samples("gap_ms")
        // A picture is seen at a refresh, and its frame's time may be over a part of one later.
        #expect(gaps.count == 3 && gaps.allSatisfy { $0 > -100 } && gaps.reduce(0, +) < milliseconds, "\(gaps)")
        let trial = try #require((record.scenarios.first?["trials"] as? [[String: Any]])?.first)
        let counters = try #require(trial["counters"] as? [String: Any])
        #expect(counters["wrong_frame"] as? Int == 0 && (counters["presented"] as? Int ?? 0) > 3)
      }
    }

    @Test(arguments: [
      ("loop.m3u", "loop.m3u\n", "cannot read the playlist 'loop.m3u': it names itself"),
      ("bad.json", "[{}]", "cannot read the playlist 'bad.json': clip 1: it has no source"),
      ("empty.m3u", "#EXTM3U\n", "cannot read the playlist 'empty.m3u': it names no clip"),
    ])
    func brokenPlaylistsAreRefused(name: String, text: String, sentence: String) throws {
      try TestFolders.withTemporary { folder in
        try Data(text.utf8).write(to: URL(filePath: folder + "/" + name))
        let result = try Program.run(["view", name], in: folder)
        #expect(result.status == 1 && result.errors.contains(sentence), "\(result.errors)")
        #expect(result.errors.split(separator: "\n").count == 1)
      }
    }

    @Test func oppositeWishesAreRefused() throws {
      let result = try Program.run(["view", "a.mp4", "--loop", "--repeat", "all"], in: NSTemporaryDirectory())
      #expect(result.status == 64 && result.errors.contains("--loop and --repeat all exclude each other"))
    }
  }
}
