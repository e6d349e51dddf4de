import Decode
import Foundation
import Frames
import Render
import Support
import Testing

/// The twins against FFmpeg's filters, in their own conventions, on real clips.
@Suite(.tier(.test), .enabled(if: TestFolders.media != nil, "BENCH360_MEDIA names no folder of clips"))
struct JudgeTests {
  static let spheres = [
    "SamsungInternet+examples/360-video/paris-by-diego.mp4", "flimshaw+Valiant360/build/overpass-clip.mp4",
  ]

  @Test(arguments: spheres)
  func agreesWithV360(_ name: String) throws {
    let clip = try #require(TestFolders.clip(name))
    let frame = try #require(try FrameReader(path: clip).next())
    let luma = TwinPlane.planes(of: frame)[0]
    var generator = SeededGenerator()
    let cameras = [Camera(), Camera(pan: 90), Camera(pan: 180)] + (0..<3).map { _ in Camera.random(using: &generator) }
    let target = PictureSize(width: 320, height: 180)
    let judged = try FilterJudge.views(
      of: ["-i", clip], cameras.map { "extractplanes=y," + FilterJudge.v360($0, target) }, pixels: "gray")
    for (camera, view) in zip(cameras, judged) {
      let decibels = peakSignalToNoise(luma.v360View(camera: camera, target: target), view)
      #expect(decibels >= 50, "\(decibels) dB, seed \(generator.seed), \(camera)")
    }
  }

  @Test(arguments: [ColorDescription.Matrix.bt601, .bt709, .bt2020], [ColorDescription.Range.limited, .full])
  func agreesWithScale(_ matrix: ColorDescription.Matrix, _ range: ColorDescription.Range) throws {
    let clip = try #require(TestFolders.clip(Self.spheres[0]))
    var frame = try #require(try FrameReader(path: clip).next()).cropped(to: PictureSize(width: 640, height: 480))
    frame.color = ColorDescription(matrix: matrix, range: range)
    #expect(try #require(try ColorJudge.scale.shareWithinOne(frame)) >= 0.999)
  }

  /// Turned and mirrored clips stand as FFmpeg's own player turns them.
  @Test(arguments: [
    "androidx+media/libraries/test_data/src/test/assets/media/mp4/sample_rotate_and_reflect.mp4",
    "debian+firefox-esr-140.12.0esr/dom/webgpu/tests/cts/checkout/src/resources/four-colors-vp9-bt601-hflip.mp4",
    "debian+firefox-esr-140.12.0esr/dom/webgpu/tests/cts/checkout/src/resources/four-colors-vp9-bt601-rotate-270.mp4",
  ])
  func standsAsFFmpegTurnsIt(_ name: String) throws {
    let reader = try FrameReader(path: try #require(TestFolders.clip(name)))
    var frame = try #require(try reader.next())
    // libswscale knows of no primaries.
    frame.color.primaries = "bt709"
    let video = reader.info.video
    let isTurned = video.rotation % 180 != 0
    let size = PictureSize(
      width: isTurned ? frame.size.height : frame.size.width, height: isTurned ? frame.size.width : frame.size.height)
    let geometry = PictureGeometry(
      projection: .flat, sampleAspect: video.sampleAspect.value ?? 1, rotation: video.rotation,
      isMirrored: video.isMirrored)
    let exact = ExactTwin.view(of: frame, geometry, camera: Camera(), target: size)
    let judged = try FilterJudge.views(
      of: ["-i", reader.info.path], ["scale=flags=bilinear+accurate_rnd+full_chroma_int+full_chroma_inp"],
      pixels: "rgb24")[0]
    try #require(judged.count == exact.count)
    let decibels = peakSignalToNoise(exact.map { UInt8($0.rounded()) }, judged)
    #expect(decibels >= 30, "\(decibels) dB")
  }
}
