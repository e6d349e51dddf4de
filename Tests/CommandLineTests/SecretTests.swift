import Foundation
import Support
import Testing

extension CommandTests {
  /// What a URL keeps secret comes out nowhere: not in answers, records, reports, traces and names of files, and not in refusals.
  @Suite struct SecretTests {
    private static func url(_ port: UInt16) -> String {
      "http://user7:secret7@127.0.0.1:\(port)/clip.mp4?token=hidden7#part7"
    }

    private static func expectNoSecret(_ text: String, _ place: String) {
      for secret in ["secret7", "hidden7", "user7", "part7"] {
        #expect(!text.contains(secret), "\(place): \(text.prefix(2000))")
      }
    }

    /// Verbs that open an input, and what they write.
    private static func verbs(_ url: String) -> [[String]] {
      let run = Program.shortRun(url, scenario: "decode,startup/warm")
      return ["table", "json", "csv", "markdown"].map { run + ["-o", "record.json", "--format", $0] } + [
        run + ["-o", "-"], run + ["--trace", "trace.json", "--frames", "frames.csv"], ["probe", url],
        ["probe", url, "--json"], ["snapshot", url, "-o", "picture.png", "--size", "64x64", "--time", "99"],
        ["thumbnails", url, "-o", "track.vtt"],
      ]
    }

    /// All that lies in a folder, names and contents.
    private static func everything(in folder: String) throws -> [(name: String, text: String)] {
      let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
      return names.filter { !$0.hasPrefix("cache") }.map { name in
        (
          name,
          FileManager.default.contents(atPath: folder + "/" + name).map { String(decoding: $0, as: UTF8.self) } ?? ""
        )
      }
    }

    @Test func noVerbTellsThem() throws {
      try Program.withClip { folder, clip in
        let server = try ClipServer(file: folder + "/" + clip)
        let url = Self.url(server.port)
        for arguments in Self.verbs(url) {
          let result = try Program.run(arguments, in: folder)
          #expect(result.status == 0, "\(result.errors)")
          Self.expectNoSecret(result.text + result.errors, arguments[0])
        }
        let probed = try Program.run(["probe", url], in: folder)
        #expect(probed.text.hasPrefix("file        http://…@127.0.0.1:\(server.port)/clip.mp4?…\n"), "\(probed.text)")
        let record = try RecordText(file: folder + "/record.json")
        #expect(record.inputName == "http://127.0.0.1:\(server.port)/clip.mp4")
        let command = try #require(record.values["command"] as? [String])
        #expect(command.contains("http://…@127.0.0.1:\(server.port)/clip.mp4?…"), "\(command)")
        for arguments in [
          ["report", "record.json", "-o", "report.html"],
          ["compare", "record.json", "record.json", "--noise-floor", "1"],
          ["history", "record.json", "--metric", "decode_fps"], ["merge", "record.json", "-o", "merged"],
        ] {
          let result = try Program.run(arguments, in: folder)
          #expect(result.status == 0 || arguments[0] == "compare", "\(result.errors)")
          Self.expectNoSecret(result.text + result.errors, arguments[0])
        }
        for (name, text) in try Self.everything(in: folder) { Self.expectNoSecret(name + "\n" + text, name) }
      }
    }

    @Test func noRefusalTellsThem() throws {
      try TestFolders.withTemporary { folder in
        let url = Self.url(try ClipServer.deadPort())
        for arguments in Self.verbs(url) + [["view", url], ["run", "--size", url], ["run", "x", "--nonsense", url]] {
          let result = try Program.run(arguments, in: folder, environment: ["DISPLAY": "", "WAYLAND_DISPLAY": ""])
          #expect(result.status != 0)
          Self.expectNoSecret(result.text + result.errors, arguments.joined(separator: " "))
        }
        for (name, text) in try Self.everything(in: folder) { Self.expectNoSecret(name + "\n" + text, name) }
      }
    }

    /// Records of earlier builds hold the command as it was typed.
    @Test func aReportOfAnOldRecordDoesNotTellThem() throws {
      try TestFolders.withTemporary { folder in
        var record = try MadeRecord.real()
        record.set("command", ["bench360", "run", Self.url(80)])
        try record.write(folder + "/record.json")
        let page = try Program.run(["report", "record.json", "-o", "-"], in: folder)
        #expect(page.status == 0 && page.text.contains("…@127.0.0.1:80/clip.mp4?…"), "\(page.errors)")
        Self.expectNoSecret(page.text, "report")
      }
    }

    @Test func aMatrixListDoesNotTellThem() throws {
      try TestFolders.withTemporary { folder in
        let text = #"{"schema": "bench360-matrix/1", "inputs": ["\#(Self.url(80))"], "axes": {"threads": [1, 2]}}"#
        try Data(text.utf8).write(to: URL(filePath: folder + "/matrix.json"))
        let list = try Program.run(["run", "--matrix", "matrix.json", "--list"], in: folder)
        #expect(list.status == 0 && list.text.contains("…@127.0.0.1:80/clip.mp4?…"), "\(list.errors)")
        Self.expectNoSecret(list.text, "list")
      }
    }
  }
}
