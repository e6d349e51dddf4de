import Foundation
import Frames
import Support
import TestPicture
import Testing

// Opening files in the window, and what is remembered of them.
extension ViewCommandTests.ViewTests {
  /// A name is typed as far as it takes, and completed. Ctrl+O shows the browser; a typed letter selects, Enter opens. Escape leads to the
  /// first screen, where the clip that was played last is the first recent one. All in the language of the environment.
  @Test func filesAreOpenedInTheWindow() throws {
    try Self.withClips { folder in
      let stage = try Stage([], in: folder, environment: ["LC_ALL": "", "LC_MESSAGES": "", "LANG": "cs_CZ.UTF-8"])
      #expect(try stage.hasPicture())
      for key in [XKey.t, .w, .tab, .enter] { try stage.press(key) }
      #expect(try stage.reaches("two.mp4 — bench360"))
      #expect(try stage.number { (1..<30).contains($0) }.map { (1..<30).contains($0) } == true)
      #expect(try stage.reaches("Otevřít — bench360", by: .o, isControl: true))
      #expect(try stage.reaches("one.mp4 — bench360", by: .o, .enter))
      #expect(try stage.number { $0 > 0 }.map { $0 > 0 } == true)
      // By the button of the bar, too.
      try stage.click(22, 341)
      #expect(try stage.reaches("Otevřít — bench360"))
      #expect(try stage.reaches("bench360", by: .escape))
      #expect(try stage.reaches("one.mp4 — bench360", by: .home, .down, .down, .down, .enter))
      #expect(try stage.number { $0 > 0 }.map { $0 > 0 } == true)
      try stage.press(.q)
      let result = try stage.running.wait()
      #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
      let recent = try String(contentsOfFile: folder + "/bench360/recent", encoding: .utf8).split(separator: "\n")
      #expect(recent.count == 2 && recent.allSatisfy { $0.hasPrefix("/") }, "\(recent)")
      #expect(recent.first?.hasSuffix("/one.mp4") == true && recent.last?.hasSuffix("/two.mp4") == true, "\(recent)")
    }
  }

  /// A library of downloads plays the whole ones, by name, without a network.
  @Test func downloadsArePlayedFromTheirFolder() throws {
    try Self.withClips { folder in
      for clip in ["one", "two"] {
        let content = [UInt8](try Data(contentsOf: URL(filePath: "\(folder)/\(clip).mp4")))
        let server = try ScriptedServer { request, connection in connection.serve(content, request, ["ETag: \"a\""]) }
        let made = try Program.run(["download", server.url("/\(clip).mp4"), "-o", "offline"], in: folder)
        #expect(made.status == 0, "\(made)")
      }
      let stage = try Stage(["offline"], in: folder)
      #expect(try stage.number { $0 > 0 }.map { $0 > 0 } == true)
      #expect(try stage.reaches("one — bench360"))
      #expect(try stage.reaches("two — bench360", by: .n))
      try stage.press(.q)
      #expect(try stage.running.wait().status == 0)
      try FileManager.default.moveItem(atPath: folder + "/offline/two", toPath: folder + "/offline/two.part")
      try FileManager.default.removeItem(atPath: folder + "/offline/one")
      for input in ["offline", "offline/two.part/"] {
        let refused = try Program.run(["view", input], in: folder)
        #expect(
          refused.status == 1 && refused.errors.contains("'two' is not whole") && refused.errorLines.count == 1,
          "\(refused)")
      }
    }
  }

  /// Neither its sound nor its picture can be decoded: that there is no picture is what there is to tell.
  @Test func aClipWithoutAnythingIsToldOnce() throws {
    let clip = TestFolders.repository + "/Tests/Fixtures/hostile/container/no-sound-no-picture.mp4"
    try TestFolders.withTemporary { folder in
      let result = try Stage([clip], in: folder, ["--audio", "null"]).running.wait()
      #expect(result.status == 1 && result.errors.components(separatedBy: "bench360: cannot ").count == 2, "\(result)")
      #expect(result.errors.contains("cannot decode"))
    }
  }

  /// The next file follows when one has ended. One that is broken leaves the clip before on its last picture, and has no record.
  @Test func filesFollowUntilOneIsBroken() throws {
    try Self.withClips { folder in
      try Data("no video".utf8).write(to: URL(filePath: folder + "/bad.mp4"))
      let stage = try Stage(["two.mp4", "one.mp4", "bad.mp4"], in: folder, ["--record", "r.json"])
      // More frames than the first clip has.
      #expect(try stage.number { $0 > 30 }.map { $0 > 30 } == true)
      stage.shows("one.mp4")
      try stage.press(.end)
      try stage.running.wait(forError: "bad.mp4")
      #expect(try stage.number { $0 == 119 } == 119)
      // The key that leads to it does nothing more.
      try stage.press(.n)
      #expect(try stage.number() == 119)
      let result = try stage.close()
      #expect(result.status == 0 && result.errorLines.count == 3, "\(result.errors)")
      #expect(result.errorLines.first == "record: r.json" && result.errorLines.last == "record: r-2.json")
      #expect(!FileManager.default.fileExists(atPath: folder + "/r-3.json"))
    }
  }

  /// The window offers to go on where the last session left a clip; with other settings it does so at once, or never.
  @Test func positionsAreRemembered() throws {
    try TestFolders.withTemporary { folder in
      try Program.generate(
        "long.mp4", in: folder, ["--projection", "flat", "--size", "160x90", "--duration", "30"])
      func session(_ body: (Stage) throws -> Void) throws {
        let stage = try Stage(["long.mp4"], in: folder)
        #expect(try stage.number { $0 > 0 }.map { $0 > 0 } == true)
        try stage.press(.space)
        try body(stage)
        #expect(try stage.close().status == 0)
      }
      try session { stage in
        try stage.press(.digit5)
        #expect(try stage.number { $0 == 450 } == 450)
      }
      try session { stage in
        let first = try #require(try stage.number { $0 < 300 })
        #expect(first < 300)
        try stage.press(.enter)
        #expect(try stage.number { $0 == 450 } == 450)
      }
      func keep(_ setting: String) throws {
        try Self.write("remember-position \(setting)\n", to: "settings", in: folder)
      }
      try keep("yes")
      try session { stage in
        let first = try stage.number { $0 >= 450 } ?? 0
        #expect(first >= 450 && first < 600)
      }
      try keep("no")
      try session { stage in
        let first = try #require(try stage.number { $0 < 300 })
        #expect(first < 300)
      }
      try keep("perhaps")
      let refused = try Program.run(["view", "long.mp4"], in: folder, environment: ["XDG_CONFIG_HOME": folder])
      #expect(refused.status == 64 && refused.errors.contains("line 1: 'perhaps'"), "\(refused.errors)")
    }
  }
}
