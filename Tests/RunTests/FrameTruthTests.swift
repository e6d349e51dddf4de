import Decode
import Frames
import Media
import Render
import Run
import Support
import TestPicture
import Testing

@Suite(.tier(.test)) struct FrameTruthTests {
  private static func frames(_ path: String) throws -> (info: MediaInfo, frames: [VideoFrame]) {
    let reader = try FrameReader(path: path)
    var frames: [VideoFrame] = []
    while let frame = try reader.next() { frames.append(frame) }
    return (reader.info, frames)
  }

  @Test func honestFramesAreRight() throws {
    for path in [try SharedClips.many("mp4"), try SharedClips.synthetic("truth.mkv")] {
      let (info, frames) = try Self.frames(path)
      var truth = try #require(FrameTruth(info.synthetic))
      for frame in frames { truth.check(frame) }
      #expect(truth.checked == frames.count && truth.wrong == 0 && truth.firstWrong == nil)
    }
  }

  /// Samples of two bytes, in their low bits and in their high ones.
  @Test(arguments: [10, 12]) func deepFramesAreRight(_ bitDepth: Int) throws {
    let path = try SharedClips.synthetic("truth-\(bitDepth).mkv") {
      ($0.codec, $0.bitDepth, $0.frames) = ("hevc", bitDepth, 6)
    }
    let (info, frames) = try Self.frames(path)
    var truth = try #require(FrameTruth(info.synthetic))
    for frame in frames {
      truth.check(frame)
      guard bitDepth == 10 else { continue }
      truth.check(TestPictures.interleaved(frame, as: try #require(PictureFormat.named("p010le"))))
    }
    #expect(frames.count == 6 && frames.allSatisfy { $0.format.bitDepth == bitDepth && $0.convertedFrom == nil })
    #expect(truth.wrong == 0 && truth.checked == (bitDepth == 10 ? 12 : 6))
  }

  @Test func aFrameWithAnothersTimeIsWrong() throws {
    let (info, frames) = try Self.frames(try SharedClips.many("mp4"))
    var truth = try #require(FrameTruth(info.synthetic))
    var shifted = frames[10]
    shifted.presentationTime = frames[11].presentationTime
    truth.check(frames[9])
    truth.check(shifted)
    truth.check(frames[12])
    #expect(truth.checked == 3 && truth.wrong == 1)
    #expect(truth.firstWrong == "the decoded frame that claims to be 11 shows 10")
    // Less than half a frame's period is no other frame.
    var stray = frames[20]
    stray.presentationTime = stray.presentationTime + MediaTime(seconds: 0.3 / 30)
    truth.check(stray)
    #expect(truth.checked == 4 && truth.wrong == 1)
    // A time beyond the clip is no frame's.
    stray.presentationTime = MediaTime(seconds: 100)
    truth.check(stray)
    #expect(truth.checked == 4 && truth.wrong == 1)
  }

  /// A later run of a live stream counts from the number that its first picture shows. It may begin between two frames of the run before, as
  /// here half-way, where the time stamps' rounding decides which of them is nearer.
  @Test func aRunMayBeginBetweenTwoFrames() throws {
    let (info, frames) = try Self.frames(try SharedClips.many("mp4"))
    var truth = try #require(FrameTruth(info.synthetic))
    for (index, frame) in frames[7..<57].enumerated() {
      var late = frame
      late.presentationTime = frame.presentationTime + MediaTime(nanoseconds: 16_666_666 + Int64(index % 3))
      truth.inspect(late, run: 1)
    }
    #expect(truth.checked == 50 && truth.wrong == 0, "\(truth.firstWrong ?? "")")
    // A picture that is repeated is found all the same.
    var repeated = frames[20]
    repeated.presentationTime = frames[21].presentationTime + MediaTime(nanoseconds: 16_666_667)
    truth.inspect(repeated, run: 1)
    #expect(truth.wrong == 1 && truth.firstWrong == "the decoded frame that claims to be 21 shows 20")
  }

  @Test func aPictureWithoutANumberIsWrong() throws {
    let (info, frames) = try Self.frames(try SharedClips.many("mp4"))
    var truth = try #require(FrameTruth(info.synthetic))
    var blank = frames[3]
    blank.picture = HostPicture(format: .yuv420p, size: blank.size)
    truth.check(blank)
    #expect(truth.wrong == 1 && truth.firstWrong?.contains("claims to be 3 shows no number") ?? false)
    let size = PictureSize(width: 320, height: 180)
    truth.check(
      [UInt8](repeating: 128, count: 320 * 180 * 4), of: frames[5], geometry: PictureGeometry(projection: .flat),
      target: size, camera: Camera())
    #expect(truth.checked == 2 && truth.wrong == 2)
  }

  @Test func planetsAreProven() throws { try Self.expectProven(.both) }

  @Test(.tier(.full)) func planetsOfOneEyeAreProven() throws { try Self.expectProven(.left) }

  /// The planet's view of an equirectangular clip, by the twin; goggles too. Too small to be read, it proves nothing.
  private static func expectProven(_ eye: PictureGeometry.Eye) throws {
    let (info, frames) = try Self.frames(try SharedClips.synthetic("truth.mkv"))
    let geometry = PictureGeometry(projection: .littlePlanet, eye: eye)
    for (size, isLegible) in [
      (PictureSize(width: 2400, height: 1080), true), (PictureSize(width: 160, height: 90), false),
    ] {
      let pixels = ExactTwin.pixels(of: frames[5], geometry, camera: Camera(), target: size)
      var truth = try #require(FrameTruth(info.synthetic))
      truth.check(pixels, of: frames[5], geometry: geometry, target: size, camera: Camera())
      #expect(truth.wrong == 0 && truth.checked == (isLegible ? 1 : 0), "\(truth.firstWrong ?? "")")
      truth.check(pixels, of: frames[6], geometry: geometry, target: size, camera: Camera())
      #expect(truth.wrong == (isLegible ? 1 : 0))
    }
  }

  @Test func clipsWithoutNumbersProveNothing() throws {
    #expect(FrameTruth(try probe(SharedClips.many("ts")).synthetic) == nil)
  }
}
