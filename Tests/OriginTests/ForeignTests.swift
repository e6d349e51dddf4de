import Foundation
import Frames
import Origin
import Support
import Testing

/// Programs that are not ours, as clients of the origin and as another origin.
@Suite(.tier(.test)) struct ForeignTests {
  private static let isStrict = ProcessInfo.processInfo.environment["CI"] == "true"
  private static let hasCurl = isStrict || (try? CommandOutput.of("curl", ["--version"]).status) == 0
  private static let hasFFmpeg = isStrict || (try? CommandOutput.of("ffmpeg", ["-version"]).status) == 0

  private static func curl(_ arguments: [String]) throws -> CommandOutput {
    try CommandOutput.of("curl", ["-sS", "--max-time", "60"] + arguments)
  }

  @Test(.enabled("curl is not installed") { hasCurl })
  func curlGetsWholeFilesAndParts() throws {
    var generator = SeededGenerator(for: "curlGetsWholeFilesAndParts")
    let bytes = OriginStage.random(3_000_000, &generator)
    try OriginStage.with(["a b.mp4": bytes]) { stage in
      let url = stage.origin.url + "a%20b.mp4"
      #expect(try Self.curl([url]).output == Data(bytes))
      #expect(try Self.curl(["-r", "1000-1999", url]).output == Data(bytes[1000..<2000]))
      #expect(try Self.curl(["--http1.0", "-r", "-5", url]).output == Data(bytes.suffix(5)))
      let head = try Self.curl(["-I", url]).text
      #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n") && head.contains("Content-Length: 3000000"))
      // One connection for several requests, as curl tells.
      let reused = try Self.curl(["-o", "/dev/null", "-o", "/dev/null", "-w", "%{num_connects} ", url, url])
      #expect(reused.text == "1 0 ")
    }
  }

  /// curl's status tells which fault it met.
  @Test(.enabled("curl is not installed") { hasCurl })
  func curlMeetsTheFaults() throws {
    let rules: [(any Fault, Int32)] = [
      (StatusFault(404), 22), (ResetFault(after: 100), 56), (ResetFault(after: nil), 56),
      (TruncatedFault(after: 100), 18), (WrongLengthFault(by: 10), 28), (StallFault(after: 100, seconds: nil), 28),
      (SlowHeadersFault(seconds: 60), 28), (WrongTypeFault("text/html"), 0), (ClockSkewFault(seconds: 9), 0),
      (StalePlaylistFault(), 0),
    ]
    for (fault, status) in rules {
      var options = OriginOptions()
      options.faults = [FaultRule(fault)]
      try OriginStage.with(["a.mp4": [UInt8](repeating: 1, count: 10_000)], options: options) { stage in
        let limit = status == 28 ? "1" : "60"
        let result = try CommandOutput.of(
          "curl", ["-sS", "-f", "-o", "/dev/null", "--max-time", limit, stage.origin.url + "a.mp4"])
        #expect(result.status == status, "\(type(of: fault).kind): \(result.errors)")
      }
    }
  }

  @Test(.enabled("ffmpeg is not installed") { hasFFmpeg })
  func ffprobeReadsAPresentation() throws {
    try OriginStage.with { stage in
      let made = try CommandOutput.of(
        "ffmpeg",
        [
          "-v", "error", "-nostdin", "-f", "lavfi", "-i", "testsrc=size=160x90:rate=25:duration=4", "-c:v",
          "mpeg2video",
          "-g", "25", "-f", "hls", "-hls_time", "1", "-hls_list_size", "0", "index.m3u8",
        ], folder: stage.folder)
      try #require(made.status == 0, "\(made.errors)")
      let url = stage.origin.url + "index.m3u8"
      let probe = try CommandOutput.of(
        "ffprobe",
        ["-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames", "-of", "csv=p=0", url])
      #expect(
        probe.text.split(whereSeparator: \.isWhitespace).contains { $0.hasPrefix("100") },
        "\(probe.text)\(probe.errors)")
      let rows = stage.origin.log
      #expect(Set(rows.map(\.path)).isSuperset(of: ["/index.m3u8", "/index0.ts", "/index3.ts"]))
      #expect(rows.filter { $0.end == .complete }.allSatisfy { [200, 206].contains($0.status) })
    }
  }

  @Test(.enabled("nginx is not installed") { ForeignOrigin.Server.nginx.isAvailable })
  func nginxAnswersAlike() throws {
    try Self.compare(.nginx, Self.requests + [("/d/", "GET", [:])])
  }

  @Test(.enabled("Caddy is not installed") { ForeignOrigin.Server.caddy.isAvailable })
  func caddyAnswersAlike() throws {
    // A folder without an index is forbidden here, and unknown there.
    try Self.compare(.caddy, Self.requests)
  }

  private typealias Asked = (path: String, method: String, fields: [String: String])

  /// Requests that both must understand alike.
  private static let requests: [Asked] = [
    ("/a.m4s", "GET", [:]), ("/a.m4s", "HEAD", [:]), ("/d/b.m3u8", "GET", [:]), ("/none", "GET", [:]),
    ("/a%2em4s", "GET", [:]), ("/a.m4s", "GET", ["Range": "bytes=0-0"]),
    ("/a.m4s", "GET", ["Range": "bytes=99999-"]), ("/a.m4s", "GET", ["Range": "bytes=-10"]),
    ("/a.m4s", "GET", ["Range": "bytes=100000-"]), ("/a.m4s", "GET", ["Range": "bytes=50000-999999"]),
    ("/a.m4s", "GET", ["If-None-Match": "*"]), ("/a.m4s", "GET", ["Range": "bytes=0-5", "If-Range": "\"no\""]),
  ]

  /// The other origin answers as ours does.
  private static func compare(_ server: ForeignOrigin.Server, _ requests: [Asked]) throws {
    var generator = SeededGenerator(for: "\(server) answers alike")
    try OriginStage.with(["a.m4s": OriginStage.random(100_000, &generator), "d/b.m3u8": Array("#EXTM3U\n".utf8)]) {
      stage in
      let foreign = try ForeignOrigin(server, serving: stage.folder)
      let (ours, theirs) = (try stage.connect(), try Connection(port: Int(foreign.port)))
      for (path, method, fields) in requests {
        let (mine, other) = (try ours.get(path, method: method, fields), try theirs.get(path, method: method, fields))
        #expect(mine.status == other.status, "\(method) \(path) \(fields)")
        guard mine.status < 400 else { continue }
        #expect(mine.body == other.body, "\(path) \(fields)")
        for name in ["content-length", "content-type", "content-range", "last-modified"] where mine.status != 304 {
          #expect(mine.fields[name] == other.fields[name], "\(name) of \(path) \(fields)")
        }
      }
    }
  }
}
