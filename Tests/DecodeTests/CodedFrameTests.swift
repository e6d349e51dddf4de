import Decode
import Foundation
import Media
import Support
import Testing

/// Frames that are coded and not shown, counted from packets; FFmpeg's own reader of headers is the judge.
@Suite(.tier(.test)) struct CodedFrameTests {
  /// What `trace_headers` finds: frames that are coded, and pictures that are shown.
  private static func judged(_ path: String) throws -> (coded: Int, shown: Int) {
    let told = try CommandOutput.of(
      "ffmpeg", ["-v", "info", "-i", path, "-c", "copy", "-bsf:v", "trace_headers", "-f", "null", "-"])
    try #require(told.status == 0, "\(told.errors)")
    func count(_ name: String, _ value: Int) -> Int {
      told.errors.split(separator: "\n").count {
        let words = $0.split(separator: " ")
        return words.contains(Substring(name)) && words.last == "\(value)" && words.dropLast().last == "="
      }
    }
    return (count("show_existing_frame", 0), count("show_frame", 1) + count("show_existing_frame", 1))
  }

  private static func counted(_ path: String) throws -> (frames: Int, coded: (all: Int, hidden: Int)?) {
    let reader = try FrameReader(path: path)
    var frames = 0
    while try reader.next() != nil { frames += 1 }
    return (frames, reader.codedFrames)
  }

  private static func clip(
    _ name: String, _ options: [String], inTwoPasses: Bool = false, in folder: String
  ) throws -> String {
    let source = ["-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=192x108:r=30:d=2"]
    let passes = inTwoPasses ? [["-pass", "1", "-f", "null", "-"], ["-pass", "2", name]] : [[name]]
    for pass in passes {
      let made = try CommandOutput.of("ffmpeg", source + options + ["-b:v", "100k"] + pass, folder: folder)
      try #require(made.status == 0, "\(made.errors)")
    }
    return folder + "/" + name
  }

  @Test(arguments: [
    ("vp9.webm", ["-c:v", "libvpx-vp9", "-auto-alt-ref", "1", "-lag-in-frames", "16", "-cpu-used", "2"]),
    ("av1.mkv", ["-c:v", "libaom-av1", "-cpu-used", "8", "-lag-in-frames", "19"]),
  ])
  func hiddenFramesAreThoseOfTheHeaders(name: String, options: [String]) throws {
    try TestFolders.withTemporary { folder in
      // libvpx hides frames where it knows the clip from a first pass.
      let path = try Self.clip(name, options, inTwoPasses: name.hasPrefix("vp9"), in: folder)
      let (frames, coded) = try Self.counted(path)
      let judged = try Self.judged(path)
      #expect(frames == 60 && judged.shown == 60)
      #expect(coded?.all == judged.coded && coded?.hidden == judged.coded - judged.shown)
      #expect((coded?.hidden ?? 0) > 0, "the clip has none")
    }
  }

  @Test func othersAreKnownOrNot() throws {
    try TestFolders.withTemporary { folder in
      let vp8 = try Self.counted(try Self.clip("vp8.webm", ["-c:v", "libvpx", "-auto-alt-ref", "0"], in: folder))
      #expect(vp8.frames == 60 && vp8.coded?.all == 60 && vp8.coded?.hidden == 0)
      #expect(try Self.counted(try Self.clip("h264.mp4", ["-c:v", "libx264"], in: folder)).coded == nil)
    }
  }

  /// Bytes of all kinds are read or passed over.
  @Test func damagedPacketsAreCountedAsFarAsTheyGo() throws {
    try TestFolders.withTemporary { folder in
      var random = SeededGenerator(for: "damagedPacketsAreCountedAsFarAsTheyGo")
      let path = try Self.clip("vp9.webm", ["-c:v", "libvpx-vp9", "-cpu-used", "8"], in: folder)
      let whole = [UInt8](try Data(contentsOf: URL(filePath: path)))
      for _ in 0..<30 {
        var bytes = whole
        for _ in 0..<40 {
          bytes[Int.random(in: 400..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        let damaged = folder + "/damaged.webm"
        try Data(bytes).write(to: URL(filePath: damaged))
        guard let reader = try? FrameReader(path: damaged) else { continue }
        while (try? reader.next()) ?? nil != nil {}
        #expect(reader.codedFrames.map { $0.all >= $0.hidden && $0.hidden >= 0 } ?? true)
      }
    }
  }
}
