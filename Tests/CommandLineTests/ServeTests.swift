import Foundation
import Glibc
import Support
import Testing

extension CommandTests {
  @Suite(.tier(.test)) struct ServeTests {
    private static let hasCurl =
      ProcessInfo.processInfo.environment["CI"] == "true"
      || (try? CommandOutput.of("curl", ["--version"]).status) == 0

    /// The URL behind 'listening on ' on the first line, which it prints before it serves.
    static func url(in folder: String) throws -> String {
      let line = Patience.value { () -> String? in
        let text = (try? String(contentsOfFile: folder + "/stdout", encoding: .utf8)) ?? ""
        guard text.contains("\n"), text.hasPrefix("listening on ") else { return nil }
        return String(text.prefix { $0 != "\n" }.dropFirst("listening on ".count))
      }
      return try #require(line)
    }

    @Test(.enabled("curl is not installed") { hasCurl }, arguments: [SIGINT, SIGTERM])
    func itServesUntilASignalAndKeepsItsLog(signal: Int32) throws {
      try TestFolders.withTemporary { folder in
        try FileManager.default.createDirectory(atPath: folder + "/served", withIntermediateDirectories: true)
        try Data("#EXTM3U\n".utf8).write(to: URL(filePath: folder + "/served/a.m3u8"))
        try Data(#"{"schema": "bench360-faults/1", "faults": [{"kind": "status", "status": 500, "path": "b*"}]}"#.utf8)
          .write(to: URL(filePath: folder + "/faults.json"))
        let serving = try RunningProgram(
          ["serve", "served", "--rate", "8", "--rtt", "10", "--log", "log.jsonl", "--faults", "faults.json"], in: folder
        )
        let url = try Self.url(in: folder)
        #expect(url.hasPrefix("http://127.0.0.1:") && url.hasSuffix("/"))
        #expect(try CommandOutput.of("curl", ["-sS", url + "a.m3u8"]).text == "#EXTM3U\n")
        #expect(try CommandOutput.of("curl", ["-sS", url + "b"]).text.hasPrefix("500 "))
        serving.interrupt(signal)
        let result = try serving.wait()
        #expect(
          result.status == 0 && result.text == "listening on \(url)\n" && result.errors.isEmpty, "\(result.errors)")
        let lines = try String(contentsOfFile: folder + "/log.jsonl", encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 2 && lines[0].contains(#""status":200"#) && lines[1].contains(#""fault":["status"]"#))
        #expect(lines.allSatisfy { $0.contains(#""first_byte_ms":"#) && $0.contains(#""last_byte_ms":"#) })
        // Its own log is replaced.
        let again = try Program.run(["serve", "served", "--log", "log.jsonl", "--duration", "0.1"], in: folder)
        #expect(again.status == 0 && again.text.hasPrefix("listening on http://127.0.0.1:"), "\(again.errors)")
        #expect(try Data(contentsOf: URL(filePath: folder + "/log.jsonl")).isEmpty)
      }
    }

    /// Its packaged form, which FFmpeg plays from the URLs that it prints; nothing stays of it.
    @Test func aClipIsPackaged() throws {
      try Program.withClip { folder, clip in
        try FileManager.default.createDirectory(atPath: folder + "/tmp", withIntermediateDirectories: true)
        let serving = try RunningProgram(["serve", clip], in: folder, environment: ["TMPDIR": folder + "/tmp"])
        let first = try Self.url(in: folder)
        #expect(first.hasSuffix("/main.m3u8"))
        let url = String(first.dropLast("main.m3u8".count))
        let hashes = try Judge.hashes(folder + "/" + clip)
        #expect(hashes.count == 60)
        for file in ["main.m3u8", "manifest.mpd"] { #expect(try Judge.hashes(url + file) == hashes, "\(file)") }
        serving.interrupt(SIGTERM)
        let result = try serving.wait()
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        #expect(result.lines.map(String.init) == ["listening on " + first, url + "manifest.mpd"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/tmp") == [])
      }
    }

    /// A ladder is in the cache already: making the built-in one takes long.
    @Test func theBuiltInLadderIsServed() throws {
      try TestFolders.withTemporary { folder in
        let cached = folder + "/cache/bench360/ladder-2-3-1280x640-360"
        try FileManager.default.createDirectory(
          atPath: folder + "/cache/bench360", withIntermediateDirectories: true)
        let made = try Program.run(
          ["generate", "--ladder", cached, "--projection", "flat", "--rungs", "256x144@150k", "--duration", "1"],
          in: folder)
        try #require(made.status == 0, "\(made.errors)")
        for words in [[], ["ladder"]] {
          let result = try Program.run(["serve", "--duration", "0.1"] + words, in: folder)
          let lines = result.lines.map(String.init)
          try #require(result.status == 0 && lines.count == 3 && result.errors.isEmpty, "\(result.errors)")
          #expect(lines[0].hasPrefix("listening on http://127.0.0.1:") && lines[0].hasSuffix("/hls-ts/main.m3u8"))
          #expect(lines[1].hasSuffix("/manifest.mpd") && lines[2].hasSuffix("/hls-fmp4/main.m3u8"))
          let played = try Program.run(
            ["run"] + words + ["--scenario", "stream", "--trials", "1", "--size", "160x90", "-o", "r.json", "--force"],
            in: folder)
          #expect(played.status == 0, "\(played.errors)")
        }
      }
    }

    @Test func whatCannotBeServedIsRefused() throws {
      try TestFolders.withTemporary { folder in
        try Program.run(["serve", "none"], in: folder).expectRefusal(saying: ["cannot serve 'none'", "no such file"])
        try Data("no clip".utf8).write(to: URL(filePath: folder + "/notes.txt"))
        try Program.run(["serve", "notes.txt"], in: folder)
          .expectRefusal(saying: ["cannot package 'notes.txt'", "not MP4, MOV, Matroska or WebM", "serve its folder"])
        try Program.run(["serve", ".", "--faults", "none.json"], in: folder)
          .expectRefusal(saying: ["cannot use faults 'none.json'"])
        try Program.run(["serve", ".", "--address", "192.0.2.1"], in: folder)
          .expectRefusal(status: 64, saying: ["cannot listen on 192.0.2.1", "does not have that address"])
      }
    }
  }
}
