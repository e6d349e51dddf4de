import Encode
import Foundation
import Frames
import GPU
import Render
import Support
import TestPicture
import Testing

/// Pictures that were looked at once. `BENCH360_REWRITE_GOLDEN=1` draws them anew, to be looked at again.
@Suite(.tier(.test), .enabled(if: TestDevice.isAvailable, "no Vulkan device"))
struct GoldenTests {
  struct View: Sendable, CustomTestStringConvertible {
    var name: String
    var geometry: PictureGeometry
    var camera: Camera
    /// Size of the picture.
    var size = PictureSize(width: 1280, height: 640)
    var testDescription: String { name }

    /// Frame 42 of the synthetic scene, brought into the projection.
    func frame() throws -> VideoFrame {
      let scene = try Self.scene.get()
      switch geometry.projection {
      case .flat, .equirectangular, .littlePlanet: return scene
      default: return EyePicture.projected(scene, geometry, size: size).frame()
      }
    }

    private static let scene = Result { try TestPictures.synthetic(42, size: PictureSize(width: 1280, height: 640)) }

    /// The pixel that shows a place in the synthetic scene; nil when it is out of view.
    func pixel(u: Double, v: Double, target: PictureSize) -> Int? {
      var scene = geometry
      if ![.flat, .littlePlanet].contains(geometry.projection) { scene.projection = .equirectangular }
      let place = Place(u: u, v: v)
      if let direction = scene.direction(at: place, picture: size),
        !geometry.place(of: direction, picture: size).isShown
      {
        return nil
      }
      return scene.pixel(u: u, v: v, picture: size, target: target, camera: camera).map {
        Int($0.y) * target.width + Int($0.x)
      }
    }
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
    View(
      name: "half-equirectangular", geometry: PictureGeometry(projection: .halfEquirectangular),
      camera: Camera(pan: 60, fieldOfView: 80), size: PictureSize(width: 640, height: 640)),
    View(
      name: "cubemap-3x2", geometry: PictureGeometry(projection: .cubemap3x2),
      camera: Camera(pan: 45, tilt: 35, fieldOfView: 80), size: PictureSize(width: 960, height: 640)),
    View(
      name: "cubemap-6x1", geometry: PictureGeometry(projection: .cubemap6x1),
      camera: Camera(pan: -135, tilt: -35, fieldOfView: 80), size: PictureSize(width: 1920, height: 320)),
    View(
      name: "eac", geometry: PictureGeometry(projection: .eac), camera: Camera(pan: 180, tilt: 40, fieldOfView: 80),
      size: PictureSize(width: 960, height: 640)),
    View(
      name: "fisheye", geometry: PictureGeometry(projection: .fisheye), camera: Camera(pan: -60, fieldOfView: 80),
      size: PictureSize(width: 800, height: 640)),
    View(
      name: "little-planet", geometry: PictureGeometry(projection: .littlePlanet), camera: Camera(fieldOfView: 105)),
  ]

  @Test(arguments: views)
  func looksAsItDidAndShowsItsNumber(_ view: View) throws {
    let frame = try view.frame()
    let target = PictureSize(width: 320, height: 180)
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
    for shading in Shading.allCases {
      #expect(try Self.number(in: view, of: frame, shading) == .number(42), "\(shading)")
    }
    #expect(try TestDevice.validationMessages() == [])
  }

  /// The number that is read off a view.
  private static func number(in view: View, of frame: VideoFrame, _ shading: Shading) throws -> FrameCode.Reading {
    // A planet is small in its middle.
    let isPlanet = view.geometry.projection == .littlePlanet
    let target = isPlanet ? PictureSize(width: 1920, height: 1080) : PictureSize(width: 320, height: 180)
    let pixels = try renderedView(frame, view.geometry, view.camera, target, shading)
    return FrameCode.read(.equirectangular) { u, v in
      view.pixel(u: u, v: v, target: target).map { pixels[$0 * 4 + 1] }
    }
  }
}
