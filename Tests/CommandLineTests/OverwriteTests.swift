import Foundation
import Support
import Testing

extension CommandTests {
  /// Nothing is written over another person's file.
  @Suite struct OverwriteTests {
    /// Verbs with an output at the end of their arguments, and what they call it.
    private static let writers: [(arguments: [String], name: String)] = [
      (["generate", "--duration", "0.1", "-o"], "synthetic clip"), (["run", "clip.mp4", "--output"], "record"),
      (["run", "clip.mp4", "--trace"], "trace"), (["run", "clip.mp4", "--frames"], "frame table"),
      (["report", "record.json", "-o"], "report"), (["merge", "record.json", "-o"], "record"),
      (["compare", "record.json", "record.json", "-o"], "comparison"),
      (["ab", "--base", "true", "--head", "true", "-o"], "comparison"), (["snapshot", "clip.mp4", "-o"], "picture"),
      (["thumbnails", "clip.mp4", "-o"], "thumbnail track"), (["view", "clip.mp4", "--record"], "record"),
      (["view", "clip.mp4", "--record-input"], "input events"), (["abr", "--network", "none", "-o"], "sessions"),
      (["serve", ".", "--log"], "request log"),
    ]

    @Test(arguments: writers.indices)
    func anotherPersonsFileStays(index: Int) throws {
      let (arguments, name) = Self.writers[index]
      try TestFolders.withTemporary { folder in
        try MadeRecord.real().write(folder + "/record.json")
        // The name that the verb wants: files are known by their content.
        let file =
          switch arguments[0] {
          case "merge": "mine.json"
          case "snapshot": "mine.png"
          case "thumbnails": "mine.vtt"
          default: "mine.mp4"
          }
        let film = Data("another user's film".utf8)
        try film.write(to: URL(filePath: folder + "/" + file))
        let result = try Program.run(arguments + [file], in: folder)
        // No clip is there: it is refused before anything is opened or measured.
        result.expectRefusal(saying: ["cannot write the \(name) to '\(file)'", "is there", "--force"])
        #expect(try Data(contentsOf: URL(filePath: folder + "/" + file)) == film)
        #expect(try names(in: folder) == [file, "record.json"].sorted())
      }
    }

    @Test func whatBench360WroteIsReplacedAndTheRestByForce() throws {
      try TestFolders.withTemporary { folder in
        try MadeRecord.real().write(folder + "/record.json")
        let film = Data("a film".utf8)
        for (arguments, file) in [
          (["report", "record.json", "-o"], "page.html"), (["compare", "record.json", "record.json", "-o"], "c.json"),
          (["merge", "record.json", "-o"], "merged.json"),
          (["generate", "--size", "160x80", "--duration", "0.1", "-o"], "synthetic.mp4"),
          (["generate", "--size", "160x80", "--duration", "0.1", "-o"], "synthetic.mkv"),
        ] {
          let url = URL(filePath: folder + "/" + file)
          let statuses: Set<Int32> = arguments[0] == "compare" ? [0, 8] : [0]
          for _ in 0..<2 {
            let result = try Program.run(arguments + [file], in: folder)
            #expect(statuses.contains(result.status), "\(arguments): \(result.errors)")
          }
          try film.write(to: url)
          #expect(try Program.run(arguments + [file], in: folder).status == 1)
          let forced = try Program.run(arguments + [file, "--force"], in: folder)
          #expect(statuses.contains(forced.status), "\(arguments): \(forced.errors)")
          #expect(try Data(contentsOf: url) != film)
        }
      }
    }

    /// An image of the track that is not ours leaves all files as they were, the track's too.
    @Test func anImageBesideTheTrackStays() throws {
      try Program.withClip { folder, clip in
        try Data("a photo".utf8).write(to: URL(filePath: folder + "/t-1.jpg"))
        try Program.run(["thumbnails", clip, "-o", "t.vtt"], in: folder).expectRefusal(
          saying: ["'t-1.jpg'", "not a JPEG picture", "--force"])
        #expect(try names(in: folder) == ["clip.mp4", "t-1.jpg"])
        #expect(try Program.run(["thumbnails", clip, "-o", "t.vtt", "--force"], in: folder).status == 0)
        #expect(try Program.run(["thumbnails", clip, "-o", "t.vtt"], in: folder).status == 0, "ours are replaced")
      }
    }

    /// Pictures follow links as records do: the target is replaced, the link stays.
    @Test func linksAreFollowed() throws {
      try Program.withClip { folder, clip in
        let manager = FileManager.default
        try manager.createDirectory(atPath: folder + "/sub", withIntermediateDirectories: true)
        for (arguments, name) in [
          (["snapshot", clip, "--size", "64x32"], "x.png"),
          (["generate", "--size", "160x80", "--duration", "0.1"], "y.mp4"),
          (["thumbnails", clip, "--every", "1"], "z.vtt"),
        ] {
          try manager.createSymbolicLink(atPath: folder + "/" + name, withDestinationPath: "sub/" + name)
          for _ in 0..<2 {
            let result = try Program.run(arguments + ["-o", name], in: folder)
            #expect(result.status == 0, "\(result.errors)")
            #expect(try manager.destinationOfSymbolicLink(atPath: folder + "/" + name) == "sub/" + name)
          }
          #expect(manager.fileExists(atPath: folder + "/sub/" + name))
        }
        #expect(try names(in: folder + "/sub") == ["x.png", "y.mp4", "z.vtt"], "nothing else is left")
      }
    }

    /// The shell's limit of a file's size ends in a sentence, and leaves nothing. Not `snapshot`: memory of Mesa 25's lavapipe is a file
    /// that must grow; `FailingCallTests` lets its writing fail.
    @Test func aLimitOfTheFileSizeIsTold() throws {
      try Program.withClip { folder, clip in
        let before = try names(in: folder)
        for (command, file) in [
          ("generate -o big.mp4 --size 640x320 --noise 40", "'big.mp4'"),
          ("thumbnails \(clip) -o big.vtt --width 320", "'big-1.jpg'"),
        ] {
          let result = try CommandOutput.of(
            "sh", ["-c", "trap '' XFSZ; ulimit -f 8; exec '\(TestFolders.program)' \(command)"],
            environment: Program.environment(folder), folder: folder)
          result.expectRefusal(saying: [file, "File too large"])
        }
        #expect(try names(in: folder) == before)
      }
    }

    @Test func aContainerTellsWhichCodecsItHolds() throws {
      try TestFolders.withTemporary { folder in
        try Program.run(["generate", "-o", "y.webm", "--duration", "0.1"], in: folder).expectRefusal(
          status: 64, saying: ["webm cannot hold h264", "vp9", "vp8", ".mkv"])
        #expect(try names(in: folder).isEmpty)
      }
    }
  }

  @Suite struct HostileNumberTests {
    /// Matroska's duration is a double: one that no count of nanoseconds holds.
    @Test(arguments: [1e300, 9.3e12, -1e300])
    func aDurationThatOverflowsEndsInThumbnailsOrASentence(duration: Double) throws {
      try TestFolders.withTemporary { folder in
        try Program.generate("clip.mkv", in: folder, ["--size", "160x80"])
        var bytes = [UInt8](try Data(contentsOf: URL(filePath: folder + "/clip.mkv")))
        // EBML: the element 4489, eight bytes long.
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: [0x44, 0x89, 0x88]) })
        bytes.replaceSubrange(
          place + 3..<place + 11, with: withUnsafeBytes(of: duration.bitPattern.bigEndian, Array.init))
        try Data(bytes).write(to: URL(filePath: folder + "/clip.mkv"))
        for options in [[], ["--every", "1e9"], ["--every", "0.001"]] {
          let result = try Program.run(["thumbnails", "clip.mkv", "-o", "t.vtt"] + options, in: folder)
          #expect([0, 1, 64].contains(result.status), "\(result.status): \(result.errors)")
          #expect(result.errorLines.count >= 1)
        }
      }
    }

    @Test func aDeviceAsRecordIsTold() throws {
      try TestFolders.withTemporary { folder in
        for verb in [
          ["compare", "/dev/zero", "/dev/zero"], ["report", "/dev/zero"], ["merge", "/dev/zero", "-o", "x"],
        ] {
          try Program.run(verb, in: folder).expectRefusal(saying: ["'/dev/zero'", "not a regular file"])
        }
      }
    }
  }
}
