import Foundation
import Support
import Testing

extension CommandTests {
  @Suite struct SnapshotTests {
    /// Width and height in a PNG's header.
    private static func pngSize(_ path: String) throws -> [Int] {
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
      try #require(bytes.count > 24 && Array(bytes[0..<8]) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
      return [16, 20].map { start in bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
    }

    private static func snapshot(_ options: [String], in folder: String) throws -> (data: Data, note: String) {
      let result = try Program.run(
        ["snapshot", "clip.mp4", "-o", "x.png", "--size", "200x100"] + options, in: folder)
      try #require(result.status == 0, "\(result.errors)")
      #expect(result.output.isEmpty)
      #expect(try pngSize(folder + "/x.png") == [200, 100])
      return (try Data(contentsOf: URL(filePath: folder + "/x.png")), result.errors)
    }

    @Test func optionsChangeThePicture() throws {
      try Program.withClip { folder, _ in
        let plain = try Self.snapshot([], in: folder).data
        #expect(try Self.snapshot([], in: folder).data == plain, "the same command draws the same picture")
        for options in [["--grid"], ["--view", "40,10"], ["--view", "0,0,40"], ["--projection", "flat"]] {
          #expect(try Self.snapshot(options, in: folder).data != plain, "\(options) changed nothing")
        }
      }
    }

    /// A flat picture has no view to look into.
    @Test func aViewThatIsIgnoredIsSaidToBe() throws {
      try TestFolders.withTemporary { folder in
        try Program.generate("clip.mp4", in: folder, ["--projection", "flat"])
        let plain = try Self.snapshot([], in: folder)
        let viewed = try Self.snapshot(["--view", "40,10"], in: folder)
        #expect(viewed.data == plain.data && !plain.note.contains("--view"))
        #expect(viewed.note.contains("bench360: --view is ignored: 'clip.mp4' is drawn flat"), "\(viewed.note)")
      }
    }

    /// Compute shading draws another picture, hardly; a snapshot is the exact one unless it is asked for the other.
    @Test func shadingIsChosenAndIsExactOtherwise() throws {
      try Program.withClip { folder, _ in
        let plain = try Self.snapshot([], in: folder).data
        #expect(try Self.snapshot(["--shading", "fragment"], in: folder).data == plain)
        #expect(try Self.snapshot(["--shading", "auto"], in: folder).data == plain)
        #expect(try Self.snapshot(["--shading", "compute"], in: folder).data != plain)
      }
    }

    @Test func theFrameIsTheOneAskedForOrOneWithinTheTolerance() throws {
      try TestFolders.withTemporary { folder in
        try Program.generate("clip.mp4", in: folder, ["--gop", "15", "--rate", "30"])
        #expect(try Self.snapshot(["--time", "1.1"], in: folder).note.contains("frame at 1.1 s"))
        // Signs stand as the manual writes them.
        #expect(try Self.snapshot(["--view", "-30,-5", "--time", "-0.0"], in: folder).note.contains("frame at 0.0 s"))
        // Sync samples lie half a second apart: any distance allowed means the nearest of them.
        let note = try Self.snapshot(["--time", "1.1", "--tolerance", "inf,inf"], in: folder).note
        #expect(note.contains("frame at 1.0 s"), "\(note)")
      }
    }
  }

  /// A transport stream with one sync sample: every seek by time lands behind it.
  @Suite struct TransportStreamTests {
    @Test func aFrameOfTheOnlyGroupIsFound() throws {
      try TestFolders.withTemporary { folder in
        try Program.generate("one.ts", in: folder, ["--gop", "60", "--rate", "30"])
        for time in ["0", "0.5", "1.5"] {
          let result = try Program.run(["snapshot", "one.ts", "-o", "x.png", "--time", time], in: folder)
          #expect(result.status == 0 && result.errors.contains("frame at \(Double(time) ?? -1) s"), "\(result.errors)")
        }
      }
    }
  }

  @Suite struct ProbeAndGenerateTests {
    @Test(arguments: [
      ["--codec", "h264"], ["--codec", "hevc", "--bit-depth", "10"], ["--codec", "mpeg4", "--projection", "flat"],
      ["--stereo", "tb", "--audio"], ["--vfr", "--gop", "10"],
    ])
    func whatIsGeneratedIsWhatIsProbed(options: [String]) throws {
      try TestFolders.withTemporary { folder in
        let made = try Program.run(
          ["generate", "-o", "clip.mp4", "--size", "512x256", "--duration", "0.5", "--rate", "24"] + options,
          in: folder)
        #expect(made.status == 0 && made.output.isEmpty, "\(made.errors)")
        let result = try Program.run(["probe", "clip.mp4", "--json"], in: folder)
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        let info = try RecordText(result.output).values
        let video = try #require(info["video"] as? [String: Any])
        if let codec = options.firstIndex(of: "--codec") { #expect(video["codec"] as? String == options[codec + 1]) }
        #expect(info["path"] as? String == "clip.mp4" && info["synthetic"] is [String: Any])
        let text = try Program.run(["probe", "clip.mp4"], in: folder).text
        #expect(text.contains("512x256") && text.contains("made by bench360"))
        #expect(text.contains("24.000") || options.contains("--vfr"), "\(text)")
      }
    }

    @Test func subtitlesAreListed() throws {
      try Program.withClip { folder, clip in
        let text = "1\n00:00:00,000 --> 00:00:01,000\nx\n"
        try Data(text.utf8).write(to: URL(filePath: folder + "/both.pt-BR.srt"))
        try Program.ffmpeg(
          [
            "-i", clip, "-i", "both.pt-BR.srt", "-map", "0", "-map", "1", "-c", "copy", "-c:s", "mov_text",
            "-metadata:s:s:0", "language=ger", "both.mp4",
          ], in: folder)
        let listed = try Program.run(["probe", "both.mp4"], in: folder).text
        #expect(listed.contains("subtitles   Portuguese (BR) (both.pt-BR.srt), subrip\n"), "\(listed)")
        #expect(listed.contains("German (stream 1), mov_text"), "\(listed)")
        let info = try RecordText(try Program.run(["probe", "both.mp4", "--json"], in: folder).output).values
        let tracks = try #require(info["subtitles"] as? [[String: Any]])
        #expect(tracks.map { $0["language"] as? String } == ["pt-BR", "de"])
        #expect(tracks.map { $0["file"] as? String } == ["both.pt-BR.srt", nil])
        #expect(tracks.map { $0["stream_index"] as? Int } == [nil, 1])
      }
    }

    @Test func theSameOptionsMakeTheSameFrames() throws {
      try TestFolders.withTemporary { folder in
        func frames(_ name: String, _ options: [String]) throws -> String {
          try Program.generate(name, in: folder, options)
          return try CommandOutput.of("ffmpeg", ["-v", "error", "-i", name, "-f", "md5", "-"], folder: folder).text
        }
        let first = try frames("a.mp4", [])
        #expect(first.hasPrefix("MD5="))
        #expect(try frames("b.mp4", []) == first)
        #expect(try frames("c.mp4", ["--seed", "7"]) != first)
      }
    }
  }
}
