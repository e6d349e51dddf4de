import Foundation
import Frames
import Support
import Testing
import Viewer

extension WindowTests {
  private static func clip(_ name: String, frames: Int) throws -> String {
    try SharedClips.synthetic(name) {
      ($0.scene.projection, $0.size, $0.frames) = (.flat, PictureSize(width: 160, height: 80), frames)
    }
  }

  /// Ads before, within and after a clip: servers are told, each picture of the clip is shown or counted as before, one that fails is left
  /// out with a message, and the next clip follows the last ad.
  @Test func aClipIsShownWithItsAds() throws {
    let server = try ScriptedServer { _, connection in connection.respond("200 OK", [], body: []) }
    let (ad, path) = (try Self.clip("ad.mp4", frames: 20), try Self.clip("with-ads.mp4", frames: 60))
    try TestFolders.withTemporary { folder in
      let schedule = AdText.vmap([
        ("start", [AdText.ad(ad, told: server.url("/first")), AdText.ad(ad, number: 2, told: server.url("/second"))]),
        ("50%", [AdText.ad("/nowhere/ad.mp4")]), ("end", [AdText.ad(ad, told: server.url("/last"))]),
      ])
      try Data(schedule.utf8).write(to: URL(filePath: folder + "/ads.xml"))
      let watched = WatchedViewer()
      let isShown = try watched.watch([path, ad]) { options in
        options.files.ads = folder + "/ads.xml"
      } until: { watched in
        watched.watched.count == 2
      }
      #expect(isShown && watched.watched == [path, ad])
      #expect(watched.presented[path] ?? 0 > 30 && watched.presented[path] ?? 99 <= 60, "\(watched.presented)")
      #expect(watched.messages.count == 1 && watched.messages[0].contains("/nowhere/ad.mp4"), "\(watched.messages)")
      let told = server.requests.map(\.path)
      #expect(
        told.filter { $0.hasSuffix("complete") } == ["/first/complete", "/second/complete", "/last/complete"], "\(told)"
      )
      #expect(!told.contains { $0.hasSuffix("pause") || $0.hasPrefix("/second/error") }, "\(told)")
      // The recent clips are those of the user.
      #expect(watched.recent.contains(path), "\(watched.recent)")
    }
  }

  /// An ad is left by its key, where its server allows that; keys that go to another place do nothing meanwhile.
  @Test func anAdIsSkippedByItsKey() throws {
    let server = try ScriptedServer { _, connection in connection.respond("200 OK", [], body: []) }
    let (ad, path) = (try Self.clip("long-ad.mp4", frames: 900), try Self.clip("with-ads.mp4", frames: 60))
    try TestFolders.withTemporary { folder in
      let schedule = AdText.vmap([("start", [AdText.ad(ad, skips: "00:00:00", told: server.url(""))])])
      try Data(schedule.utf8).write(to: URL(filePath: folder + "/ads.xml"))
      let watched = WatchedViewer()
      let display = try WindowTests.display.get()
      // Right, End, and E: codes of X, and whether shift is held.
      let keys = [(114, 0), (115, 0), (26, 1)]
      var sent = 0
      let isShown = try watched.watch([path]) { options in
        options.files.ads = folder + "/ads.xml"
      } until: { watched in
        if sent < keys.count, server.requests.contains(where: { $0.path == "/start" }) {
          let (code, shift) = keys[sent]
          sent += 1
          // GLFW drops a key that was pressed at the same time before.
          try? display.act("keydown \(code) \(sent * 1000) \(shift)", on: "with-ads.mp4 — bench360")
          try? display.act("keyup \(code) \(sent * 1000 + 50) \(shift)", on: "with-ads.mp4 — bench360")
        }
        return watched.presented[path] ?? 0 > 10
      }
      #expect(isShown && sent == keys.count, "the ad lasts half a minute")
      let told = server.requests.map(\.path)
      #expect(Patience.until { server.requests.contains { $0.path == "/skip" } }, "\(told)")
      #expect(!told.contains("/complete") && watched.states.contains("playing"))
    }
  }
}
