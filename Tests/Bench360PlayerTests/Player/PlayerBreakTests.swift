import Bench360Player
import Foundation
import Frames
import Origin
import Support
import Testing

/// A stream with a break from 1 to 2 s, and another one from 3 to 4 s that forbids skipping.
@Suite(.tier(.test), .enabled(if: TestDevice.isAvailable, "no Vulkan device"))
struct PlayerBreakTests {
  private static func served() throws -> (origin: Origin, url: String) {
    let ladder = try SharedLadders.flat()
    let text = try String(contentsOfFile: ladder.path("hls-fmp4/video-0.m3u8"), encoding: .utf8)
    var lines: [String] = []
    var count = 0
    for line in text.split(separator: "\n").map(String.init) {
      if line.hasPrefix("#EXTINF") {
        if count == 0 {
          lines += [
            "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T12:00:00Z",
            "#EXT-X-DATERANGE:ID=\"strict\",CLASS=\"com.apple.hls.interstitial\",START-DATE=\"2026-01-01T12:00:03Z\",DURATION=1,X-RESTRICT=\"SKIP\"",
          ]
        }
        if count == 1 { lines.append("#EXT-X-CUE-OUT:1") }
        if count == 2 { lines.append("#EXT-X-CUE-IN") }
        count += 1
      }
      lines.append(line)
    }
    // The ladder is shared with other tests: it stays as it is.
    let folder = ladder.folder + "-\(UUID().uuidString)"
    try FileManager.default.copyItem(atPath: ladder.folder, toPath: folder)
    try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: folder + "/hls-fmp4/breaks.m3u8"))
    let origin = try Origin.start(folder)
    return (origin, origin.url + "hls-fmp4/breaks.m3u8")
  }

  @Test func aSeekOverABreakLeadsToItFirst() async throws {
    let (origin, url) = try Self.served()
    let player = try PlayerSupport.player(url)
    let ready = await player.state { $0.status == .ready && $0.breaks.count == 2 }
    #expect(ready.breaks.map { [$0.start.seconds, $0.end?.seconds ?? -1] } == [[1, 2], [3, 4]], "\(ready)")
    #expect(ready.breaks.map(\.allowsSkipping) == [true, false] && ready.breaks.map(\.allowsJumping) == [false, true])
    guard case .landed(let start) = await player.sought(to: MediaTime(seconds: 4.2)) else {
      return #expect(Bool(false), "\(player.state)")
    }
    #expect(abs(start.seconds - 1) < 0.05)
    player.play()
    let behind = await player.state { $0.position.seconds > 4.1 }
    #expect(behind.breaks.map(\.isWatched) == [true, false], "\(behind)")
    player.pause()
    guard case .landed(let free) = await player.sought(to: MediaTime(seconds: 2.5)) else {
      return #expect(Bool(false), "\(player.state)")
    }
    #expect(abs(free.seconds - 2.5) < 0.05)
    // Within a break that forbids it nothing is sought.
    _ = await player.sought(to: MediaTime(seconds: 3.5))
    let events = Task { [events = player.events] in
      for await event in events { if case .trouble(let failure) = event { return failure.description } }
      return ""
    }
    #expect(await player.sought(to: MediaTime(seconds: 0.2)) == .missed)
    #expect(await events.value.contains("the break that plays forbids it"))
    player.watchesBreaks = false
    guard case .landed(let last) = await player.sought(to: MediaTime(seconds: 0.2)) else {
      return #expect(Bool(false), "\(player.state)")
    }
    #expect(abs(last.seconds - 0.2) < 0.05)
    player.detach()
    try origin.stop()
  }
}
