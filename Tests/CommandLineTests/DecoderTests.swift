import Encode
import Foundation
import Frames
import Support
import Testing

extension CommandTests {
  @Suite struct DecoderTests {
    private static func listing() throws -> [String: Any] {
      try RecordText(Program.run(["devices", "--json"], in: NSTemporaryDirectory()).output).values
    }

    /// Why each decoder cannot be used on the first device; nil for usable ones.
    private static func obstacles() throws -> [String: String?] {
      let devices = try #require(try listing()["device_decoders"] as? [[String: Any]])
      let decoders = try #require(devices.first?["decoders"] as? [[String: Any]])
      return Dictionary(
        uniqueKeysWithValues: try decoders.map { (try #require($0["name"] as? String), $0["obstacle"] as? String) })
    }

    @Test func devicesTellsWhoDecodesOnEachAndWhyNot() throws {
      let obstacles = try Self.obstacles()
      #expect(Set(obstacles.keys) == ["software", "cuda", "vaapi", "vulkan"] && obstacles["software"] == .some(nil))
      let usable = try #require(try Self.listing()["decoders"] as? [String])
      #expect(usable.contains("software"))
      let table = try Program.run(["devices"], in: NSTemporaryDirectory()).flowing
      for (name, obstacle) in obstacles where name != "software" {
        #expect(
          obstacle.map { table.contains("\(name) no: \($0)") } ?? table.contains("\(name) frames are"), "\(table)")
      }
    }

    /// Decoded alone, drawn at once, and played: both parts count, and the record says of what.
    @Test(.enabled(if: TestDevice.isAvailable, "no Vulkan device"))
    func aChangeOfTheFormatIsInTheRecord() throws {
      let parts = [
        SharedClips.small { ($0.projection, $0.frames, $0.gop) = (.flat, 40, 10) },
        SharedClips.small {
          ($0.codec, $0.bitDepth, $0.projection, $0.frames, $0.gop) = ("hevc", 10, .flat, 40, 10)
          $0.size = PictureSize(width: 320, height: 240)
        },
      ]
      let clip = try SharedClips.joined("change-record", parts).path
      try TestFolders.withTemporary { folder in
        for scenario in ["decode", "pipeline", "play"] {
          let result = try Program.run(
            [
              "run", clip, "--scenario", scenario, "--trials", "1", "--duration", "3", "--size", "64x36", "-o",
              "x.json", "--force",
            ],
            in: folder)
          let warnings = try #require(try RecordText(file: folder + "/x.json").values["warnings"] as? [[String: Any]])
          let texts = warnings.filter { $0["code"] as? String == "format_changes" }.compactMap { $0["text"] as? String }
          #expect(result.status == 0 && texts.count == 1, "\(scenario): \(result.text)\(result.errors)")
          let text = texts.first ?? ""
          #expect(text.contains("h264 ") && text.contains("; then hevc 320x240 "), "\(scenario): \(text)")
        }
      }
    }

    @Test func aDecoderThatIsNotThereIsRefused() throws {
      try Program.withClip { folder, clip in
        for (name, obstacle) in try Self.obstacles() {
          guard let obstacle else { continue }
          for arguments in [
            Program.shortRun(clip) + ["-o", "x.json"], Program.shortRun(clip, scenario: "decode") + ["-o", "x.json"],
            ["snapshot", clip, "-o", "x.png"],
          ] {
            try Program.run(arguments + ["--decoder", name], in: folder)
              .expectRefusal(saying: ["'\(clip)' with \(name)", obstacle, "--decoder software"])
          }
        }
        #expect(try names(in: folder) == [clip])
      }
    }

    @Test func theRecordTellsWhoDecodedAndWhy() throws {
      try Program.withClip { folder, clip in
        for (decoder, scenario) in [("auto", "startup/warm"), ("software", "startup/warm"), ("auto", "decode")] {
          let result = try Program.run(
            Program.shortRun(clip, scenario: scenario) + ["-o", "-", "--decoder", decoder], in: folder)
          #expect(result.status == 0, "\(result.errors)")
          let settings = try #require(try RecordText(result.output).values["settings"] as? [String: Any])
          let reasons = try #require(settings["reasons"] as? [String: String])
          let name = try #require(settings["decoder"] as? String)
          #expect(["software", "cuda", "vaapi"].contains(name), "\(name)")
          #expect((reasons["decoder"] == nil) == (decoder == "software"), "\(reasons)")
          if scenario == "decode" { #expect(name == "software", "a frame that is not drawn is not shared") }
        }
      }
    }

    /// An upload that cannot be had is not measured as another one.
    @Test func sharedUploadsNeedADecoderThatShares() throws {
      try Program.withClip { folder, clip in
        for arguments in [
          Program.shortRun(clip, scenario: "pipeline") + ["-o", "x.json"], ["snapshot", clip, "-o", "x.png"],
        ] {
          try Program.run(arguments + ["--decoder", "software", "--upload", "shared"], in: folder)
            .expectRefusal(saying: ["'\(clip)' with --upload shared", "use --upload auto"])
        }
        #expect(try names(in: folder) == [clip])
      }
    }
  }
}
