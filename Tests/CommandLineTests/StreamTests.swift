import Foundation
import Support
import Testing

extension StreamCommandTests {
  /// `run --scenario stream`: a ladder over a shaped link, judged by the origin's log and by the pictures.
  @Suite(.tier(.test)) struct StreamTests {
    private static let base = ["--scenario", "stream", "--trials", "1", "--size", "160x90"]

    private static func run(_ input: [String], in folder: String, _ options: [String]) throws -> CommandOutput {
      try Program.run(["run"] + input + base + options, in: folder)
    }

    private static func stream(_ file: String) throws -> (record: RecordText, stream: [String: Any]) {
      let record = try RecordText(file: file)
      let scenarios = try #require(record.values["scenarios"] as? [[String: Any]])
      let trials = try #require(scenarios.first?["trials"] as? [[String: Any]])
      return (record, try #require(trials.first?["stream"] as? [String: Any]))
    }

    private static func warnings(_ record: RecordText) -> [String] {
      (record.values["warnings"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
    }

    private static func requests(_ stream: [String: Any], _ outcome: String) -> [[String: Any]] {
      (stream["requests"] as? [[String: Any]] ?? []).filter { $0["outcome"] as? String == outcome }
    }

    /// Before the trial the stream is opened once, to describe it, which takes one segment at most: the warm-up plays that one.
    @Test(arguments: ["hls-ts/main.m3u8", "manifest.mpd"])
    func littleIsLoadedBeforeMeasuring(path: String) throws {
      let ladder = try SharedLadders.flat()
      try TestFolders.withTemporary { site in
        let serving = try RunningProgram(["serve", ladder.folder, "--log", "log.jsonl"], in: site)
        let url = try CommandTests.ServeTests.url(in: site) + path
        try TestFolders.withTemporary { folder in
          // With a warm-up, unlike the programs of other tests.
          let result = try RunningProgram(
            ["run", url] + Self.base + ["--duration", "1", "-o", "r.json"], in: folder,
            environment: ["BENCH360_LOG": "Run=debug"]
          ).wait()
          #expect(result.status == 0 && result.errors.contains("the warm-up plays"), "\(result.errors)")
          serving.interrupt()
          _ = try serving.wait()
          let rows = try String(contentsOfFile: site + "/log.jsonl", encoding: .utf8).split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
          }
          // In the order in which they ended.
          let manifests = rows.indices.filter { (rows[$0]["path"] as? String)?.hasSuffix(path) ?? false }
          try #require(manifests.count == 2, "to describe it and for the trial")
          let before = rows[..<manifests[1]]
          let names = before.compactMap { ($0["path"] as? String)?.split(separator: "/").last }
          #expect(names.count { $0.hasSuffix(".ts") || $0.hasSuffix(".m4s") } == 1, "\(names)")
          let record = try RecordText(file: folder + "/r.json")
          let bytes = record.values["bytes_before_measuring"] as? Int ?? -1
          // Of a response that was cancelled the server may have sent more.
          #expect(bytes > 0 && bytes <= before.compactMap { $0["bytes"] as? Int }.reduce(0, +), "\(bytes)")
        }
      }
    }

    /// A presentation of this machine whose playlists are damaged or missing: they are named, and not the server that the run has for it.
    @Test func filesOfAFolderAreNamed() throws {
      let ladder = try SharedLadders.flat()
      try TestFolders.withTemporary { folder in
        try FileManager.default.copyItem(atPath: ladder.folder, toPath: folder + "/my tour")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder + "/my tour/hls-fmp4")
        let playlists = files.filter { $0.hasPrefix("video-") && $0.hasSuffix(".m3u8") }
          .map { "\(folder)/my tour/hls-fmp4/\($0)" }
        func run() throws -> CommandOutput {
          try Program.run(["run", "my tour/hls-fmp4/main.m3u8"] + Self.base, in: folder)
        }
        for playlist in playlists { try Data("text".utf8).write(to: URL(filePath: playlist)) }
        let damaged = try run()
        damaged.expectRefusal(saying: [
          "cannot read the playlist 'my tour/hls-fmp4/video-", "does not begin with #EXTM3U",
        ])
        for playlist in playlists { try FileManager.default.removeItem(atPath: playlist) }
        let missing = try run()
        missing.expectRefusal(saying: [
          "'my tour/hls-fmp4/main.m3u8'", "'my tour/hls-fmp4/video-", ".m3u8' does not exist",
        ])
        for result in [damaged, missing] { #expect(!result.errors.contains("127.0.0.1"), "\(result.errors)") }
      }
    }

    /// The library of Tests/Fixtures/names.c, which answers for a name. Compiled once.
    private static let nameLibrary = Result {
      try SharedClips.file("names.so") { path in
        let result = try CommandOutput.of(
          "clang",
          ["-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", path]
            + [TestFolders.repository + "/Tests/Fixtures/names.c"])
        try #require(result.status == 0, "\(result.errors)")
      }
    }

    /// The server and its name are gone, until the address that the client remembers for a minute is forgotten and the name was asked for
    /// twice. Then both are back: the stream plays on, and each picture is the right one. A trial makes no progress for so long, and does
    /// not hang.
    @Test(.tier(.full)) func aNameThatIsLostForAWhileEndsNothing() throws {
      let ladder = try SharedLadders.flat()
      try TestFolders.withTemporary { site in
        for name in ["1", "2", "run"] {
          try FileManager.default.createDirectory(atPath: site + "/" + name, withIntermediateDirectories: false)
        }
        func lines(_ file: String, with word: String) -> Int {
          let text = (try? String(contentsOfFile: site + "/" + file, encoding: .utf8)) ?? ""
          return text.split(separator: "\n").count { $0.contains(word) }
        }
        let serve = ["serve", ladder.folder, "--log", "log.jsonl"]
        let first = try RunningProgram(serve, in: site + "/1")
        let port = try #require(URL(string: CommandTests.ServeTests.url(in: site + "/1"))?.port)
        let preloaded = [try Self.nameLibrary.get(), ProcessInfo.processInfo.environment["LD_PRELOAD"] ?? ""]
        let running = try RunningProgram(
          ["run", "http://origin.test:\(port)/hls-fmp4/main.m3u8", "--buffer", "1", "--duration", "4"] + Self.base
            + ["-o", "r.json"], in: site + "/run",
          environment: [
            "BENCH360_SESSION": "tests", "LD_PRELOAD": preloaded.joined(separator: " "), "NAMES_GONE": site + "/gone",
            "NAMES_LOG": site + "/asked",
          ])
        // One that described the stream, and the trial's first one.
        #expect(Patience.until { lines("1/log.jsonl", with: ".m4s") >= 2 })
        try Data().write(to: URL(filePath: site + "/gone"))
        first.kill()
        _ = try first.wait()
        #expect(Patience.until(seconds: 150) { lines("asked", with: "origin.test") >= 2 })
        let second = try RunningProgram(serve + ["--port", "\(port)"], in: site + "/2")
        _ = try CommandTests.ServeTests.url(in: site + "/2")
        try FileManager.default.removeItem(atPath: site + "/gone")
        let result = try running.wait()
        second.interrupt()
        _ = try second.wait()
        #expect(result.status == 0, "\(result.errors)")
        let (record, stream) = try Self.stream(site + "/run/r.json")
        #expect(Self.requests(stream, "failed").count >= 2 && record.counter("stalls") ?? 0 >= 1)
        #expect(record.isComplete == true && record.counter("wrong_frame") == 0 && record.counter("wrong_rung") == 0)
      }
    }

    /// A buffer that holds one segment: the next one is loaded once the picture has used up all of it.
    @Test func aBufferOfOneSegmentIsEnough() throws {
      let ladder = try SharedLadders.flat()
      try TestFolders.withTemporary { folder in
        let result = try Self.run([ladder.folder], in: folder, ["--buffer", "1", "--duration", "3", "-o", "r.json"])
        #expect(result.status == 0, "\(result.errors)")
        let (record, stream) = try Self.stream(folder + "/r.json")
        #expect(Self.requests(stream, "finished").count { $0["kind"] as? String == "segment" } >= 3)
        #expect(record.counter("wrong_frame") == 0)
      }
    }

    @Test func aLadderIsPlayedToItsEnd() throws { try Self.playToTheEnd("dash") }

    @Test(.tier(.full), arguments: ["hls-fmp4", "hls-ts", "dash"])
    func aLadderIsPlayedToItsEndInEachPackaging(packaging: String) throws { try Self.playToTheEnd(packaging) }

    /// Every picture of the ladder's 4.5 s is shown once or counted, with its number and its rung; every byte is in both logs. Without
    /// --audio no sound is loaded.
    private static func playToTheEnd(_ packaging: String) throws {
      let ladder = try SharedLadders.flat()
      try TestFolders.withTemporary { folder in
        let result = try Self.run(
          [ladder.folder], in: folder,
          ["--packaging", packaging, "--rate", "3", "--rtt", "10", "-o", "r.json", "--trace", "t.json"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.flowing.hasPrefix("plays at "), "\(result.text)")
        #expect(result.flowing.contains("Mbit/s") && result.flowing.contains("first frame after"), "\(result.text)")
        let (record, stream) = try Self.stream(folder + "/r.json")
        func count(_ name: String) -> Int { record.counter(name) ?? -1 }
        #expect(count("wrong_frame") == 0 && count("wrong_rung") == 0)
        #expect(count("presented") + count("dropped") + count("skipped") == 135)
        #expect(!Self.warnings(record).contains("origin_disagrees"))
        #expect(stream["format"] as? String == (packaging == "dash" ? "dash" : "hls"))
        let segments = Self.requests(stream, "finished").filter { $0["kind"] as? String == "segment" }
        #expect(segments.compactMap { $0["segment"] as? Int } == [0, 1, 2, 3, 4])
        #expect(record.samples("av_sync_ms").isEmpty && record.counter("audio_underruns") == nil)
        #expect(!Self.requests(stream, "finished").contains { ($0["url"] as? String ?? "").contains("audio-") })
        let settings = record.values["settings"] as? [String: Any]
        let streaming = settings?["streaming"] as? [String: Any]
        let link = streaming?["link"] as? [String: Any]
        #expect(streaming?["packaging"] as? String == packaging && link?["rate_mbps"] as? Double == 3)
        let trace = try String(contentsOfFile: folder + "/t.json", encoding: .utf8)
        for name in [#""name":"playing""#, #""name":"rung 0""#, #""name":"segment 4 rung "#, #""name":"manifest""#] {
          #expect(trace.contains(name), "no \(name)")
        }
      }
    }

    @Test func soundIsLoadedWhereItIsAskedFor() throws { try Self.loadSound("hls-ts") }

    @Test(.tier(.full), arguments: ["hls-fmp4", "hls-ts", "dash"])
    func soundIsLoadedInEachPackaging(packaging: String) throws { try Self.loadSound(packaging) }

    /// Sound is loaded and played: its requests are in both logs, and it is in time with the picture.
    private static func loadSound(_ packaging: String) throws {
      let ladder = try SharedLadders.flat()
      try TestFolders.withTemporary { folder in
        let result = try Self.run(
          [ladder.folder], in: folder,
          ["--packaging", packaging, "--audio", "null", "--audio-track", "de", "--rate", "8", "-o", "r.json"])
        #expect(result.status == 0, "\(result.errors)")
        let (record, stream) = try Self.stream(folder + "/r.json")
        #expect(
          Self.warnings(record).allSatisfy { $0 != "origin_disagrees" && $0 != "audio" }, "\(Self.warnings(record))")
        #expect(record.counter("wrong_frame") == 0 && record.counter("wrong_rung") == 0)
        let requests = Self.requests(stream, "finished")
        let sound = requests.filter { $0["kind"] as? String == "segment" && $0["rung"] is NSNull }
        #expect(sound.compactMap { $0["segment"] as? Int } == [0, 1, 2, 3, 4])
        #expect(sound.allSatisfy { ($0["url"] as? String ?? "").contains("audio-de/") })
        let bytes = requests.compactMap { ($0["transfer"] as? [String: Any])?["bytes"] as? Int }.reduce(0, +)
        #expect(record.counter("bytes_downloaded") == bytes)
        let offsets = record.samples("av_sync_ms").sorted()
        #expect(offsets.count > 20 && abs(offsets[offsets.count / 2]) < 60, "\(offsets)")
        #expect(record.samples("audio_start_ms").count == 1)
      }
    }

    @Test func whatBreaksOffGoesOnWhereItWas() throws {
      let ladder = try SharedLadders.flat()
      try TestFolders.withTemporary { folder in
        let rules = """
          {"kind": "reset", "after": 9000, "path": "*.m4s", "nth_in_all": 2},
          {"kind": "status", "status": 503, "retry_after": 0, "path": "00003.m4s", "nth_of_path": 1}
          """
        try Data(#"{"schema": "bench360-faults/1", "faults": [\#(rules)]}"#.utf8)
          .write(to: URL(filePath: folder + "/faults.json"))
        let result = try Self.run(
          [ladder.folder], in: folder,
          ["--controller", "fixed:1", "--faults", "faults.json", "--rate", "8", "-o", "r.json"])
        #expect(result.status == 0, "\(result.errors)")
        let (record, stream) = try Self.stream(folder + "/r.json")
        #expect(record.counter("wrong_frame") == 0 && record.counter("wrong_rung") == 0)
        #expect(record.counter("retries") == 2 && Self.requests(stream, "failed").count == 2)
        #expect(!Self.warnings(record).contains("origin_disagrees"))
        let again = Self.requests(stream, "finished").filter { $0["attempt"] as? Int == 1 }
        #expect(again.compactMap { ($0["transfer"] as? [String: Any])?["status"] as? Int } == [206, 200])
      }
    }

    @Test func theServersLogHasWhatThePlayerKnows() throws { try Self.sendKeys("headers") }

    @Test(.tier(.full)) func theServersLogHasWhatTheQueryTells() throws { try Self.sendKeys("query") }

    /// The origin of another process reads the keys of each request, and the record says that they were sent.
    private static func sendKeys(_ mode: String) throws {
      let ladder = try SharedLadders.flat()
      try TestFolders.withTemporary { folder in
        let serving = try RunningProgram(
          ["serve", ladder.folder, "--log", "log.jsonl"], in: folder)
        let url = try CommandTests.ServeTests.url(in: folder)
        let result = try Self.run(
          [url + "hls-fmp4/main.m3u8"], in: folder, ["--cmcd", mode, "--controller", "fixed:1", "-o", "r.json"])
        serving.interrupt()
        _ = try serving.wait()
        #expect(result.status == 0, "\(result.errors)")
        let (record, stream) = try Self.stream(folder + "/r.json")
        let streaming = (record.values["settings"] as? [String: Any])?["streaming"] as? [String: Any]
        #expect(streaming?["cmcd"] as? String == mode)
        let lines = try String(contentsOfFile: folder + "/log.jsonl", encoding: .utf8).split(separator: "\n")
        let rows = try lines.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:] }
        let keys = rows.compactMap { $0["cmcd"] as? [String: String] }
        let requests = stream["requests"] as? [[String: Any]] ?? []
        #expect(keys.count == rows.count && rows.count >= requests.count && requests.count >= 8)
        #expect(keys.allSatisfy { $0["sid"]?.count == 36 && $0["ot"] != nil })
        #expect(keys.contains { $0["ot"] == "v" && $0["br"] != nil && $0["bl"] != nil && $0["nor"] == "00001.m4s" })
      }
    }

    /// How good the segments looked is known of a ladder, on sockets and on the virtual clock, and of nothing else.
    @Test func pictureQualityIsThatOfTheLadder() throws {
      let ladder = try SharedLadders.flat()
      try TestFolders.withTemporary { folder in
        let result = try Self.run(
          [ladder.folder], in: folder, ["--controller", "fixed:1", "--p1203", "p.json", "-o", "r.json"])
        #expect(result.status == 0, "\(result.errors)")
        let (record, stream) = try Self.stream(folder + "/r.json")
        #expect(stream["quality"] as? String == "ssim")
        let rungs = try #require(stream["rungs"] as? [[String: Any]])
        let expected = try #require(ladder.index.quality).decibels.map { $0[1] }
        #expect(rungs[1]["quality_db"] as? [Double] == expected)
        let virtual = try Program.run(
          ["abr", "--ladder", ladder.folder, "--controller", "fixed:1", "--rate", "3", "--records", "virtual"],
          in: folder)
        #expect(virtual.status == 0, "\(virtual.errors)")
        let (simulated, onTheClock) = try Self.stream(folder + "/virtual/constant-fixed_1.json")
        #expect(Self.segments(stream) == Self.segments(onTheClock) && Self.segments(stream).count == 5)
        let changes = zip(expected, expected.dropFirst()).reduce(0) { $0 + abs($1.1 - $1.0) }
        let quality = (expected.reduce(0, +) - changes) / Double(expected.count)
        #expect(abs((simulated.samples("qoe_ssim").first ?? 0) - quality) < 1e-6)
        #expect(record.samples("qoe_ssim").count == 1)

        let input = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: folder + "/p.json")))
        let video = ((input as? [String: Any])?["I13"] as? [String: Any])?["segments"] as? [[String: Any]]
        // A machine that stands still for a second shows no picture of a segment, which is left out then.
        let seen = Self.requests(stream, "finished").filter { $0["first_shown"] is Double }
        #expect(!seen.isEmpty && video?.count == seen.count, "\(video ?? []), \(seen)")
        func sum(_ rows: [[String: Any]]?, _ name: String) -> Double {
          rows?.compactMap { $0[name] as? Double }.reduce(0, +) ?? 0
        }
        #expect(abs(sum(video, "duration") - sum(seen, "media_seconds")) < 0.01)
        #expect(video?.allSatisfy { $0["resolution"] as? String == "426x240" && $0["fps"] as? Double == 30 } == true)

        try FileManager.default.copyItem(atPath: ladder.folder, toPath: folder + "/copy")
        try FileManager.default.removeItem(atPath: folder + "/copy/ladder.json")
        let other = try Self.run(["copy"], in: folder, ["--duration", "1", "-o", "o.json"])
        #expect(other.status == 0, "\(other.errors)")
        let unknown = try Self.stream(folder + "/o.json")
        #expect(unknown.stream["quality"] is NSNull && unknown.record.samples("qoe_ssim").isEmpty)
        let reasons = (unknown.record.values["settings"] as? [String: Any])?["reasons"] as? [String: String]
        #expect(reasons?["picture_quality"]?.contains("'generate --ladder' alone") == true)
      }
    }

    /// Each segment that was loaded, and its rung.
    private static func segments(_ stream: [String: Any]) -> [String] {
      requests(stream, "finished").filter { $0["kind"] as? String == "segment" }
        .map { "\($0["segment"] ?? "") in \($0["rung"] ?? "")" }
    }

    /// On sockets over a link and on the virtual clock: the same segments of the same rungs in the same order.
    @Test(.tier(.full), arguments: ["lowest", "fixed:1"])
    func bothTransportsMakeTheSameRequestsInKind(controller: String) throws {
      let ladder = try SharedLadders.flat()
      try TestFolders.withTemporary { folder in
        let player = ["--controller", controller, "--rate", "3", "--rtt", "20"]
        let real = try Self.run([ladder.folder], in: folder, player + ["-o", "r.json"])
        let virtual = try Program.run(["abr", "--ladder", ladder.folder, "--records", "v"] + player, in: folder)
        #expect(real.status == 0 && virtual.status == 0, "\(real.errors)\(virtual.errors)")
        let file = try #require(try names(in: folder + "/v").first)
        let made = try [Self.stream(folder + "/r.json").stream, Self.stream(folder + "/v/" + file).stream]
          .map(Self.segments)
        #expect(made[0] == made[1] && made[0].count == 5)
      }
    }

    /// Past the retries it ends with a sentence, and keeps the measurements before.
    @Test func pastTheRetriesItEndsAndKeepsWhatWasMeasured() throws {
      let ladder = try SharedLadders.flat()
      try TestFolders.withTemporary { folder in
        try Data(
          #"{"schema": "bench360-faults/1", "faults": [{"kind": "status", "status": 503, "path": "00002.m4s"}]}"#.utf8
        ).write(to: URL(filePath: folder + "/faults.json"))
        let result = try Self.run(
          [ladder.folder], in: folder,
          ["--faults", "faults.json", "--rate", "8", "--retries", "1", "--retry-limit", "2", "-o", "r.json"])
        #expect(result.status == 1)
        #expect(result.errors.contains("past 2 s: the server answered 503 Service Unavailable"), "\(result.errors)")
        #expect(result.flowing.contains("then fails after"), "\(result.text)")
        let (record, stream) = try Self.stream(folder + "/r.json")
        #expect(record.values["complete"] as? Bool == false)
        #expect((record.counter("presented") ?? 0) > 0 && record.counter("wrong_frame") == 0)
        #expect((stream["states"] as? [[String: Any]])?.last?["state"] as? String == "failed")
      }
    }

    @Test func misuseIsToldInOneSentence() throws {
      try TestFolders.withTemporary { folder in
        try FileManager.default.createDirectory(atPath: folder + "/empty", withIntermediateDirectories: true)
        try Self.run(["empty"], in: folder, []).expectRefusal(saying: ["'empty'", "no hls-fmp4/main.m3u8"])
        try Self.run(["none"], in: folder, []).expectRefusal(saying: ["'none'", "no such file"])
        try Self.run(["http://127.0.0.1:9/a.m3u8"], in: folder, ["--rate", "3"])
          .expectRefusal(status: 64, saying: ["only the link to an origin of the run's own is shaped"])
        try Self.run(["http://127.0.0.1:9/a.m3u8"], in: folder, ["--retries", "0"])
          .expectRefusal(saying: ["127.0.0.1:9/a.m3u8"])
        let mixed = try Program.run(["run", "empty", "--scenario", "stream,decode"], in: folder)
        #expect(
          mixed.status == 64 && mixed.errors.contains("one measures a clip, the other a stream"), "\(mixed.errors)")
        let wrong = try Self.run(["empty"], in: folder, ["--controller", "best"])
        #expect(wrong.status == 64 && wrong.errors.contains("there is no controller 'best'"), "\(wrong.errors)")
        let expect = try Self.run(["empty"], in: folder, ["--expect", "software"])
        #expect(expect.status == 64 && expect.errors.contains("--expect is of clips"), "\(expect.errors)")
      }
    }
  }
}
