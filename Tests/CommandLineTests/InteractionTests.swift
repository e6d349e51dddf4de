import Foundation
import Frames
import Glibc
import Support
import Testing

extension CommandLineTests {
  /// A hand on the view, by the program: what it measures and keeps, and that it shows what it says.
  @Suite struct InteractionTests {
    private static let variants = ["drag", "drag-paused", "wheel", "keys"]

    private static func run(_ scenario: String, _ clip: String, in folder: String, _ options: [String] = []) throws
      -> RecordText
    {
      let result = try Program.run(
        Program.shortRun(clip, scenario: scenario) + ["--duration", "2", "-o", "record.json"] + options, in: folder)
      #expect(result.status == 0, "\(result.errors)")
      return try RecordText(file: folder + "/record.json")
    }

    private static func counter(_ scenario: [String: Any], _ name: String) -> Int? {
      let trial = (scenario["trials"] as? [[String: Any]])?.first
      return (trial?["counters"] as? [String: Any])?[name] as? Int
    }

    private static func latencies(_ scenario: [String: Any]) -> [Double] {
      let trial = (scenario["trials"] as? [[String: Any]])?.first
      let metrics = trial?["metrics"] as? [String: [String: Any]]
      return metrics?["input_latency_ms"]?["samples"] as? [Double] ?? []
    }

    @Test(.enabled("no python3 can import jsonschema") { PythonJudge.hasJSONSchema || PythonJudge.isRequired })
    func everyVariantIsMeasuredAndRight() throws {
      try Program.withClip { folder, clip in
        let record = try Self.run("interaction", clip, in: folder, ["--trace", "trace.json"])
        #expect(try PythonJudge.schemaRefusals([folder + "/record.json"]).isEmpty)
        #expect(record.scenarios.map { $0["variant"] as? String } == Self.variants)
        for scenario in record.scenarios {
          let variant = scenario["variant"] as? String ?? ""
          let (latencies, views) = (Self.latencies(scenario), Self.counter(scenario, "views") ?? -1)
          #expect(latencies.count >= 2 && latencies.allSatisfy { $0 > 0 }, "\(variant)")
          #expect(Self.counter(scenario, "wrong_frame") == 0, "\(variant)")
          #expect((0...latencies.count).contains(Self.counter(scenario, "over_one_refresh") ?? -1))
          #expect(views > 10 && scenario["present_source"] as? String == "submit_complete")
          // While it is paused one frame is all there is; however slow the machine, no view is of another.
          if variant == "drag-paused" { #expect(Self.counter(scenario, "presented") == 1) }
        }
        // Views that were read back lie where the hand had led: another direction would be far off.
        #expect(record.samples("ws_psnr_db").count == 8 && record.samples("ws_psnr_db").allSatisfy { $0 > 30 })
        let settings = try #require(record.values["settings"] as? [String: Any])
        #expect(settings["refresh_hz"] as? Double == 60 && settings["input_events"] == nil)
      }
    }

    /// The hand's movements depend on the file alone, not on the machine's speed.
    @Test func whatAHandDidIsPlayedBack() throws {
      try Program.withClip { folder, clip in
        let events = (0..<20).map {
          #"{"time": \#(Double($0) * 0.031), "event": "zoom", "steps": 0.2, "x": 9, "y": 9}"#
        }
        let text =
          #"{"schema": "bench360-input/1", "width": 320, "height": 180, "events": ["#
          + events.joined(separator: ",\n") + "]}"
        try Data(text.utf8).write(to: URL(filePath: folder + "/hand.json"))
        let record = try Self.run("interaction/recorded", clip, in: folder, ["--input-events", "hand.json"])
        #expect(record.samples("input_latency_ms").count == 20 && record.counter("wrong_frame") == 0)
        let settings = try #require(record.values["settings"] as? [String: Any])
        let judge = try CommandOutput.of("sha256sum", [folder + "/hand.json"]).text.prefix(64)
        #expect(settings["input_events"] as? String == "hand.json")
        #expect(settings["input_events_sha256"] as? String == String(judge))
      }
    }

    @Test func whatCannotBeLookedAroundInIsSaid() throws {
      try TestFolders.withTemporary { folder in
        let clip = try Program.generate("flat.mp4", in: folder, ["--projection", "flat"])
        try Program.run(Program.shortRun(clip, scenario: "interaction/drag"), in: folder)
          .expectRefusal(saying: ["'flat.mp4'", "it is shown flat", "--projection equirectangular"])
        try Data("{}".utf8).write(to: URL(filePath: folder + "/hand.json"))
        try Program.run(
          Program.shortRun(clip, scenario: "interaction/recorded") + ["--input-events", "hand.json"], in: folder
        ).expectRefusal(saying: ["'hand.json'", "schema is missing"])
      }
    }

    @Test func aPortInUseIsSaid() throws {
      try TestFolders.withTemporary { folder in
        let listener = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(listener) }
        let port = try #require(Datagrams.bind(listener))
        try Program.run(["view", "missing.mp4", "--head-tracking", "\(port)"], in: folder)
          .expectRefusal(saying: ["UDP port \(port) of 127.0.0.1", "another program listens there"])
      }
    }

    /// A pointer and a head in front of a window: what they did is kept, and played back.
    @Test(
      .enabled(if: VirtualDisplay.isAvailable, "Xvfb is not installed"),
      .enabled(if: TestDevice.isAvailable, "no Vulkan device"))
    func whatIsDoneInAWindowIsKept() throws {
      try Program.withClip { folder, clip in
        let display = try VirtualDisplay(size: PictureSize(width: 800, height: 600))
        let head = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(head) }
        let port = try Datagrams.freePort()
        let running = try RunningProgram(
          ["view", clip, "--size", "640x360", "--loop", "--record-input", "hand.json", "--head-tracking", "\(port)"],
          in: folder, environment: ["DISPLAY": display.name, "XDG_CONFIG_HOME": folder])
        let title = "\(clip) — bench360"
        // Until the window is there and its reader listens.
        #expect(Patience.until(every: 20) { (try? display.act("pointer 100 100", on: title)) != nil })
        // The clip plays: with its pictures the window's loop goes round, and looks at what came.
        func goesRound() throws {
          #expect(try display.shows(changes: 4, size: PictureSize(width: 640, height: 360)))
        }
        for words in ["pointer 300 200", "buttondown 1", "pointer 200 180", "buttonup 1"] {
          try display.act(words, on: title)
          try goesRound()
        }
        Datagrams.send([0, 0, 0, 33, -12, 4], from: head, to: port)
        try goesRound()
        Datagrams.send([0, 0, 0, .nan, 0, 0], from: head, to: port)
        try goesRound()
        try display.act("close", on: title)
        let result = try running.wait()
        #expect(result.status == 0 && result.errors.contains("input events: hand.json"), "\(result.errors)")
        let file = try #require(
          try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: folder + "/hand.json")))
            as? [String: Any])
        let events = try #require(file["events"] as? [[String: Any]])
        let names = events.compactMap { $0["event"] as? String }
        #expect(names.first == "grab" && names.contains("drag") && names.contains("let-go"), "\(names)")
        let look = try #require(events.last { $0["event"] as? String == "look" })
        #expect((look["pan"] as? Double, look["tilt"] as? Double, look["roll"] as? Double) == (33, -12, 4))
        #expect(events.count { $0["event"] as? String == "look" } == 1, "a head that is held still costs nothing")
        #expect(file["width"] as? Int == 640 && file["height"] as? Int == 360)
        // On a busy machine the hand took its time.
        let seconds = events.compactMap { $0["time"] as? Double }.max() ?? 0
        let record = try Self.run(
          "interaction/recorded", clip, in: folder,
          ["--input-events", "hand.json", "--duration", "\((seconds + 1).rounded(.up))"])
        #expect(record.samples("input_latency_ms").count >= 2 && record.counter("wrong_frame") == 0)
      }
    }
  }
}

/// Datagrams on this machine.
private enum Datagrams {
  private static func withPlace<Result>(
    _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = port.bigEndian
    place.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    return withUnsafePointer(to: place) { place in
      place.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
  }

  /// The free port that a socket got; nil where there is none.
  static func bind(_ socket: Int32) -> UInt16? {
    guard withPlace(0, { Glibc.bind(socket, $0, $1) }) == 0 else { return nil }
    var place = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isKnown = withUnsafeMutablePointer(to: &place) { place in
      place.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) == 0 }
    }
    return isKnown ? UInt16(bigEndian: place.sin_port) : nil
  }

  /// One that was free a moment ago.
  static func freePort() throws -> UInt16 {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(socket) }
    return try #require(bind(socket))
  }

  static func send(_ values: [Double], from socket: Int32, to port: UInt16) {
    let bytes = values.flatMap { value in (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) } }
    _ = withPlace(port) { sendto(socket, bytes, bytes.count, 0, $0, $1) }
  }
}
