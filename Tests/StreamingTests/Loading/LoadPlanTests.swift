import Adaptation
import Frames
import HTTP
import Media
import Support
import Testing

import Streaming

/// What a loader plans, and what came of each step, over whole sessions on a virtual clock. `BENCH360_REWRITE_GOLDEN=1` writes the files
/// anew.
@Suite(.tier(.test)) struct LoadPlanTests {
  private static func stream(_ form: VirtualStream.Form) throws -> VirtualStream {
    VirtualStream(
      try RungTable(name: "test", bitrates: [100_000, 400_000], durations: Array(repeating: 2, count: 8)), form)
  }

  private static func check(_ steps: [String], _ name: String) throws {
    let text = steps.map { $0 + "\n" }.joined()
    let golden = try TestFiles.golden("plan-\(name)", rewritingWith: text)
    let lines = golden.split(separator: "\n").map(String.init)
    let place =
      zip(steps, lines).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? min(steps.count, lines.count)
    #expect(
      steps == lines,
      "line \(place + 1): '\(place < steps.count ? steps[place] : "")', not '\(place < lines.count ? lines[place] : "")'"
    )
  }

  private static func onDemand(
    _ form: VirtualStream.Form, _ controller: String, name: String, over network: NetworkTrace? = nil,
    _ change: (VirtualTransport, inout StreamOptions) -> Void = { _, _ in }
  ) throws {
    let transport = VirtualTransport(try stream(form), over: try network ?? NetworkTrace.fast())
    var options = StreamOptions(controller: try #require(ControllerChoice(controller)))
    options.load = LoadPolicy(minimum: 6, maximum: 6)
    options.history.keepsSteps = true
    change(transport, &options)
    try check(try VirtualRun.of(transport, options, isDrained: false).steps, name)
  }

  /// The network becomes slower than the higher rung, which a download makes way for.
  @Test func adapts() throws {
    let periods = [
      NetworkTrace.Period(seconds: 5, bitsPerSecond: 2_000_000, roundTrip: 0.05),
      NetworkTrace.Period(seconds: 3600, bitsPerSecond: 150_000, roundTrip: 0.05),
    ]
    try Self.onDemand(.hls, "bola", name: "adapts", over: try NetworkTrace(name: "slower", periods: periods))
  }

  @Test func outlastsAnOutage() throws {
    try Self.onDemand(.dash, "fixed:1", name: "outage") { transport, _ in
      transport.fault = { row, _ in (6..<16).contains(row.started) ? .unreachable(.noConnection, seconds: 0.01) : nil }
    }
  }

  @Test func anotherRungStandsIn() throws {
    try Self.onDemand(.hls, "fixed:1", name: "substitute") { transport, _ in
      transport.fault = { row, _ in row.path == "1/3" ? .status(404, retryAfter: nil) : nil }
    }
  }

  @Test func followsAJump() throws {
    try Self.onDemand(.hlsRanges, "fixed:0", name: "jump") { transport, _ in
      transport.at(3) { _ = $0.seek(to: MediaTime(seconds: 11)) }
      transport.at(3.05) { _ = $0.seek(to: MediaTime(seconds: 1000)) }
    }
  }

  private static func live(
    _ form: VirtualStream.Form, name: String, parts: Double? = nil, _ change: (VirtualTransport) -> Void = { _ in }
  ) throws {
    let transport = try VirtualLive.transport(over: try NetworkTrace.fast(), form, parts: parts)
    change(transport)
    try check(try LiveRun.of(transport, until: 12) { $0.history.keepsSteps = true }.steps, name)
  }

  @Test(arguments: [(VirtualStream.Form.hls, "live-hls"), (.dash, "live-dash")])
  func followsALiveStream(form: VirtualStream.Form, name: String) throws { try Self.live(form, name: name) }

  @Test func followsPartsOfSegments() throws { try Self.live(.hls, name: "live-parts", parts: 0.5) }

  /// A segment that never comes is left out; the playlist is out of reach for a while.
  @Test func goesOnBehindAMissingSegment() throws {
    try Self.live(.hls, name: "live-missing") { transport in
      transport.fault = { row, _ in
        if row.path.hasSuffix("00058.m4s") || row.path.hasSuffix("00072.m4s") { return .status(404, retryAfter: nil) }
        return row.path.contains(".m3u8") && (8..<10).contains(row.started) ? .unreachable(.lost, seconds: 0.01) : nil
      }
    }
  }
}
