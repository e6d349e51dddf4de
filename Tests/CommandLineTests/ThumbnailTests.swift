import Decode
import Foundation
import Frames
import Support
import Testing

extension CommandTests {
  @Suite struct ThumbnailTests {
    private static func track(_ path: String) throws -> ThumbnailTrack {
      let (track, problems) = try ThumbnailTrack.read([UInt8](try Data(contentsOf: URL(filePath: path))), path: path)
      #expect(problems.isEmpty)
      return track
    }

    /// Sync samples every half second; FFmpeg cuts the images and tells which frame each part is of.
    @Test(arguments: ["jpeg", "png"])
    func theTrackNamesPartsOfImagesThatShowTheirFrames(format: String) throws {
      try TestFolders.withTemporary { folder in
        try Program.generate(
          "clip.mp4", in: folder,
          ["--gop", "15", "--rate", "30", "--projection", "flat", "--duration", "4", "--size", "320x160"])
        let result = try Program.run(
          [
            "thumbnails", "clip.mp4", "-o", "a b.vtt", "--every", "0.5", "--columns", "3", "--rows", "2", "--format",
            format,
          ],
          in: folder)
        #expect(result.status == 0 && result.output.isEmpty, "\(result.errors)")
        #expect(result.errors == "a b.vtt: 8 thumbnails of 160x80 in 2 images, one every 0.5 s\n")
        let suffix = format == "jpeg" ? "jpg" : "png"
        let images = ["a b-1.\(suffix)", "a b-2.\(suffix)"]
        #expect(try names(in: folder) == (images + ["a b.vtt", "clip.mp4"]).sorted())
        let cues = try Self.track(folder + "/a b.vtt").cues
        #expect(cues.map(\.start.seconds) == (0..<8).map { Double($0) / 2 })
        #expect(cues.map(\.end.seconds) == (1...8).map { Double($0) / 2 })
        let size = PictureSize(width: 160, height: 80)
        let judge = try ThumbnailJudge(folder + "/clip.mp4", size: size)
        for (number, cue) in cues.enumerated() {
          let image = folder + "/" + images[number / 6]
          #expect(cue.image == "a%20b-\(number / 6 + 1).\(suffix)")
          let place = [number % 6 % 3 * 160, number % 6 / 3 * 80, 160, 80]
          #expect(cue.region.map { "\($0)" } == place.map(String.init).joined(separator: ","))
          let crop = "crop=160:80:\(place[0]):\(place[1])"
          let cut = try #require(try ThumbnailJudge(image, size: size, filter: crop).frames.first)
          let rgba = stride(from: 0, to: cut.count, by: 3).flatMap { cut[$0..<$0 + 3] + [255] }
          let found = judge.nearest(
            to: SmallPicture(rgba: rgba, size: size, time: .zero), among: (0..<8).map { $0 * 15 })
          let (shown, decibels): (Int, Double) = (found?.number ?? -1, found?.psnr ?? 0)
          #expect(shown == number * 15 && decibels > 26, "\(shown): \(decibels) dB")
        }
        // The player's side reads the written files.
        let reader = try TrackReader(path: folder + "/a b.vtt")
        #expect(try reader.picture(at: MediaTime(seconds: 3.9))?.size == size)
      }
    }

    @Test func aboutAHundredByDefaultAndNoneTwice() throws {
      try TestFolders.withTemporary { folder in
        try Program.generate("clip.mp4", in: folder, ["--gop", "20", "--rate", "30"])
        let result = try Program.run(["thumbnails", "clip.mp4", "-o", "t.vtt", "--width", "100"], in: folder)
        #expect(
          result.errors == "t.vtt: 3 thumbnails of 100x50 in 1 image, sync samples are further apart than 0.02 s\n")
        let cues = try Self.track(folder + "/t.vtt").cues
        #expect(cues.first?.start == .zero && cues.last.map { abs($0.end.seconds - 2) < 0.02 } ?? false)
        #expect(zip(cues, cues.dropFirst()).allSatisfy { $0.end == $1.start })
      }
    }

    @Test func oneSyncSampleIsOneThumbnailInAFolderThatIsMade() throws {
      try TestFolders.withTemporary { folder in
        try Program.generate(
          "clip.mp4", in: folder, ["--gop", "1000", "--rate", "30", "--duration", "3", "--size", "320x160"])
        let result = try Program.run(["thumbnails", "clip.mp4", "-o", "a/b/t.vtt", "--every", "1"], in: folder)
        #expect(result.errors == "a/b/t.vtt: 1 thumbnail of 160x80 in 1 image, for the whole clip\n")
        #expect(try names(in: folder + "/a/b") == ["t-1.jpg", "t.vtt"])
      }
    }

    @Test func whatCannotBeReadOrWrittenIsToldAndLeavesNothing() throws {
      try Program.withClip { folder, clip in
        let before = try names(in: folder)
        try Program.run(["thumbnails", "missing.mp4", "-o", "t.vtt"], in: folder).expectRefusal(
          saying: ["'missing.mp4'", "no such file"])
        try Program.run(["thumbnails", clip, "-o", "\(clip)/x/t.vtt"], in: folder).expectRefusal(
          saying: ["'\(clip)/x/t-1.jpg'", "cannot make the folder '\(clip)/x'"])
        try FileManager.default.createDirectory(atPath: folder + "/t.vtt/x", withIntermediateDirectories: true)
        try Program.run(["thumbnails", clip, "-o", "t.vtt"], in: folder).expectRefusal(saying: ["'t.vtt'"])
        #expect(try names(in: folder).filter { $0.contains(".part") }.isEmpty)
        try FileManager.default.removeItem(atPath: folder + "/t.vtt")
        #expect(Set(before).isSubset(of: try names(in: folder)))
      }
    }

    @Test func standardInputIsRead() throws {
      try Program.withClip { folder, clip in
        let data = try Data(contentsOf: URL(filePath: folder + "/" + clip))
        let result = try Program.run(["thumbnails", "-", "-o", "t.vtt", "--every", "10"], in: folder, input: data)
        #expect(
          result.status == 0 && result.errors.hasSuffix("1 thumbnail of 160x80 in 1 image, for the whole clip\n"),
          "\(result.errors)")
      }
    }

    @Test func controlCLeavesNoHalfFiles() throws {
      try TestFolders.withTemporary { folder in
        // Every frame a sync sample, and many to the second image: it takes a while.
        try Program.generate(
          "clip.mp4", in: folder, ["--gop", "1", "--size", "320x160", "--duration", "60", "--codec", "mpeg2"])
        let running = try RunningProgram(
          ["thumbnails", "clip.mp4", "-o", "t.vtt", "--every", "0.03", "--columns", "1", "--rows", "1"], in: folder)
        try #require(try Patience.until(every: 1) { try names(in: folder).contains { $0.hasPrefix("t-1.jpg") } })
        running.interrupt()
        let result = try running.wait()
        #expect(result.status == 130, "\(result.errors)")
        #expect(try names(in: folder).filter { $0.hasPrefix("t") } == [], "nothing is left")
      }
    }
  }
}
