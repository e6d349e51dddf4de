import Foundation
import Support
import Testing

extension CommandTests {
  /// `run --expect`, on a clip whose frames carry no number.
  @Suite struct ExpectTests {
    /// A clip of FFmpeg's own test picture, and its `clip.framehash`.
    private static func withClip(_ body: (_ folder: String) throws -> Void) throws {
      try TestFolders.withTemporary { folder in
        try Program.ffmpeg(
          ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=30:duration=1", "-pix_fmt", "yuv420p", "clip.mp4"],
          in: folder)
        try Program.ffmpeg(
          ["-i", "clip.mp4", "-map", "0:v:0", "-fps_mode", "passthrough", "-f", "framehash", "clip.framehash"],
          in: folder)
        try body(folder)
      }
    }

    private static func run(_ folder: String, _ options: [String]) throws -> (CommandOutput, record: RecordText?) {
      let arguments = [
        "run", "clip.mp4", "--trials", "1", "--duration", "0.5", "--size", "160x90", "-o", "x.json", "--force",
      ]
      let result = try Program.run(arguments + options, in: folder)
      return (result, try? RecordText(file: folder + "/x.json"))
    }

    @Test func rightFramesAreKnownToBeRight() throws {
      try Self.withClip { folder in
        let (unknown, record) = try Self.run(folder, ["--scenario", "decode"])
        #expect(unknown.status == 0 && record?.counter("wrong_frame") == nil, "\(unknown.errors)")
        for expected in ["clip.framehash", "software"] {
          let (result, record) = try Self.run(folder, ["--scenario", "decode", "--expect", expected])
          #expect(result.status == 0 && record?.counter("wrong_frame") == 0, "\(result.text)\(result.errors)")
          let source = expected == "software" ? "the software decoder's" : "that of clip.framehash"
          #expect(result.flowing.contains("every frame checked is \(source)"), "\(result.text)")
        }
      }
    }

    @Test(.enabled(if: TestDevice.isAvailable, "no Vulkan device")) func viewsAreChecked() throws {
      try Self.withClip { folder in
        for shading in ["fragment", "compute"] {
          let (result, record) = try Self.run(
            folder, ["--scenario", "pipeline,play", "--expect", "clip.framehash", "--shading", shading])
          #expect(result.status == 0 && record?.counter("wrong_frame") == 0, "\(result.text)\(result.errors)")
        }
      }
    }

    @Test func aFrameThatIsAnotherEndsWithThree() throws {
      try Self.withClip { folder in
        let file = folder + "/clip.framehash"
        var lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(String.init)
        let first = try #require(lines.firstIndex { !$0.hasPrefix("#") })
        lines[first + 7] = lines[first + 8]
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: file))
        let (result, record) = try Self.run(folder, ["--scenario", "decode", "--expect", "clip.framehash"])
        #expect(result.status == 3 && record?.counter("wrong_frame") == 1, "\(result.text)\(result.errors)")
        #expect(result.flowing.contains("frame 7 has the SHA256"), "\(result.text)")
      }
    }

    /// The ffmpeg tool scaled the frames of its file: no decoder is at fault.
    @Test func framesOfAnotherSizeAreLeftOut() throws {
      try TestFolders.withTemporary { folder in
        for size in ["320x180", "160x90"] {
          try Program.ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=size=\(size):rate=10:duration=1", "-pix_fmt", "yuv420p", "\(size).h264"],
            in: folder)
        }
        let parts = try ["320x180", "160x90"].map { try Data(contentsOf: URL(filePath: "\(folder)/\($0).h264")) }
        try parts.reduce(Data(), +).write(to: URL(filePath: folder + "/clip.mp4"))
        try Program.ffmpeg(
          ["-i", "clip.mp4", "-map", "0:v:0", "-fps_mode", "passthrough", "-f", "framehash", "clip.framehash"],
          in: folder)
        let (result, record) = try Self.run(folder, ["--scenario", "decode", "--expect", "clip.framehash"])
        #expect(result.status == 0 && record?.counter("wrong_frame") == 0, "\(result.text)\(result.errors)")
        #expect(
          record?.warningCodes.contains("left_out") == true && result.flowing.contains("'-autoscale 0'"),
          "\(result.text)")
      }
    }

    @Test func filesThatAreNoneAreRefused() throws {
      try Self.withClip { folder in
        try Program.run(["run", "clip.mp4", "--expect", "clip.mp4"], in: folder)
          .expectRefusal(saying: ["cannot use frame hashes 'clip.mp4'", "ffmpeg"])
        try Program.run(["run", "clip.mp4", "--expect", "nowhere"], in: folder)
          .expectRefusal(saying: ["cannot read frame hashes 'nowhere'"])
        let two = try Program.run(["run", "clip.mp4", "clip.mp4", "--expect", "clip.framehash"], in: folder)
        #expect(two.status == 64 && two.errors.contains("is of one clip"), "\(two.errors)")
      }
    }
  }
}
