import Foundation
import Frames
import Support
import Testing

extension CommandTests {
  /// Names of files, titles and languages reach the terminal as text, never as commands to it.
  @Suite struct TerminalTextTests {
    private static let hostile = "\u{1B}[31mX\u{1B}]0;t\u{7}\u{9B}2J\u{202E}\u{200B}\u{2066}\nbench360: forged"

    private static func expectPlain(_ result: CommandOutput, _ arguments: [String]) {
      for text in [result.text, result.errors] {
        #expect(text == printable(text, keepsLines: true), "\(arguments): \(printable(text, keepsLines: true))")
        // In a quoted cell of CSV a line may end.
        let isForged = text.split(separator: "\n").contains { $0.hasPrefix("bench360: forged") }
        #expect(!isForged || arguments.contains("csv"), "\(arguments): \(text)")
      }
    }

    @Test func clipsCannotSteerTheTerminal() throws {
      try TestFolders.withTemporary { folder in
        try Program.generate("clip.mp4", in: folder)
        let name = "n\(Self.hostile).mkv"
        try Data("1\n00:00:00,000 --> 00:00:01,000\nhello\n".utf8).write(to: URL(filePath: folder + "/side.srt"))
        try Program.ffmpeg(
          ["-i", "clip.mp4", "-f", "lavfi", "-i", "sine=d=2", "-i", "side.srt", "-c:v", "copy", "-c:s", "srt"]
            + ["v:0", "a:0", "s:0"].flatMap {
              ["-metadata:s:\($0)", "language=\(Self.hostile)", "-metadata:s:\($0)", "title=\(Self.hostile)"]
            } + ["-metadata", "title=\(Self.hostile)", "./" + name], in: folder)
        try FileManager.default.copyItem(
          atPath: folder + "/side.srt", toPath: folder + "/n\(Self.hostile).\(Self.hostile).srt")
        let run = Program.shortRun(name, scenario: "decode") + ["--label", Self.hostile]
        let summary = ["GITHUB_STEP_SUMMARY": folder + "/summary.md"]
        for arguments in ["table", "json", "csv", "markdown"].map({
          run + ["-o", "\(Self.hostile).json", "--format", $0]
        }) + [
          run + ["-o", "-"], ["probe", name], ["probe", name, "--json"],
          ["snapshot", name, "-o", "x.png", "--size", "64x64"],
          ["thumbnails", name, "-o", "x.vtt"], ["thumbnails", name, "-o", "\(Self.hostile).vtt"],
        ] {
          let result = try Program.run(arguments, in: folder, environment: summary)
          #expect(result.status == 0, "\(result.errors)")
          Self.expectPlain(result, arguments)
        }
        let record = "\(Self.hostile).json"
        for arguments in [
          ["compare", record, record, "--noise-floor", "1"], ["compare", record, record, "--format", "junit"],
          ["compare", record, record, "--format", "markdown"], ["history", record, "--metric", "decode_fps"],
          ["merge", record, "-o", "merged\(Self.hostile)"], ["report", record, "-o", "r\(Self.hostile).html"],
        ] {
          Self.expectPlain(try Program.run(arguments, in: folder, environment: summary), arguments)
        }
        let markdown = try String(contentsOfFile: folder + "/summary.md", encoding: .utf8)
        #expect(markdown == printable(markdown, keepsLines: true))
        // A script still reads the name as it is.
        #expect(try RecordText(file: folder + "/" + record).inputName == name)
      }
    }

    @Test func refusalsCannotSteerTheTerminal() throws {
      try TestFolders.withTemporary { folder in
        let name = Self.hostile
        let clip = try Program.generate("clip.mp4", in: folder)
        for arguments in [
          ["probe", name], ["snapshot", name, "-o", "x.png"], ["thumbnails", name, "-o", "x.vtt"], ["run", name],
          ["compare", name, name], ["report", name], ["history", name, "--metric", "decode_fps"],
          ["merge", name, "-o", "x"],
          ["run", "--matrix", name, "-o", "x"], ["ab", "--base", "echo \(name) >&2; false", "--head", name],
          ["run", clip, "--camera", name + ".json"], ["run", clip, "--device", name],
        ] {
          let result = try Program.run(arguments, in: folder)
          #expect(result.status != 0)
          Self.expectPlain(result, arguments)
        }
        // The parser of arguments quotes the typed text in several lines of its own.
        let usage = try Program.run(["run", "--\u{1B}[31m\u{202E}"], in: folder)
        #expect(usage.status == 64 && usage.errors == printable(usage.errors, keepsLines: true))
      }
    }
  }

  /// An answer that cannot be written is a failure that says so; a reader that has gone is told nothing.
  @Suite struct StandardOutputTests {
    private static func shell(_ script: String, in folder: String) throws -> CommandOutput {
      try CommandOutput.of(
        "/bin/bash", ["-c", script.replacing("bench360", with: "'\(TestFolders.program)'")],
        // Chosen by the user, so that 'doctor' does not measure it.
        environment: Program.environment(folder).merging(["LP_NATIVE_VECTOR_WIDTH": "256"]) { $1 }, folder: folder)
    }

    @Test func aFullDiskIsTold() throws {
      try Program.withClip { folder, clip in
        let run = "bench360 " + Program.shortRun(clip, scenario: "decode").joined(separator: " ") + " -o record.json"
        for command in [
          "bench360 probe \(clip)", "bench360 probe \(clip) --json", "bench360 doctor", "\(run) --trace trace.json",
          run + " --format csv", run + " --format json", run.replacing("record.json", with: "-"), "bench360 --help",
          "bench360 --version", "bench360 run --help", "bench360 --generate-completion-script bash",
        ] {
          let result = try Self.shell(command + " > /dev/full", in: folder)
          #expect(result.status == 1, "\(command)")
          let told = result.errorLines.filter { $0.hasPrefix("bench360: ") }
          #expect(
            told.count == 1 && result.errors.contains("cannot write standard output: no space left on device"),
            "\(command): \(result.errors)")
        }
        let closed = try Self.shell("bench360 probe \(clip) >&-", in: folder)
        #expect(closed.status == 1 && closed.errors.contains("cannot write standard output: bad file descriptor"))
        // Measurements are kept all the same.
        #expect(try RecordText(file: folder + "/record.json").isComplete == true)
        #expect(FileManager.default.fileExists(atPath: folder + "/trace.json"))
      }
    }

    @Test func aReaderThatHasGoneIsToldNothing() throws {
      try Program.withClip { folder, clip in
        // Open for writing while there is a reader, who goes before anything is written.
        let result = try Self.shell(
          "mkfifo gone; exec 3<>gone 4>gone 3<&-; bench360 probe \(clip) >&4; echo status $? >&2", in: folder)
        #expect(result.errors == "status 1\n", "\(result.errors)")
      }
    }
  }
}
