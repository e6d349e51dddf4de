import Foundation
import Support
import Testing

extension StreamCommandTests {
  /// Keys of encrypted clips and streams from the command line: what they open, and that they come out nowhere.
  @Suite(.tier(.test)) struct KeyTests {
    private struct Locked {
      var ladder: SharedLadders.Ladder
      /// One rung in one file.
      var clip: String
      var identifier: String
      var key: String

      init() throws {
        ladder = try SharedLadders.ladder("command-keys") { $0.encryption = .clearKey }
        clip = try ladder.joined(try #require(ladder.index.rungs.first?.renditions.first { $0.packaging == .fmp4 }))
        identifier = try #require(ladder.index.encryption?.keyIdentifier)
        key = try #require(ladder.index.encryption?.keys.first)
      }

      var option: String { "\(identifier):\(key)" }
      /// As a licence has it.
      var coded: String {
        let bytes = stride(from: 0, to: 32, by: 2).compactMap { UInt8(key.dropFirst($0).prefix(2), radix: 16) }
        return Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
          "=", with: "")
      }

      func expectNoKey(_ text: String, _ place: String) {
        let found = text.lowercased().contains(key) || text.contains(coded)
        #expect(!found, "\(place): \(text.prefix(2000))")
      }

      func expectNoKey(in folder: String, but own: Set<String> = []) {
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        for name in names where !own.contains(name) {
          let bytes = FileManager.default.contents(atPath: folder + "/" + name)
          expectNoKey(name + "\n" + (bytes.map { String(decoding: $0, as: UTF8.self) } ?? ""), name)
        }
      }
    }

    @Test func noRunTellsThem() throws {
      let locked = try Locked()
      let children = CommandLines()
      let folder = locked.ladder.folder
      let server = try ScriptedServer { request, connection in
        children.look()
        guard request.path != "/clearkey.json", let data = FileManager.default.contents(atPath: folder + request.path)
        else { return connection.respond("404 Not Found") }
        return connection.serve([UInt8](data), request)
      }
      try TestFolders.withTemporary { folder in
        let run = try Program.run(
          [
            "run", server.url("/manifest.mpd"), "--scenario", "stream", "--trials", "1", "--size", "160x90", "-v",
            "--duration", "2", "--key", locked.option, "-o", "r.json", "--trace", "t.json",
          ], in: folder)
        #expect(run.status == 0, "\(run.errors)")
        #expect(!run.text.contains("--key"), "the next command has no key")
        let record = try RecordText(file: folder + "/r.json")
        let command = record.values["command"] as? [String]
        #expect(command?.contains("\(locked.identifier):…") == true, "\(command ?? [])")
        let report = try Program.run(["report", "r.json", "-o", "report.html"], in: folder)
        #expect(report.status == 0, "\(report.errors)")
        for result in [run, report] { locked.expectNoKey(result.text + result.errors, "an answer") }
        locked.expectNoKey(in: folder)
      }
      #expect(children.found.count > 1)
      for line in children.found { locked.expectNoKey(line, "a child's command line") }
    }

    @Test func aClipIsOpenedByEachVerb() throws {
      let locked = try Locked()
      try TestFolders.withTemporary { folder in
        try Data("\(locked.option)\n".utf8).write(to: URL(filePath: folder + "/keys"))
        let without = try Program.run(["run", locked.clip, "--scenario", "decode", "--trials", "1"], in: folder)
        without.expectRefusal(saying: ["encrypted", "there is no key \(locked.identifier)", "--key-file"])
        let plain = try Program.run(["probe", locked.clip], in: folder)
        #expect(plain.text.contains("yes: it needs the key \(locked.identifier)"), "\(plain.text)")
        let probe = try Program.run(["probe", locked.clip, "--key", locked.option], in: folder)
        #expect(probe.text.contains("by the key \(locked.identifier), which was given"), "\(probe.text)")
        let image = try Program.run(
          ["snapshot", locked.clip, "-o", "a.png", "--size", "160x90", "--key-file", "keys"], in: folder)
        #expect(image.status == 0, "\(image.errors)")
        let run = try Program.run(
          ["run", locked.clip, "--scenario", "decode", "--trials", "1", "--duration", "0.1", "-v", "-o", "r.json"] + [
            "--key-file", "keys",
          ], in: folder)
        #expect(run.status == 0, "\(run.errors)")
        for result in [without, plain, probe, image, run] {
          locked.expectNoKey(result.text + result.errors, "an answer")
        }
        locked.expectNoKey(in: folder, but: ["keys"])
      }
    }

    @Test func aLicenceServerIsAskedForAClip() throws {
      let locked = try Locked()
      let licence = [UInt8](try locked.ladder.bytes("clearkey.json"))
      let server = try ScriptedServer { request, connection in
        guard request.method == "POST" else { return connection.respond("405 Method Not Allowed") }
        _ = connection.respond(body: request.path.hasPrefix("/none") ? Array("{}".utf8) : licence)
        return false
      }
      try TestFolders.withTemporary { folder in
        func run(_ path: String) throws -> CommandOutput {
          try Program.run(
            [
              "run", locked.clip, "--scenario", "decode", "--trials", "2", "--duration", "0.1", "-o", "r.json",
              "--force",
              "--licence-url", server.url(path),
            ], in: folder)
        }
        let fine = try run("/licence?token=hidden7")
        #expect(fine.status == 0, "\(fine.errors)")
        #expect(server.requests.count == 1, "once, and not by each trial")
        locked.expectNoKey(in: folder)
        let text = String(decoding: try Data(contentsOf: URL(filePath: folder + "/r.json")), as: UTF8.self)
        #expect(!text.contains("hidden7"))
        try run("/none").expectRefusal(saying: ["ClearKey licence is damaged, or none"])
      }
    }

    /// A folder of this machine is served by an origin of the program's own, which no sentence names.
    @Test func sentencesNameWhatTheUserKnows() throws {
      let locked = try Locked()
      try TestFolders.withTemporary { folder in
        try FileManager.default.copyItem(atPath: locked.ladder.folder, toPath: folder + "/offline")
        let run = ["run", "offline/manifest.mpd", "--scenario", "stream", "--trials", "1", "-o", "r.json"]
        let server = try ScriptedServer { _, connection in connection.respond("503 Service Unavailable") }
        let url = server.url("/licence")
        let refused = try Program.run(run + ["--licence-url", url, "--retries", "0"], in: folder)
        refused.expectRefusal(saying: ["'offline/manifest.mpd'", "its ClearKey licence '\(url)' cannot be loaded"])
        try FileManager.default.removeItem(atPath: folder + "/offline/clearkey.json")
        let missing = try Program.run(run, in: folder)
        missing.expectRefusal(saying: [
          "'offline/manifest.mpd'", "its ClearKey licence cannot be loaded: 'offline/clearkey.json' does not exist",
        ])
        try Data("<MPD/>".utf8).write(to: URL(filePath: folder + "/offline/manifest.mpd"))
        let damaged = try Program.run(run, in: folder)
        damaged.expectRefusal(saying: ["cannot read the manifest 'offline/manifest.mpd'"])
        for result in [missing, damaged] { #expect(!result.errors.contains("127.0.0.1"), "\(result.errors)") }
      }
    }

    @Test func mistakesAreOneSentence() throws {
      let locked = try Locked()
      let wrong = String(locked.key.reversed())
      try TestFolders.withTemporary { folder in
        for (options, words) in [
          (["--key", locked.option.dropLast() + "x"], "--key: its key is not hexadecimal."),
          (["--key", String(locked.option.dropLast())], "--key: its key has 31 hexadecimal digits, not 32."),
          (["--key", locked.key], "--key: it is not written KID:KEY."),
          (["--licence-url", "ftp://a/b"], "--licence-url must be a URL of http or https."),
        ] {
          let refused = try Program.run(["probe", locked.clip] + options, in: folder)
          #expect(refused.status == 64 && refused.errors.contains(words), "\(refused.errors)")
          #expect(!refused.errors.contains(locked.key.dropLast(2)), "\(refused.errors)")
        }
        let decode = ["run", locked.clip, "--scenario", "decode", "--trials", "1"]
        try Program.run(decode + ["--key-file", "none"], in: folder)
          .expectRefusal(saying: ["cannot open 'none'"])
        try Data("\(locked.option)0\n".utf8).write(to: URL(filePath: folder + "/keys"))
        try Program.run(decode + ["--key-file", "keys"], in: folder)
          .expectRefusal(saying: ["cannot read the keys in 'keys'", "line 1: its key has 33 hexadecimal digits"])
        try Program.run(decode + ["--key", "\(locked.identifier):\(wrong)"], in: folder)
          .expectRefusal(saying: ["the key \(locked.identifier) is another's"])
      }
    }
  }
}
