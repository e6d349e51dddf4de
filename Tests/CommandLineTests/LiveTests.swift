import Foundation
import Support
import Testing

extension StreamCommandTests {
  /// `serve --live`, and `run --scenario stream` of what it serves: the wall clock in the picture is the proof.
  @Suite(.tier(.test)) struct LiveTests {
    private static let base = ["--scenario", "stream", "--trials", "1", "--size", "160x90"]

    private static func stream(_ record: RecordText) throws -> [String: Any] {
      try #require(record.trials.first?["stream"] as? [String: Any])
    }

    /// Serves the ladder of 4.5 s live while `body` runs.
    private static func serving(
      _ options: [String] = [], _ body: (_ url: String, _ folder: String) throws -> Void
    ) throws {
      let ladder = try SharedLadders.flat()
      try TestFolders.withTemporary { folder in
        let serving = try RunningProgram(
          ["serve", ladder.folder, "--live", "--log", "log.jsonl"] + options, in: folder)
        let url = try CommandTests.ServeTests.url(in: folder)
        try body(url, folder)
        serving.interrupt()
        let result = try serving.wait()
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
      }
    }

    /// Both witnesses agree on each picture: its number, and the stream's time of day.
    private static func check(_ record: RecordText, seconds: Double, _ name: String) {
      #expect(record.counter("wrong_frame") == 0 && record.counter("wrong_rung") == 0, "\(name)")
      let (coded, dated) = (record.samples("live_latency_ms"), record.samples("live_date_latency_ms"))
      // One in a tenth of a second, in which at most six refreshes show pictures.
      let shown = record.counter("presented") ?? 0
      #expect(
        shown > 2 && coded.count == dated.count && 7 * coded.count >= shown,
        "\(name): \(coded.count) and \(dated.count) of \(shown)")
      #expect(zip(coded, dated).allSatisfy { abs($0 - $1) < 1 }, "\(name): \(coded), \(dated)")
      // Never early; how late depends on the machine.
      #expect(coded.allSatisfy { $0 > seconds * 1000 - 100 }, "\(name): \(coded)")
    }

    private static let manifests = ["hls-fmp4/main.m3u8", "hls-ts/main.m3u8", "manifest.mpd"]

    @Test func theLatencyThatIsAskedForIsKept() throws { try Self.keepLatency("hls-ts/main.m3u8") }

    @Test(.tier(.full), arguments: manifests)
    func theLatencyIsKeptInEachPackaging(path: String) throws { try Self.keepLatency(path) }

    private static func keepLatency(_ path: String) throws {
      try Self.serving { url, folder in
        let result = try Program.run(
          ["run", url + path, "--live-latency", "2.5", "--duration", "4", "--audio", "null", "-o", "r.json"]
            + Self.base,
          in: folder)
        #expect(result.status == 0, "\(result.errors)")
        let record = try RecordText(file: folder + "/r.json")
        Self.check(record, seconds: 2.5, path)
        #expect(record.warningCodes.allSatisfy { $0 != "audio" }, "\(result.errors)")
        let offsets = record.samples("av_sync_ms").sorted()
        #expect(offsets.count > 20 && abs(offsets[offsets.count / 2]) < 60, "\(offsets)")
        let requests = try Self.stream(record)["requests"] as? [[String: Any]] ?? []
        let sound = requests.filter { $0["kind"] as? String == "segment" && $0["rung"] is NSNull }
        #expect(sound.count >= 4 && sound.allSatisfy { ($0["url"] as? String ?? "").contains("audio-en") })
        // Each request of the record is a line of the server's log.
        let log = try String(contentsOfFile: folder + "/log.jsonl", encoding: .utf8)
        for request in requests where request["outcome"] as? String == "finished" {
          let path = (request["url"] as? String).flatMap { URL(string: $0)?.path } ?? ""
          #expect(log.contains("\"path\":\"\(path)\""), "\(path)")
        }
      }
    }

    @Test func lowLatencyHasSound() throws { try Self.playInParts("hls-fmp4/main.m3u8") }

    @Test(.tier(.full)) func lowLatencyInChunksHasSound() throws { try Self.playInParts("manifest.mpd") }

    private static func playInParts(_ path: String) throws {
      try Self.serving(["--live-parts", "0.25"]) { url, folder in
        let result = try Program.run(
          ["run", url + path, "--duration", "4", "--audio", "null", "-o", "r.json"] + Self.base, in: folder)
        #expect(result.status == 0, "\(result.errors)")
        let record = try RecordText(file: folder + "/r.json")
        Self.check(record, seconds: 0.6, path)
        #expect(record.samples("av_sync_ms").count > 20 && record.warningCodes.allSatisfy { $0 != "audio" })
      }
    }

    @Test func aDateLandsOnItsFrame() throws { try Self.playFromADate("hls-fmp4/main.m3u8") }

    @Test(.tier(.full), arguments: manifests)
    func aDateLandsOnItsFrameInEachPackaging(path: String) throws { try Self.playFromADate(path) }

    /// Playing begins with the picture of that moment: its position in the record is its time of day.
    private static func playFromADate(_ path: String) throws {
      try Self.serving { url, folder in
        let manifest = try CommandOutput.of("curl", ["-sSf", url + "manifest.mpd"]).text
        let match = try #require(manifest.firstMatch(of: /availabilityStartTime="([^"]+)"/))
        let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let zero = try format.parse(String(match.output.1))
        // In the middle of a frame of 30 a second, some seconds ago.
        let frame = ((Date().timeIntervalSince(zero) - 8) * 30).rounded()
        let date = zero.addingTimeInterval((frame + 0.5) / 30)
        let result = try Program.run(
          ["run", url + path, "--start-time", format.format(date), "--duration", "2", "-o", "r.json"] + Self.base,
          in: folder)
        #expect(result.status == 0, "\(result.errors)")
        let record = try RecordText(file: folder + "/r.json")
        Self.check(record, seconds: 7, path)
        let shown = try #require(try Self.stream(record)["shown"] as? [[String: Any]])
        let position = try #require(shown.first?["position"] as? Double)
        #expect(abs(position - frame / 30) < 0.001, "\(position * 30), not \(frame)")
      }
    }

    @Test func theOriginsLogAgrees() throws { try Self.compareLogs("dash") }

    @Test(.tier(.full), arguments: ["hls-fmp4", "hls-ts", "dash"])
    func theOriginsLogAgreesInEachPackaging(packaging: String) throws { try Self.compareLogs(packaging) }

    /// An origin of the run's own: its log and the record have the same requests, to the byte, with sound.
    private static func compareLogs(_ packaging: String) throws {
      let ladder = try SharedLadders.flat()
      try TestFolders.withTemporary { folder in
        let result = try Program.run(
          ["run", ladder.folder, "--live", "--packaging", packaging, "--rate", "8", "--rtt", "10", "--audio", "null"]
            + ["--live-latency", "3", "--duration", "2", "-o", "r.json"] + Self.base, in: folder)
        #expect(result.status == 0, "\(result.errors)")
        let record = try RecordText(file: folder + "/r.json")
        Self.check(record, seconds: 3, packaging)
        #expect(!record.warningCodes.contains("origin_disagrees"), "\(result.errors)")
      }
    }

    @Test func aServerThatStartsAgainIsFollowed() throws { try Self.restart("hls-fmp4/main.m3u8") }

    @Test(.tier(.full), arguments: manifests)
    func aServerThatStartsAgainIsFollowedInEachPackaging(path: String) throws { try Self.restart(path) }

    /// The server is killed and started again: its pictures, numbers and time stamps begin anew. Sound and pictures go on, and those of each
    /// run are the right ones.
    private static func restart(_ path: String) throws {
      let ladder = try SharedLadders.flat()
      try TestFolders.withTemporary { site in
        for name in ["1", "2", "run"] {
          try FileManager.default.createDirectory(atPath: site + "/" + name, withIntermediateDirectories: false)
        }
        func log(_ name: String) -> String {
          (try? String(contentsOfFile: "\(site)/\(name)/log.jsonl", encoding: .utf8)) ?? ""
        }
        func segments(_ name: String) -> Int {
          log(name).split(separator: "\n").count { $0.contains("/video-") && !$0.contains(".m3u8") }
        }
        let serve = ["serve", ladder.folder, "--live", "--log", "log.jsonl"]
        let first = try RunningProgram(serve, in: site + "/1")
        let url = try CommandTests.ServeTests.url(in: site + "/1")
        let port = try #require(URL(string: url)?.port)
        let running = try RunningProgram(
          ["run", url + path, "--live-latency", "2.5", "--duration", "14", "--audio", "null", "-o", "r.json"]
            + Self.base, in: site + "/run",
          environment: ["BENCH360_SESSION": "tests"])
        // Some seconds later: a run that begins within a second of the one before is not told apart.
        #expect(Patience.until { segments("1") >= 12 })
        first.kill()
        _ = try first.wait()
        let second = try RunningProgram(serve + ["--port", "\(port)"], in: site + "/2")
        let result = try running.wait()
        second.interrupt()
        _ = try second.wait()
        #expect(result.status == 0, "\(result.errors)")
        #expect(segments("2") >= 4, "\(log("2"))")
        let record = try RecordText(file: site + "/run/r.json")
        #expect(record.isComplete != false && record.counter("wrong_frame") == 0 && record.counter("wrong_rung") == 0)
        let restarts = try Self.stream(record)["restarts"] as? [[String: Any]]
        #expect(
          restarts?.count == 1 && (restarts?[0]["position"] as? Double ?? 0) > 0, "\(String(describing: restarts))")
        let offsets = record.samples("av_sync_ms").sorted()
        #expect(offsets.count > 20 && abs(offsets[offsets.count / 2]) < 60, "\(offsets)")
      }
    }

    @Test func whatCannotBeLiveIsRefused() throws {
      try Program.withClip { folder, clip in
        try Program.run(["serve", clip, "--live"], in: folder)
          .expectRefusal(saying: ["cannot serve 'clip.mp4' live", "only ladders are served live"])
        try Program.run(["run", "http://127.0.0.1:9/main.m3u8", "--live"] + Self.base, in: folder)
          .expectRefusal(status: 64, saying: ["live", "--live"])
      }
    }
  }
}
