import Encode
import Foundation
import Frames
import GPU
import Render
import Support
import Testing

/// Pictures that were looked at once. `BENCH360_REWRITE_GOLDEN=1` draws them anew, to be looked at again.
@Suite(.enabled(if: TestDevice.isAvailable, "no Vulkan device"))
struct GoldenTests {
  struct View: Sendable, CustomTestStringConvertible {
    var name: String
    var geometry: PictureGeometry
    var camera: Camera
    var testDescription: String { name }
  }

  static let views = [
    View(name: "ahead", geometry: PictureGeometry(projection: .equirectangular), camera: Camera()),
    View(
      name: "right-up-rolled", geometry: PictureGeometry(projection: .equirectangular),
      camera: Camera(pan: 70, tilt: 35, roll: 20, fieldOfView: 60)),
    View(
      name: "straight-up", geometry: PictureGeometry(projection: .equirectangular),
      camera: Camera(tilt: 90, fieldOfView: 95)),
    View(
      name: "behind", geometry: PictureGeometry(projection: .equirectangular),
      camera: Camera(pan: 180, tilt: -20, fieldOfView: 85)),
    View(name: "flat", geometry: PictureGeometry(projection: .flat), camera: Camera()),
    View(
      name: "flat-turned-narrow",
      geometry: PictureGeometry(projection: .flat, sampleAspect: 0.75, rotation: 90), camera: Camera()),
  ]

  @Test(arguments: views)
  func looksAsItDid(_ view: View) throws {
    let target = PictureSize(width: 320, height: 180)
    let frame = try TestPictures.synthetic(42, size: PictureSize(width: 1280, height: 640))
    let pixels = try renderedView(frame, view.geometry, view.camera, target)
    let file = TestFolders.repository + "/Tests/RenderTests/Golden/\(view.name).png"
    if ProcessInfo.processInfo.environment["BENCH360_REWRITE_GOLDEN"] == "1" {
      try writePNG(rgba: pixels, size: target, to: file)
    }
    let golden = try CommandOutput.of(
      "ffmpeg", ["-v", "error", "-i", file, "-f", "rawvideo", "-pix_fmt", "rgba", "-"])
    try #require(golden.output.count == pixels.count, "\(golden.errors)")
    let largest = zip(golden.output, pixels).map { abs(Int($0) - Int($1)) }.max() ?? 255
    #expect(largest <= 2)
    #expect(try TestDevice.validationMessages() == [])
  }

  /// The number can be read off the golden views: they show the frame they claim to.
  @Test(arguments: views, Shading.allCases)
  func showsItsNumber(_ view: View, _ shading: Shading) throws {
    let target = PictureSize(width: 320, height: 180)
    let size = PictureSize(width: 1280, height: 640)
    let frame = try TestPictures.synthetic(42, size: size)
    let pixels = try renderedView(frame, view.geometry, view.camera, target, shading)
    let reading = FrameCode.read(.equirectangular) { u, v in
      view.geometry.pixel(u: u, v: v, picture: size, target: target, camera: view.camera).map {
        pixels[(Int($0.y) * target.width + Int($0.x)) * 4 + 1]
      }
    }
    #expect(reading == .number(42))
  }
}
