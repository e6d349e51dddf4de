import Foundation
import Support
import Testing

extension CommandTests {
  /// What `--verbose` and `BENCH360_LOG` say on standard error.
  @Suite(.enabled(if: TestDevice.isAvailable, "no Vulkan device"))
  struct LogTests {
    private struct Line {
      var label: String
      var level: String
      var message: String
      var process: Int
    }

    /// The lines of the log among others.
    private static func log(_ result: CommandOutput) throws -> [Line] {
      result.errorLines.compactMap { line in
        guard let parts = line.wholeMatch(of: /[0-9]+\.[0-9]{6} \[([A-Za-z0-9]+)\] ([a-z]+) (.*) process=([0-9]+)/)
        else {
          return nil
        }
        return Line(
          label: String(parts.1), level: String(parts.2), message: String(parts.3), process: Int(parts.4) ?? 0)
      }
    }

    private static func shortRun(_ clip: String, _ extra: [String], _ log: String?, in folder: String) throws
      -> CommandOutput
    {
      try Program.run(
        Program.shortRun(clip) + ["--format", "json", "-o", "-"] + extra, in: folder,
        environment: log.map { ["BENCH360_LOG": $0] } ?? [:])
    }

    @Test func childProcessesLogAsTheirParentDoes() throws {
      try Program.withClip { folder, clip in
        for result in [
          try Self.shortRun(clip, [], "debug", in: folder), try Self.shortRun(clip, ["--verbose"], nil, in: folder),
        ] {
          #expect(result.status == 0, "\(result.errors)")
          let lines = try Self.log(result)
          let parent = try #require(lines.first { $0.label == "bench360" }?.process)
          let started = lines.filter { $0.label == "Host" && $0.message.hasPrefix("started a process ") }
          #expect(!started.isEmpty && started.allSatisfy { $0.process == parent })
          // A trial opens the clip, in a process of its own.
          let opened = lines.filter { $0.label == "Media" && $0.process != parent }
          #expect(!opened.isEmpty, "\(result.errors)")
          for line in opened { #expect(started.contains { $0.message.contains("id=\(line.process) ") }) }
          #expect(lines.contains { $0.label == "GPU" && $0.message.hasPrefix("chose a device ") })
          #expect(lines.contains { $0.label == "Decode" && $0.message.hasPrefix("opened a decoder ") })
          #expect(lines.allSatisfy { $0.level != "trace" })
          // The record is whole, and alone on standard output.
          #expect(try RecordText(result.output).isComplete == true)
        }
      }
    }

    /// Trials of MP4 leave the video's parameters to the decoder.
    @Test func aHealthyClipHasNoWarnings() throws {
      try Program.withClip { folder, clip in
        let result = try Self.shortRun(clip, [], "FFmpeg=warning", in: folder)
        #expect(try result.status == 0 && Self.log(result).isEmpty, "\(result.errors)")
      }
    }

    @Test func nothingIsSaidByDefault() throws {
      try Program.withClip { folder, clip in
        let result = try Program.run(["probe", clip, "--json"], in: folder)
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        let measured = try Self.shortRun(clip, [], nil, in: folder)
        #expect(try measured.status == 0 && Self.log(measured).isEmpty, "\(measured.errors)")
      }
    }

    @Test func ofOneModuleIsOnlyThatModule() throws {
      try Program.withClip { folder, clip in
        let result = try Program.run(["probe", clip], in: folder, environment: ["BENCH360_LOG": "FFmpeg=trace"])
        let lines = try Self.log(result)
        #expect(result.status == 0 && !lines.isEmpty && lines.count == result.errorLines.count, "\(result.errors)")
        #expect(lines.allSatisfy { $0.label == "FFmpeg" })
        #expect(lines.contains { $0.message.contains("component=mov,mp4") })
      }
    }

    /// A clip none of whose packets can be decoded.
    private static func damagedClip(in folder: String) throws -> String {
      let (whole, damaged) = (folder + "/whole.mp4", folder + "/damaged.mp4")
      try Program.generate("whole.mp4", in: folder, ["--codec", "h264", "--size", "128x64", "--duration", "10"])
      var bytes = try Data(contentsOf: URL(filePath: whole))
      let name = try #require(bytes.firstRange(of: Data("mdat".utf8)))
      let start = name.lowerBound - 4
      let length = bytes[start..<name.lowerBound].reduce(0) { $0 << 8 | Int($1) }
      bytes.replaceSubrange(name.upperBound..<start + length, with: Data(repeating: 0x7F, count: length - 8))
      try bytes.write(to: URL(filePath: damaged))
      return damaged
    }

    @Test func ofAFloodOfErrorsTheFirstAreTold() throws {
      try TestFolders.withTemporary { folder in
        let clip = try Self.damagedClip(in: folder)
        let errors = try ["error", "debug"].map { level in
          let result = try Program.run(["probe", clip], in: folder, environment: ["BENCH360_LOG": "FFmpeg=\(level)"])
          return try Self.log(result).filter { $0.level == "error" }.map(\.message)
        }
        #expect(errors[0].count < errors[1].count, "\(errors[0].count) of \(errors[1].count)")
        #expect(errors[0].contains { $0.contains("left out until this second is over") })
        #expect(!errors[1].contains { $0.contains("left out") })
      }
    }

    @Test func aLevelThatDoesNotExistIsAUsageError() throws {
      try TestFolders.withTemporary { folder in
        let result = try Program.run(["probe", "x.mp4"], in: folder, environment: ["BENCH360_LOG": "loud"])
        result.expectRefusal(status: 64, saying: ["BENCH360_LOG", "'loud' is no level", "trace, debug"])
      }
    }

    @Test func secretsOfURLsStayOut() throws {
      try TestFolders.withTemporary { folder in
        let url = "http://me:word@127.0.0.1:9/a.mp4?token=hidden"
        let result = try Program.run(["probe", url, "-v"], in: folder, environment: ["BENCH360_LOG": "trace"])
        #expect(result.status == 1)
        #expect(try Self.log(result).contains { $0.label == "Media" && $0.message.contains("open a network input") })
        for secret in ["word", "hidden"] { #expect(!result.errors.contains(secret), "\(result.errors)") }
      }
    }
  }
}
