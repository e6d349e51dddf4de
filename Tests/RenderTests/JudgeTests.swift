import Decode
import Foundation
import Frames
import Render
import Support
import Testing

/// The twins against FFmpeg's filters, in their own conventions, on real clips.
@Suite(.enabled(if: TestFolders.media != nil, "BENCH360_MEDIA names no folder of clips"))
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
    for camera in cameras {
      let horizontal = 2 * atan(tan(camera.fieldOfView * .pi / 360) * 320 / 180) * 180 / .pi
      let view =
        "v360=e:flat:yaw=\(camera.pan):pitch=\(camera.tilt):roll=\(camera.roll):h_fov=\(horizontal)"
        + ":v_fov=\(camera.fieldOfView):w=\(target.width):h=\(target.height):interp=linear"
      let judged = try ffmpeg(clip, filter: "extractplanes=y,\(view)", pixels: "gray")
      let decibels = peakSignalToNoise(luma.v360View(camera: camera, target: target), judged)
      #expect(decibels >= 50, "\(decibels) dB, seed \(generator.seed), \(camera)")
    }
  }

  /// Colour: the same size, so that libswscale only converts. Top-left siting, the one whose chroma phase libswscale
  /// interpolates exactly both ways.
  @Test(arguments: ["bt601", "bt709", "bt2020"], [ColorDescription.Range.limited, .full])
  func agreesWithScale(_ matrix: String, _ range: ColorDescription.Range) throws {
    let clip = try #require(TestFolders.clip(Self.spheres[0]))
    var frame = try #require(try FrameReader(path: clip).next())
    frame.color = ColorDescription(
      matrix: try #require(ColorDescription.Matrix(rawValue: matrix)), range: range, siting: .topLeft)
    let geometry = PictureGeometry(projection: .flat)
    let exact = ExactTwin.view(of: frame, geometry, camera: Camera(), target: frame.size)
    let scale =
      "scale=flags=bilinear+accurate_rnd+bitexact+full_chroma_int+full_chroma_inp:in_h_chr_pos=0:in_v_chr_pos=0"
      + ":in_color_matrix=\(matrix):in_range=\(range == .limited ? "tv" : "pc"):out_range=pc"
    let judged = try ffmpeg(clip, filter: scale, pixels: "rgb24")
    try #require(judged.count == exact.count)
    var within = 0
    for (a, b) in zip(exact, judged) where abs(a.rounded() - Double(b)) <= 1 { within += 1 }
    #expect(Double(within) / Double(exact.count) >= 0.999)
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
    let judged = try ffmpeg(
      reader.info.path, filter: "scale=flags=bilinear+accurate_rnd+full_chroma_int+full_chroma_inp", pixels: "rgb24")
    try #require(judged.count == exact.count)
    let decibels = peakSignalToNoise(exact.map { UInt8($0.rounded()) }, judged)
    #expect(decibels >= 30, "\(decibels) dB")
  }

  /// The first frame through a filter, as packed bytes.
  private func ffmpeg(_ clip: String, filter: String, pixels: String) throws -> [UInt8] {
    let result = try CommandOutput.of(
      "ffmpeg",
      ["-v", "error", "-i", clip, "-vf", filter, "-frames:v", "1", "-pix_fmt", pixels, "-f", "rawvideo", "-"])
    try #require(result.status == 0, "\(result.errors)")
    return Array(result.output)
  }
}
