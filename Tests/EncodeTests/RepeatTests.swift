import Decode
import Encode
import Foundation
import Frames
import TestPicture
import Support
import Testing

/// A clip that is shown several times, one after the other, by copying its packets.
@Suite(.tier(.test)) struct RepeatTests {
  private static func numbers(_ path: String, _ clip: ClipSpecification) throws -> [(time: MediaTime, number: Int?)] {
    let reader = try FrameReader(path: path, options: DecoderOptions(threads: 1))
    var frames: [(MediaTime, Int?)] = []
    while let frame = try reader.next() {
      let reading = frame.picture.planes.first.map {
        FrameCode.read(luma: $0, bitDepth: clip.bitDepth, layout: clip.projection, stereo: clip.stereo)
      }
      frames.append((frame.presentationTime, reading?.number))
    }
    return frames
  }

  @Test(arguments: ["mp4", "mkv"], [false, true])
  func framesRepeatWithTheirNumbersAtTheirTimes(container: String, isVariable: Bool) throws {
    let folder = try Folder()
    let clip = smallClip {
      $0.rate = Ratio(30000, 1001)
      $0.isVariableRate = isVariable
    }
    let once = folder.file("once.\(container)")
    try generateClip(clip, to: once)
    let path = folder.file("often.\(container)")
    var told: [Int] = []
    try repeatClip(once, times: 5, to: path) { done, total in
      told.append(done * 10 + total)
      return true
    }
    #expect(told == [15, 25, 35, 45, 55])
    let original = try Self.numbers(once, clip)
    let frames = try Self.numbers(path, clip)
    #expect(original.map(\.number) == Array(0..<20))
    #expect(frames.map(\.number) == (0..<100).map { $0 % 20 })
    let period = 20.0 * 1001 / 30000
    for (index, frame) in frames.enumerated() {
      let expected = original[index % 20].time.seconds + Double(index / 20) * period
      // Matroska's clock has milliseconds, and both files are rounded to them.
      #expect(abs(frame.time.seconds - expected) < (container == "mkv" ? 0.0011 : 1e-6), "frame \(index)")
    }
    let info = try FrameReader(path: path).info
    #expect(info.synthetic?.repetitions == 5 && info.synthetic?.frames == 20)
    for frame in frames { #expect(info.synthetic?.frameNumber(at: frame.time) == frame.number) }
    #expect(info.video.spherical?.projection == "equirectangular", "what describes the picture is kept")
    #expect(folder.names.sorted() == ["often.\(container)", "once.\(container)"])
  }

  @Test func repeatedClipsCanBeRepeated() throws {
    let folder = try Folder()
    let clip = smallClip { $0.frames = 8 }
    try generateClip(clip, to: folder.file("a.mp4"))
    try repeatClip(folder.file("a.mp4"), times: 2, to: folder.file("b.mp4"))
    try repeatClip(folder.file("b.mp4"), times: 3, to: folder.file("c.mp4"))
    let frames = try Self.numbers(folder.file("c.mp4"), clip)
    #expect(frames.map(\.number) == (0..<48).map { $0 % 8 })
    let tag = try #require(try FrameReader(path: folder.file("c.mp4")).info.synthetic)
    #expect(tag.repetitions == 6 && frames.allSatisfy { tag.frameNumber(at: $0.time) == $0.number })
  }

  /// FFmpeg's own program finds every frame of the one in the other.
  @Test func ffmpegReadsTheSameFrames() throws {
    let folder = try Folder()
    try generateClip(smallClip(), to: folder.file("once.mp4"))
    try repeatClip(folder.file("once.mp4"), times: 3, to: folder.file("often.mp4"))
    func hashes(_ name: String) -> [Substring] {
      Judge.text("ffmpeg -v error -i '\(folder.file(name))' -map 0:v -f framemd5 -").split(separator: "\n")
        .filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: " ").last }
    }
    let once = hashes("once.mp4")
    #expect(once.count == 20 && hashes("often.mp4") == once + once + once)
  }

  @Test func refusedRepeatsLeaveNoFile() throws {
    let folder = try Folder()
    try generateClip(smallClip(), to: folder.file("raw.h264"))
    func refusal(_ body: () throws -> Void) -> Failure? {
      do { try body() } catch { return error as? Failure }
      return nil
    }
    let raw = refusal { try repeatClip(folder.file("raw.h264"), times: 2, to: folder.file("x.mp4")) }
    #expect(raw?.kind == .unsupported && raw?.cause == "its packets have no time stamps", "\(raw as Any)")
    let missing = refusal { try repeatClip(folder.file("none.mp4"), times: 2, to: folder.file("x.mp4")) }
    #expect(missing?.kind == .input)
    try generateClip(smallClip(), to: folder.file("once.mp4"))
    let cancelled = refusal {
      try repeatClip(folder.file("once.mp4"), times: 4, to: folder.file("x.mp4")) { done, _ in done < 2 }
    }
    #expect(cancelled?.kind == .cancelled)
    #expect(folder.names.sorted() == ["once.mp4", "raw.h264"])
  }
}
