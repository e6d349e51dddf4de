import Foundation
import Support
import Testing

extension CommandTests {
  /// Files that cannot be measured: every verb that reads says so in one sentence, and writes nothing.
  @Suite struct InputTests {
    /// Something that is no clip, and the words that must tell what it is instead.
    struct BadInput: CustomTestStringConvertible, Sendable {
      let name: String
      let words: [String]
      /// `probe` describes it; what needs pictures refuses it.
      var isDescribed = false
      let make: @Sendable (_ folder: String) throws -> Void
      var testDescription: String { name }
    }

    static let badInputs = [
      BadInput(name: "missing.mp4", words: ["no such file"]) { _ in },
      BadInput(name: "folder.mp4", words: ["it is a folder"]) {
        try FileManager.default.createDirectory(atPath: $0 + "/folder.mp4", withIntermediateDirectories: true)
      },
      BadInput(name: "empty.mp4", words: ["the file is empty"]) {
        try Data().write(to: URL(filePath: $0 + "/empty.mp4"))
      },
      BadInput(name: "text.mp4", words: ["not a video"]) {
        try Data("This is a letter, not a film.\n".utf8).write(to: URL(filePath: $0 + "/text.mp4"))
      },
      BadInput(name: "sound.m4a", words: ["no video stream", "only audio"], isDescribed: true) {
        try Program.ffmpeg(["-f", "lavfi", "-i", "sine=d=1", "sound.m4a"], in: $0)
      },
      BadInput(name: "truncated.mp4", words: ["truncated"]) {
        let whole = try Data(contentsOf: URL(filePath: $0 + "/" + Program.generate("whole.mp4", in: $0)))
        try whole.prefix(whole.count * 2 / 3).write(to: URL(filePath: $0 + "/truncated.mp4"))
        try FileManager.default.removeItem(atPath: $0 + "/whole.mp4")
      },
    ]

    @Test(arguments: badInputs)
    func isRefusedByEveryVerb(input: BadInput) throws {
      try TestFolders.withTemporary { folder in
        try input.make(folder)
        let before = try names(in: folder)
        let probes = [["probe", input.name], ["probe", input.name, "--json"]]
        for arguments in probes where input.isDescribed {
          let result = try Program.run(arguments, in: folder)
          #expect(
            result.status == 0 && (result.text.contains("video       none") || result.text.contains("\"video\" : null"))
          )
        }
        for arguments in (input.isDescribed ? [] : probes) + [
          ["snapshot", input.name, "-o", "picture.png"],
          ["thumbnails", input.name, "-o", "track.vtt"],
          Program.shortRun(input.name) + ["-o", "record.json"],
          Program.shortRun(input.name, scenario: "decode") + ["-o", "-"],
        ] {
          try Program.run(arguments, in: folder).expectRefusal(saying: ["'\(input.name)'"] + input.words)
        }
        #expect(try names(in: folder) == before)
      }
    }

    /// A clip whose codec FFmpeg does not know at all.
    @Test func aVideoWithoutSizeIsRefused() throws {
      try TestFolders.withTemporary { folder in
        try Program.ffmpeg(
          ["-f", "lavfi", "-i", "testsrc=s=64x64:d=1", "-c:v", "rawvideo", "-pix_fmt", "bgr24", "zero.avi"], in: folder)
        var data = try Data(contentsOf: URL(filePath: folder + "/zero.avi"))
        // Width and height in the stream's BITMAPINFOHEADER.
        let format = try #require(data.range(of: Data("strf".utf8))).lowerBound + 12
        data.replaceSubrange(format..<format + 8, with: Data(count: 8))
        try data.write(to: URL(filePath: folder + "/zero.avi"))
        for arguments in [["snapshot", "zero.avi", "-o", "picture.png"], Program.shortRun("zero.avi") + ["-o", "-"]] {
          try Program.run(arguments, in: folder).expectRefusal(saying: ["'zero.avi'", "no size"])
        }
        #expect(try names(in: folder) == ["zero.avi"])
      }
    }

    @Test func anUnknownCodecIsNamed() throws {
      try TestFolders.withTemporary { folder in
        try Program.ffmpeg(["-f", "lavfi", "-i", "testsrc=s=64x64:d=1", "-c:v", "mpeg4", "known.avi"], in: folder)
        var bytes = try Data(contentsOf: URL(filePath: folder + "/known.avi"))
        while let range = bytes.firstRange(of: Data("FMP4".utf8)) {
          bytes.replaceSubrange(range, with: Data("QXZW".utf8))
        }
        try bytes.write(to: URL(filePath: folder + "/unknown.avi"))
        for arguments in [
          ["probe", "unknown.avi"], ["snapshot", "unknown.avi", "-o", "x.png"],
          Program.shortRun("unknown.avi") + ["-o", "x.json"],
        ] {
          let result = try Program.run(arguments, in: folder)
          result.expectRefusal(saying: ["'unknown.avi'", "no decoder", "codec"])
          #expect(result.errors.contains("QXZW"), "\(result.errors)")
        }
        #expect(try names(in: folder) == ["known.avi", "unknown.avi"])
      }
    }

    @Test(
      .enabled(if: TestFolders.media != nil, "BENCH360_MEDIA names no folder of clips"),
      arguments: [
        "debian+firefox-esr-140.12.0esr/dom/media/test/bipbop-clearkey-video-av1.mp4",
        "debian+firefox-esr-140.12.0esr/dom/media/test/tearsofsteel_1frame_encrypted.mp4",
        "joeyparrish+shaka-packager/packager/app/test/testdata/hdr10-with-encryption/bear-640x360-hevc-hdr10-video.mp4",
      ])
    func encryptedVideoIsRefusedAsSuch(path: String) throws {
      let clip = try #require(TestFolders.clip(path))
      try TestFolders.withTemporary { folder in
        for arguments in [
          Program.shortRun(clip) + ["-o", "x.json"], Program.shortRun(clip, scenario: "decode") + ["-o", "x.json"],
          ["snapshot", clip, "-o", "x.png"],
        ] {
          try Program.run(arguments, in: folder).expectRefusal(saying: ["'\(clip)'", "encrypted", "unprotected copy"])
        }
        #expect(try names(in: folder).isEmpty)
        // What it is can still be asked.
        let probed = try Program.run(["probe", clip], in: folder)
        #expect(probed.status == 0 && probed.text.contains("encrypted"))
      }
    }

    @Test func standardInputIsRead() throws {
      try Program.withClip { folder, clip in
        let data = try Data(contentsOf: URL(filePath: folder + "/" + clip))
        let temporary = ["TMPDIR": folder + "/spool"]
        try FileManager.default.createDirectory(atPath: folder + "/spool", withIntermediateDirectories: true)
        let result = try Program.run(
          Program.shortRun("-") + ["-o", "-"], in: folder, input: data, environment: temporary)
        #expect(result.status == 0, "\(result.errors)")
        #expect(try RecordText(result.output).inputName == "standard input")
        let probed = try Program.run(["probe", "-", "--json"], in: folder, input: data, environment: temporary)
        #expect(probed.status == 0 && probed.text.contains(": 320"))
        #expect(try names(in: folder + "/spool").isEmpty, "the spooled clip stayed behind")
      }
    }

    @Test func emptyStandardInputIsRefused() throws {
      try TestFolders.withTemporary { folder in
        try Program.run(Program.shortRun("-") + ["-o", "-"], in: folder, input: Data()).expectRefusal(saying: ["empty"])
      }
    }
  }
}
