import Foundation
import Support
import Testing

/// A line of `--events`, as a script would read it.
private struct EventLine {
  let name: String
  let session: String
  let values: [String: Any]

  static func of(_ file: String) throws -> [EventLine] {
    try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map { line in
      let values = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      return EventLine(
        name: try #require(values["event"] as? String), session: try #require(values["session"] as? String),
        values: values)
    }
  }
}

extension CommandTests {
  /// What happens in the trials of a run.
  @Suite(.tier(.test), .enabled(if: TestDevice.isAvailable, "no Vulkan device"))
  struct EventTests {
    @Test func eachTrialIsASession() throws {
      try Program.withClip { folder, clip in
        let files = ["-o", "record.json", "--events", "events.jsonl"]
        let result = try Program.run(
          Program.shortRun(clip, scenario: "decode,play,playlist", seconds: 1) + ["--trials", "2"] + files, in: folder)
        #expect(result.status == 0 && result.errors.contains("events: events.jsonl\n"), "\(result.errors)")
        let lines = try EventLine.of(folder + "/events.jsonl")
        #expect(Set(lines.map(\.session)).count == 4)
        for name in ["session_begin", "session_end"] { #expect(lines.count { $0.name == name } == 4, "\(name)") }
        let contents: [String] = lines.compactMap { $0.values["content"] as? String }
        let expected: [[String]] = (1...2).map { trial in
          ["play, trial \(trial)"] + Array(repeating: "playlist, trial \(trial)", count: 4)
        }
        #expect(contents == Array(expected.joined()))
        let firsts = lines.filter { $0.name == "first_frame" }
        #expect(firsts.count == 10 && firsts.allSatisfy { $0.values["first_frame_ms"] as? Double ?? 0 > 0 })
        #expect(lines.count { $0.name == "ended" } == 10 && lines.allSatisfy { $0.name != "error" }, "\(lines)")
        // The last picture may be seen behind the last look.
        let told = lines.filter { $0.name == "frames" }.compactMap { $0.values["presented"] as? Int }.reduce(0, +)
        let counted = try RecordText(file: folder + "/record.json").counter("presented") ?? 0
        #expect(counted > 0 && (counted - 20...counted).contains(told), "\(told) of \(counted)")
        let text = try String(contentsOfFile: folder + "/events.jsonl", encoding: .utf8)
        #expect(!text.contains("clip.mp4"), "no line names it")
      }
    }

    @Test func aStreamTellsItsRungs() throws {
      let ladder = try SharedLadders.flat()
      try TestFolders.withTemporary { folder in
        let run = Program.shortRun(ladder.folder, scenario: "stream", seconds: 1) + ["-o", "record.json", "--force"]
        let result = try Program.run(run + ["--events", "events.jsonl", "--rate", "20"], in: folder)
        #expect(result.status == 0, "\(result.errors)")
        let names = try EventLine.of(folder + "/events.jsonl").map(\.name)
        #expect(names.contains("quality") && names.last == "session_end" && !names.contains("error"), "\(names)")
        let traces = try Program.run(run + ["--events", "events.otlp.jsonl"], in: folder)
        #expect(traces.status == 0, "\(traces.errors)")
        let text = try String(contentsOfFile: folder + "/events.otlp.jsonl", encoding: .utf8)
        #expect(text.hasPrefix("{\"resourceSpans\":") && text.contains("resourceMetrics"))
      }
    }

    /// A break before the clip, one within it that fails, and one behind it, in the clip's own session.
    @Test func adsAreTold() throws {
      try Program.withClip { folder, clip in
        try Program.generate("ad.mp4", in: folder, ["--projection", "flat", "--size", "320x160", "--duration", "0.5"])
        let breaks = [("start", "ad.mp4"), ("50%", "gone.mp4"), ("end", "ad.mp4")].map { place, name in
          """
          <AdBreak timeOffset="\(place)"><AdSource><VASTAdData><VAST version="3.0"><Ad id="a"><InLine><AdTitle>private</AdTitle>
          <Creatives><Creative><Linear><MediaFiles><MediaFile type="video/mp4">\(folder)/\(name)</MediaFile></MediaFiles>
          </Linear></Creative></Creatives></InLine></Ad></VAST></VASTAdData></AdSource></AdBreak>
          """
        }
        try Data("<VMAP version=\"1.0\">\(breaks.joined())</VMAP>".utf8).write(to: URL(filePath: folder + "/ads.xml"))
        let result = try Program.run(
          Program.shortRun(clip, scenario: "ads", seconds: 1) + [
            "--ads", "ads.xml", "-o", "r.json", "--events", "events.jsonl",
          ],
          in: folder)
        #expect(result.status == 0, "\(result.errors)")
        let lines = try EventLine.of(folder + "/events.jsonl")
        let wanted = [
          "session_begin", "load", "ad_begin", "ad_end", "ready", "first_frame", "play", "ad_failed", "ended",
          "ad_begin", "ad_end", "unload", "session_end",
        ]
        let names = lines.map(\.name).filter { !$0.hasPrefix("stall") }
        #expect(names.filter { $0 != "frames" } == wanted, "\(lines)")
        #expect(names.suffix(3) == ["frames", "unload", "session_end"], "\(lines)")
        // One at the end, and one each ten seconds before it, which only a machine that stands still needs.
        let times = lines.filter { ["load", "frames"].contains($0.name) }.compactMap {
          $0.values["monotonic_ms"] as? Double
        }
        #expect(times.count == 1 + names.count { $0 == "frames" }, "\(lines)")
        #expect(zip(times, times.dropFirst().dropLast()).allSatisfy { $1 - $0 > 9_999 }, "\(times)")
        #expect(Set(lines.map(\.session)).count == 1)
        #expect(lines.compactMap { $0.values["content"] as? String } == ["ads, trial 1"])
        #expect(lines.compactMap { $0.values["outcome"] as? String } == ["played", "played"])
        #expect(lines.compactMap { $0.values["vast_error"] as? Int } == [401])
        let text = try String(contentsOfFile: folder + "/events.jsonl", encoding: .utf8)
        for secret in ["private", "ad.mp4", "clip.mp4"] { #expect(!text.contains(secret), "no line names it") }
        try Self.checkSchema(lines)
      }
    }

    /// Each line has what every line has, and nothing that the schema does not name.
    private static func checkSchema(_ lines: [EventLine]) throws {
      let data = try Data(contentsOf: URL(filePath: TestFolders.repository + "/results/events.schema.json"))
      let schema = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
      let properties = try #require(schema["properties"] as? [String: [String: Any]])
      let (names, required) = (properties["event"]?["enum"] as? [String], schema["required"] as? [String])
      for line in lines {
        #expect(names?.contains(line.name) == true && line.values.keys.allSatisfy { properties[$0] != nil }, "\(line)")
        #expect(required?.allSatisfy { line.values[$0] != nil } == true, "\(line)")
      }
    }

    @Test func whereNothingTellsEventsTheyAreRefused() throws {
      try TestFolders.withTemporary { folder in
        for (options, word) in [
          (["--scenario", "decode", "--events", "e.jsonl"], "no scenario of the run tells any"),
          (["--scenario", "stream", "--clients", "2", "--events", "e.jsonl"], "tells no events"),
          (["--scenario", "play", "--events", "-"], "take a file"),
          (["--scenario", "play", "--events", "a", "-o", "a"], "must name different files"),
        ] {
          let result = try Program.run(["run", "clip.mp4"] + options, in: folder)
          #expect(result.status == 64 && result.errors.contains(word), "\(options): \(result.errors)")
        }
      }
    }
  }
}

extension ViewCommandTests.ViewTests {
  /// What a hand does in the window is told, line by line, and complete once it has closed.
  @Test func eventsOfTheWindowAreWritten() throws {
    try Self.withClips { folder in
      let stage = try Stage(["one.mp4"], in: folder, ["--events", "events.jsonl"])
      #expect(try stage.number { $0 > 0 }.map { $0 > 0 } == true)
      try stage.press(.space)
      // Two keys in one refresh would be one change.
      let hasPaused = Patience.until {
        (try? String(contentsOfFile: folder + "/events.jsonl", encoding: .utf8))?.contains("\"pause\"") == true
      }
      #expect(hasPaused)
      try stage.press(.digit5)
      #expect(try stage.number { $0 == 60 } == 60)
      let result = try stage.close()
      #expect(result.status == 0, "\(result.errors)")
      let lines = try EventLine.of(folder + "/events.jsonl")
      let names = lines.map(\.name)
      #expect(Set(lines.map(\.session)).count == 1 && names.first == "session_begin" && names.last == "session_end")
      let wanted = ["load", "ready", "play", "pause", "seek", "unload"]
      #expect(names.filter { wanted.contains($0) } == wanted, "\(names)")
      #expect(names.contains("first_frame") && names.contains("frames"), "\(names)")
      let seek = try #require(lines.first { $0.name == "seek" })
      #expect(abs((seek.values["to_s"] as? Double ?? 0) - 2) < 0.05 && seek.values["seek_ms"] as? Double ?? 0 > 0)
      let text = try String(contentsOfFile: folder + "/events.jsonl", encoding: .utf8)
      #expect(!text.contains("one.mp4"))
    }
  }
}
