import Adaptation
import Foundation
import Frames
import Origin
import Support
import Testing

import Streaming

/// What servers are told with each request, by CTA-5004.
@Suite(.tier(.test)) struct CMCDTests {
  private static func report(_ mode: CMCDOptions.Mode) -> CMCDReport {
    var report = CMCDReport(mode)
    report[.tb] = .integer(6000)
    report[.br] = .integer(3200)
    report[.ot] = .token("v")
    report[.bs] = .isTrue
    report[.sid] = .text("6e2fb550-c457-11e9-bb97-0800200c9a66")
    report[.cid] = .text("a \"b\" \\ ü")
    report[.nor] = .text("..%2F300kbps%2Ftrack.m4v")
    report[.su] = .isTrue
    return report
  }

  /// The order of keys, quotes around strings alone, and true as a bare key.
  @Test func textIsThatOfTheSpecification() {
    let fields = Self.report(.headers).fields.map { "\($0.name): \($0.value)" }
    #expect(
      fields == [
        "CMCD-Object: br=3200,ot=v,tb=6000", "CMCD-Request: nor=\"..%2F300kbps%2Ftrack.m4v\",su",
        "CMCD-Session: cid=\"a \\\"b\\\" \\\\ %C3%BC\",sid=\"6e2fb550-c457-11e9-bb97-0800200c9a66\"",
        "CMCD-Status: bs",
      ])
    #expect(Self.report(.headers).address("http://a/b?c") == "http://a/b?c" && Self.report(.query).fields.isEmpty)
    let query =
      "CMCD=br%3D3200%2Cbs%2Ccid%3D%22a%20%5C%22b%5C%22%20%5C%5C%20%25C3%25BC%22%2C"
      + "nor%3D%22..%252F300kbps%252Ftrack.m4v%22%2Cot%3Dv%2Csid%3D%226e2fb550-c457-11e9-bb97-0800200c9a66%22%2Csu%2Ctb%3D6000"
    #expect(Self.report(.query).address("http://a/b") == "http://a/b?" + query)
    #expect(Self.report(.query).address("http://a/b?c=1") == "http://a/b?c=1&" + query)
  }

  @Test func theSessionIsAUUIDAndFollowsTheSeed() {
    func session(_ seed: UInt64) -> String {
      var generator = SeededGenerator(seed: seed)
      return CMCDOptions(.headers, using: &generator).session
    }
    #expect(session(1) == session(1) && session(1) != session(2))
    #expect(CMCDOptions(.query).session != CMCDOptions(.query).session)
    for seed in 0..<200 {
      let text = session(UInt64(seed))
      #expect(UUID(uuidString: text) != nil && text.wholeMatch(of: /.{14}4.{4}[89ab].{16}/) != nil, "\(text)")
    }
  }

  private static func hundreds(_ value: Double) -> String { "\(Int((value / 100).rounded()) * 100)" }

  /// Every request of a ladder is in the origin's log with its keys, as the manifest, the buffer and the order of segments have them.
  @Test(arguments: CMCDOptions.Mode.allCases) func theOriginReadsTheKeysOfEveryRequest(mode: CMCDOptions.Mode) throws {
    let ladder = try SharedLadders.flat()
    let main = String(decoding: try ladder.bytes("hls-fmp4/main.m3u8"), as: UTF8.self)
    let peaks = main.matches(of: /STREAM-INF:BANDWIDTH=(\d+),AVERAGE/).compactMap { Double($0.1) }.sorted()
    let count = try #require(ladder.index.rungs.first?.renditions.first?.segments.count)
    let origin = try Origin.start(ladder.folder, options: OriginOptions())
    var options = StreamOptions(controller: try #require(ControllerChoice("fixed:1")))
    options.cmcd = CMCDOptions(mode)
    let url = origin.url + "hls-fmp4/main.m3u8"
    let played = try StreamStage.play(url, options)
    try origin.stop()
    let requests = played.history.requests.sorted { $0.times.queued < $1.times.queued }
    #expect(requests.count == origin.log.count && requests.count { $0.kind == .segment } == count)
    for (index, (request, row)) in zip(requests, origin.log).enumerated() {
      #expect(request.url.hasSuffix(row.path) && row.end == .complete)
      var expected = ["cid": String(url.suffix(64)), "sid": try #require(options.cmcd?.session)]
      expected["ot"] = [.manifest: "m", .playlist: "m", .initialization: "i", .segment: "v"][request.kind]
      if index > 0 { (expected["sf"], expected["st"]) = ("h", "v") }
      var found = try #require(row.cmcd, "\(row.path)")
      let isUrgent = found.removeValue(forKey: "su")
      if request.bufferBefore == 0 { #expect(isUrgent == "true", "\(row.path)") }
      if request.kind == .segment {
        let segment = try #require(request.segment)
        let rate = found.removeValue(forKey: "mtp").flatMap { Int($0) }
        #expect((rate == nil) == (segment == 0) && (rate ?? 0) % 100 == 0, "\(row.path)")
        expected["br"] = "\(Int((peaks[1] / 1000).rounded()))"
        (expected["tb"], expected["rtp"]) = (expected["br"], Self.hundreds(peaks[1] / 1000 * 5))
        expected["bl"] = Self.hundreds(request.bufferBefore * 1000)
        (expected["dl"], expected["d"]) = (expected["bl"], segment == count - 1 ? "500" : "1000")
        if segment < count - 1 { expected["nor"] = "0000\(segment + 1).m4s" }
      }
      #expect(found == expected, "\(row.path)")
    }
  }

  private static func run(_ form: VirtualStream.Form, seed: UInt64) throws -> (VirtualTransport, VirtualRun) {
    let table = try RungTable(
      name: "test", bitrates: [20_123, 40_567, 90_987], durations: Array(repeating: 2.0004, count: 12))
    let network = try NetworkTrace(name: "x", periods: [.init(seconds: 1, bitsPerSecond: 70_000, roundTrip: 0.05)])
    let transport = VirtualTransport(VirtualStream(table, form), over: network)
    transport.at(9) { $0.noteStall() }
    var generator = SeededGenerator(seed: seed)
    var options = StreamOptions(controller: try #require(ControllerChoice("bola")))
    options.load.peakBitrate = 50_000
    options.cmcd = CMCDOptions(.headers, using: &generator)
    return (transport, try VirtualRun.of(transport, options, isDrained: false))
  }

  /// On the virtual clock the same seed tells the same. Parts of one file are named by their bytes; a stall is told once; no rung above
  /// the peak bit rate counts.
  @Test func keysOfAVirtualStreamAreThoseOfItsRequests() throws {
    let (transport, run) = try Self.run(.hlsRanges, seed: 3)
    #expect(try Self.run(.hlsRanges, seed: 3).0.reports == transport.reports)
    #expect(try Self.run(.hlsRanges, seed: 4).0.reports != transport.reports)
    #expect(run.hasEnded && transport.reports.count == run.history.requests.count)
    let segments = zip(run.history.requests, transport.reports).filter { $0.0.kind == .segment }
    #expect(segments.count { $0.1?[.bs] == .isTrue } == 1)
    for (request, report) in segments {
      let (rung, segment) = (try #require(request.rung), try #require(request.segment))
      let next = segment < 11 ? transport.stream.place(of: segment + 1, rung: rung).range : nil
      #expect(report?[.nor] == nil)
      #expect(report?[.nrr] == next.map { .text("\($0.lowerBound)-\($0.upperBound - 1)") })
      #expect(report?[.br] == .integer([20, 41][rung]) && report?[.tb] == .integer(41))
      #expect(report?[.rtp] == .integer([100, 200][rung]) && report?[.d] == .integer(2000))
      #expect(report?[.mtp] == (segment == 0 ? nil : .integer(100)))
    }
  }

  /// From one folder to the next, and where the file has moved to another server or has a query.
  @Test func theNextObjectIsNamedFromTheOneAskedFor() throws {
    let (transport, run) = try Self.run(.dash, seed: 1)
    for (request, report) in zip(run.history.requests, transport.reports) where request.kind == .segment {
      let next = try #require(request.segment) + 1
      #expect(report?[.nor] == (next < 12 ? .text("\(next)") : nil) && report?[.nrr] == nil)
    }
  }
}
