import Bench360Player
import Frames
import Overlay
import Streaming
import Testing
import Viewer

/// The page of the statistics that tells of a stream's network.
@Suite struct NetworkPageTests {
  static func facts(isLive: Bool = false) -> NetworkFacts {
    var facts = NetworkFacts()
    (facts.format, facts.server) = ("HLS", "media.test:8080")
    facts.rungs.titles = ["360p · 0.9 Mbit/s", "720p · 2.4 Mbit/s", "1080p · 5.0 Mbit/s"]
    facts.rungs.bitrates = [0.9e6, 2.4e6, 5e6]
    (facts.rungs.shown, facts.rungs.loading, facts.rungs.chooser) = (1, 2, "dynamic")
    (facts.buffer, facts.bufferLimit) = (12.34, 25)
    facts.statistics = StreamStatistics(
      requests: 124, failed: 3, retries: 2, bytes: 45_210_000,
      segments: [2e6, 4e6, 1e6, 6e6, 8e6].map { .init(rung: 1, bitsPerSecond: $0, latency: 0.0412) })
    (facts.stalls, facts.stallSeconds) = (1, 3.42)
    guard isLive else { return facts }
    var live = NetworkFacts.Live()
    (live.latency, live.target, live.edge, live.window, live.rate) = (3.21, 3, 1.44, 30, 1.025)
    facts.live = live
    facts.trouble = NetworkTrouble(.network, "connection refused")
    return facts
  }

  @Test func linesOfAStreamOnDemand() {
    #expect(
      Self.facts().lines() == [
        "HLS from media.test:8080",
        "rung 2 of 3 · 720p · 2.4 Mbit/s · chosen by dynamic · loading rung 3",
        "buffer 12.3 s of 25.0 s",
        // The harmonic mean: 5 ⁄ (1⁄2 + 1⁄4 + 1 + 1⁄6 + 1⁄8).
        "throughput 8.0 Mbit/s · mean of 5: 2.4 Mbit/s · first byte after 41.2 ms",
        "124 requests · 3 failed · 2 made again · 45.2 MB", "1 stall · 3.4 s",
      ])
  }

  @Test func linesOfALiveStream() {
    let lines = Self.facts(isLive: true).lines()
    #expect(lines.first == "HLS from media.test:8080 · live")
    #expect(
      lines.suffix(2) == [
        "latency 3.2 s, target 3.0 s · 1.4 s behind the edge · window 30 s · rate 1.025×",
        "trouble: connection refused",
      ])
  }

  @Test func linesBeforeAnythingIsKnown() {
    #expect(
      NetworkFacts().lines() == [
        " from ", "no rung yet · chosen by ", "buffer 0.0 s of 0.0 s", "throughput n/a",
        "0 requests · 0 failed · 0 made again · 0.0 MB", "0 stalls · 0.0 s",
      ])
  }

  private func at(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: Int64(seconds * 1e9)) }

  private func texts(_ hud: HUD) -> String {
    hud.canvas(HUDRoom(PictureSize(width: 1280, height: 720)), measure: ControlStage.measure).items
      .compactMap { if case .text(let text, _, _, _, _) = $0 { text } else { nil } }.joined(separator: "\n")
  }

  /// One key leads through the pages, and out.
  @Test func pagesFollowEachOther() {
    var hud = HUD()
    var facts = HUD.Facts()
    (facts.file, facts.network) = ("main.m3u8", Self.facts())
    func turn(_ hasNetwork: Bool, _ seconds: Double) -> String {
      hud.turnPage(hasNetwork: hasNetwork)
      _ = hud.advance(to: at(seconds), facts)
      return texts(hud)
    }
    #expect(turn(true, 1).contains("frames shown") && hud.page == .playback)
    let network = turn(true, 1.01)
    #expect(network.hasPrefix("main.m3u8\nHLS from media.test:8080") && network.contains("orange below the bit rate"))
    #expect(!network.contains("frames shown") && network.contains("2.4 Mbit/s"))
    #expect(turn(true, 1.02) == "" && !hud.showsStatistics)
    #expect(turn(false, 1.03).contains("frames shown"))
    #expect(turn(false, 1.04) == "", "a file has one page")
  }

  /// One bar a segment; those below the bit rate on screen have another colour, and the line is at that rate.
  @Test func barsAreThroughputs() throws {
    var hud = HUD()
    var facts = HUD.Facts()
    facts.network = Self.facts()
    hud.turnPage(hasNetwork: true)
    hud.turnPage(hasNetwork: true)
    _ = hud.advance(to: at(0), facts)
    let canvas = hud.canvas(HUDRoom(PictureSize(width: 1280, height: 720)), measure: ControlStage.measure)
    var bars: [Canvas.Color: [Canvas.Box]] = [:]
    for case .rectangle(let box, let color, let radius, _) in canvas.items where radius == 0 {
      bars[color, default: []].append(box)
    }
    let low = try #require(bars.values.first { $0.count == 2 })
    let high = try #require(bars.values.first { $0.count == 3 })
    // Twice the usual 4 Mbit/s is the graph's height.
    #expect(abs(high[1].height / high[0].height - 1.5) < 1e-9 && abs(high[2].height / low[0].height - 4) < 1e-9)
    #expect(low[0].left < high[0].left && high[0].left < low[1].left)
  }
}
