import Foundation
import Frames
import Support
import TestPicture
import Testing

extension ViewCommandTests {
  /// The viewer, on a display of its own: keys and pointer go in, pictures come out.
  @Suite(
    .enabled(if: VirtualDisplay.isAvailable, "Xvfb is not installed"),
    .enabled(if: TestDevice.isAvailable, "no Vulkan device"))
  struct ViewTests {
    static let size = PictureSize(width: 640, height: 360)

    /// The bar's places are those of a window of 640x360: the track is 610 pixels wide, of which 305 are two of four seconds.
    @Test func keysAndHandsGoToFrames() throws {
      try Self.withClips { folder in
        let keys = try Self.write("n end # the other way round\n", to: "keys", in: folder)
        let stage = try Stage(["one.mp4"], in: folder)
        let playing = try stage.number { $0 > 0 }
        #expect((playing ?? 0) > 0, "it plays by itself")
        try stage.press(.space)
        try stage.press(.digit5)
        #expect(try stage.number { $0 == 60 } == 60, "half of 120 frames")
        try stage.press(.period)
        #expect(try stage.number { $0 == 61 } == 61)
        try stage.press(.comma)
        try stage.press(.comma)
        #expect(try stage.number { $0 == 59 } == 59)
        try stage.press(.n)
        #expect(try stage.number { $0 == 119 } == 119, "the key that the user chose")
        try stage.press(.home)
        #expect(try stage.number { $0 == 0 } == 0)
        try stage.press(.end)
        #expect(try stage.number { $0 == 119 } == 119)
        // It plays to its end, which is near; from there it starts over. Before that the key stops it and lets it go on.
        let startsOver = try Patience.until {
          try stage.press(.space)
          return try Patience.until(seconds: 1) { try stage.number() ?? 119 < 100 }
        }
        #expect(startsOver, "at the end it starts over")
        // A step ends playing; the key for a pause would begin it where the last one came late.
        try stage.press(.comma)
        // The first frame may be shown because it started over: what is asked for next would come before the key.
        try stage.press(.end)
        #expect(try stage.number { $0 == 119 } == 119)
        try stage.press(.home)
        #expect(try stage.number { $0 == 0 } == 0)
        // A picture of the view is what the window shows.
        try stage.press(.c)
        let picture = folder + "/one-0.0s.png"
        #expect(Patience.until { FileManager.default.fileExists(atPath: picture) })

        try stage.act("pointer 320 316")
        try stage.button(true)
        #expect(try stage.number { $0 == 60 } == 60)
        // The hand may leave the slider, sideways it moves it all the same.
        try stage.act("pointer 472 60")
        #expect(try stage.number { $0 == 90 } == 90)
        try stage.button(false)
        try stage.act("pointer 300 60")
        #expect(try stage.number { $0 == 90 } == 90, "it has let go")
        // The controls are: open, previous file, previous frame, play, next frame, next file. With one file, those of
        // files have no effect.
        try stage.click(138, 341)
        #expect(try stage.number { $0 == 91 } == 91)
        try stage.click(52, 341)
        try stage.click(167, 341)
        try stage.click(80, 341)
        try stage.click(80, 341)
        #expect(try stage.number { $0 == 89 } == 89)
        try stage.click(109, 341)
        #expect(try stage.number { $0 > 95 }.map { $0 > 95 } == true)
        let result = try stage.close()
        #expect(result.status == 0 && result.errors == "bench360: wrote one-0.0s.png\n", "\(result.errors)")

        try Data("n\n".utf8).write(to: keys)
        let refused = try Program.run(
          ["view", "one.mp4"], in: folder, environment: ["DISPLAY": stage.display.name, "XDG_CONFIG_HOME": folder])
        #expect(refused.status == 64 && refused.errors.contains("line 1"), "\(refused.errors)")
      }
    }

    /// Writes one of the user's files.
    @discardableResult
    static func write(_ text: String, to name: String, in folder: String) throws -> URL {
      try FileManager.default.createDirectory(atPath: folder + "/bench360", withIntermediateDirectories: true)
      let file = URL(filePath: "\(folder)/bench360/\(name)")
      try Data(text.utf8).write(to: file)
      return file
    }

    @Test func filesFollowOnEachOther() throws {
      try Self.withClips { folder in
        try Data("no video".utf8).write(to: URL(filePath: folder + "/bad.mp4"))
        let stage = try Stage(["one.mp4", "bad.mp4", "two.mp4"], in: folder, ["--loop"])
        #expect(try stage.number { $0 > 30 }.map { $0 > 30 } == true)
        try stage.press(.n)
        stage.shows("two.mp4")
        // It has 30 frames: looping, it never shows more.
        #expect(try stage.number { $0 < 30 }.map { $0 < 30 } == true)
        var (last, most) = (0, 0)
        let goesRound = try Patience.until {
          guard let number = try stage.number() else { return false }
          defer { last = number }
          most = max(most, number)
          return number < last
        }
        #expect(goesRound && most < 30)
        let result = try stage.close()
        #expect(result.status == 0 && result.errors.contains("bad.mp4"), "\(result.errors)")
      }
    }

    @Test func aLiveStreamIsNotEndedByGoingBack() throws {
      try TestFolders.withTemporary { folder in
        try Program.generate(
          "live.ts", in: folder, ["--projection", "flat", "--size", "160x90", "--duration", "20", "--codec", "mpeg2"])
        let server = try ClipServer(file: folder + "/live.ts", manner: .live)
        let stage = try Stage(["http://127.0.0.1:\(server.port)/live.ts"], in: folder)
        stage.shows("live.ts")
        let before = try #require(try stage.number { $0 > 5 })
        try stage.press(.left)
        let after = try #require(try stage.number { $0 > before + 20 || $0 < before })
        #expect(after > before + 20, "it plays on from where it was")
        let result = try stage.close()
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
      }
    }

    /// A clip that does not say what it is: the viewer looks around in it, the key shows it flat, and that is remembered.
    @Test func untaggedSpheresAreRecognised() throws {
      try TestFolders.withTemporary { folder in
        try Program.generate("tagged.mp4", in: folder, ["--size", "768x384", "--duration", "0.1"])
        try Program.ffmpeg(["-i", "tagged.mp4", "-c", "copy", "-map_metadata", "-1", "dive_360.mp4"], in: folder)
        let arguments = ["--loop", "--record", "r.json"]
        func projection(_ keys: [XKey]) throws -> String? {
          let stage = try Stage(["dive_360.mp4"], in: folder, arguments, projection: nil)
          #expect(try stage.hasPicture())
          for key in keys { try stage.press(key) }
          #expect(try stage.close().status == 0)
          return try RecordText(file: folder + "/r.json").projection
        }
        let state = folder + "/bench360/projections"
        #expect(try projection([]) == "equirectangular")
        #expect(!FileManager.default.fileExists(atPath: state), "a guess is no choice")
        _ = try projection([.p])
        #expect(try String(contentsOfFile: state, encoding: .utf8).hasPrefix("flat mono /"))
        #expect(try projection([]) == "flat", "as the user chose")
        let probed = try Program.run(["probe", "dive_360.mp4"], in: folder)
        #expect(probed.text.contains("looks like 360°") && probed.text.contains("flat ("), "\(probed.text)")
        let run = ["run", "dive_360.mp4", "--scenario", "render", "--trials", "1", "--duration", "0.2"]
        let measured = try Program.run(run + ["-o", "auto.json"], in: folder)
        #expect(measured.status == 0 && measured.text.contains("--projection guess"), "\(measured.text)")
        #expect(try RecordText(file: folder + "/auto.json").projection == "flat")
        let accepted = try Program.run(run + ["-o", "guess.json", "--projection", "guess"], in: folder)
        #expect(accepted.status == 0, "\(accepted.errors)")
        #expect(try RecordText(file: folder + "/guess.json").projection == "equirectangular")
      }
    }

    @Test func aRecordedClipThatEndsEarlySaysSo() throws {
      try Self.withClips { folder in
        let half = URL(filePath: folder + "/half.mp4")
        try Program.ffmpeg(["-i", "one.mp4", "-c", "copy", "-movflags", "+faststart", "half.mp4"], in: folder)
        let whole = try Data(contentsOf: half)
        try whole.prefix(whole.count / 2).write(to: half)
        let stage = try Stage(["half.mp4"], in: folder, ["--record", "r.json"])
        #expect(try stage.number { $0 > 0 }.map { $0 > 0 } == true)
        try stage.press(.end)
        try stage.running.wait(forError: "ends early")
        _ = try stage.close()
        let record = try String(contentsOfFile: folder + "/r.json", encoding: .utf8)
        #expect(record.contains("\"ends_early\"") && record.contains("; the frames before were measured"), "\(record)")
      }
    }

    /// They are shown while their frames are, played or not, and a picture of the view is without. That is written to a folder of the
    /// user's, which is made. A flat clip has no input to record.
    @Test func subtitlesGoWithThePicture() throws {
      try Self.withClips { folder in
        try Self.write("screenshot-folder shots/of today\n", to: "settings", in: folder)
        let text = "1\n00:00:00,000 --> 00:00:01,000\n<font color=\"#00ff00\">Hxg Hxg Hxg</font>\n"
        try Data(text.utf8).write(to: URL(filePath: folder + "/one.de.srt"))
        let stage = try Stage(["one.mp4"], in: folder, ["--subtitles", "ger", "--record-input", "hand.json"])
        #expect(try stage.number { $0 > 0 }.map { $0 > 0 } == true)
        try stage.press(.space)
        try stage.press(.digit5)
        #expect(try stage.number { $0 == 60 } == 60)
        #expect(try stage.hasSubtitles(false))
        try stage.press(.home)
        #expect(try stage.number { $0 == 0 } == 0)
        #expect(try stage.hasSubtitles(true))
        try stage.press(.v)
        #expect(try stage.hasSubtitles(false), "switched off")
        try stage.press(.v)
        #expect(try stage.hasSubtitles(true), "and on again, while nothing plays")
        try stage.press(.c)
        try stage.running.wait(forError: "wrote shots/of today/one-0.0s.png")
        let picture = folder + "/shots/of today/one-0.0s.png"
        #expect(try stage.hasSubtitles(true), "a picture of the view takes no subtitles away")
        let kept = try CommandOutput.of(
          "ffmpeg", ["-v", "error", "-i", picture, "-f", "rawvideo", "-pix_fmt", "rgba", "-"]
        ).output
        let green = stride(from: 0, to: kept.count, by: 4).count { kept[$0..<$0 + 3].elementsEqual([0, 255, 0]) }
        #expect(kept.count == 640 * 360 * 4 && green == 0)
        try stage.press(.end)
        #expect(try stage.number { $0 == 119 } == 119)
        #expect(try stage.hasSubtitles(false))
        let result = try stage.close()
        #expect(result.status == 0 && result.errorLines.count == 2, "\(result.errors)")
        #expect(result.errorLines.last == "a flat picture has no view to turn: hand.json is not written")
      }
    }

    /// As mpv: without a file that can be shown, the viewer ends by itself.
    @Test func missingFilesEndWithAReason() throws {
      try TestFolders.withTemporary { folder in
        let display = try VirtualDisplay(size: PictureSize(width: 800, height: 600))
        let files = ["missing.mp4", "gone.mp4"]
        let result = try Program.run(
          ["view"] + files, in: folder, environment: ["DISPLAY": display.name, "XDG_STATE_HOME": folder])
        #expect(result.status == 1 && result.errorLines.count == files.count, "\(result.errors)")
        for (line, file) in zip(result.errorLines, files) { #expect(line.contains("'\(file)'"), "\(line)") }
        try Program.run(["view", "missing.mp4"], in: folder, environment: ["DISPLAY": "", "WAYLAND_DISPLAY": ""])
          .expectRefusal(saying: ["cannot open a window", "DISPLAY"])
      }
    }
  }
}
