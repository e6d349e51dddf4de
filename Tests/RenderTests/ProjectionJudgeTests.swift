import Foundation
import Frames
import Render
import Support
import Testing

/// The twins against FFmpeg's `v360` on pictures in each projection, made by the inverse from the synthetic scene.
@Suite(.tier(.test)) struct ProjectionJudgeTests {
  struct Example: Sendable, CustomTestStringConvertible {
    var projection: Projection
    /// As `v360` names it.
    var name: String
    var size: PictureSize
    var lensFieldOfView = 180.0
    var testDescription: String { "\(name) \(size)" }
    /// It shows the half of the sphere in front, or little more.
    var isHalf: Bool { [.halfEquirectangular, .fisheye].contains(projection) }
  }

  static let examples = [
    Example(
      projection: .equirectangular, name: "e", size: PictureSize(width: 1024, height: 512)),
    Example(
      projection: .halfEquirectangular, name: "hequirect", size: PictureSize(width: 512, height: 512)),
    Example(projection: .cubemap3x2, name: "c3x2", size: PictureSize(width: 768, height: 512)),
    Example(projection: .cubemap6x1, name: "c6x1", size: PictureSize(width: 1536, height: 256)),
    Example(projection: .eac, name: "eac", size: PictureSize(width: 768, height: 512)),
    Example(projection: .fisheye, name: "fisheye", size: PictureSize(width: 640, height: 512)),
    Example(
      projection: .fisheye, name: "fisheye", size: PictureSize(width: 512, height: 512),
      lensFieldOfView: 200),
  ]

  private static let target = PictureSize(width: 320, height: 180)

  @Test(arguments: examples)
  func agreesWithV360(_ example: Example) throws {
    var generator = SeededGenerator(for: "agreesWithV360")
    let geometry = PictureGeometry(projection: example.projection, lensFieldOfView: example.lensFieldOfView)
    var cameras = [Camera(), Camera(pan: 45, tilt: 35)]
    while cameras.count < 6 {
      let camera = Camera.random(using: &generator)
      // Of half a sphere, a camera that looks away sees a strip at its rim alone, where the two interpolate differently.
      if !example.isHalf || cos(camera.pan * .pi / 180) > 0 { cameras.append(camera) }
    }
    let side = Double(min(example.size.width, example.size.height))
    let lens =
      example.projection == .fisheye
      ? ":ih_fov=\(example.lensFieldOfView * Double(example.size.width) / side)"
        + ":iv_fov=\(example.lensFieldOfView * Double(example.size.height) / side)" : ""
    let results = try judge(geometry, size: example.size, cameras) { camera in
      "v360=\(example.name):flat:yaw=\(camera.pan):pitch=\(camera.tilt):roll=\(camera.roll)"
        + ":h_fov=\(Self.horizontal(camera)):v_fov=\(camera.fieldOfView)" + lens
    }
    for (camera, decibels) in zip(cameras, results) {
      print("\(example.name): \(decibels.inside) dB, with edges \(decibels.withEdges) dB, \(camera)")
      #expect(decibels.inside >= 50, "\(example.name), seed \(generator.seed), \(camera)")
      // In the outermost half texel of a cubemap's face `v360` reads the next face, and we the same texel twice. Few pixels
      // see that, none in most views, but the scene is full of black and white.
      #expect(decibels.withEdges >= 42, "seed \(generator.seed), \(camera)")
    }
  }

  /// `sg` names angles at the sphere's centre, twice those at the camera.
  @Test func thePlanetAgreesWithV360() throws {
    var generator = SeededGenerator(for: "thePlanetAgreesWithV360")
    let geometry = PictureGeometry(projection: .littlePlanet)
    let cameras = ([Camera()] + (0..<4).map { _ in Camera.random(using: &generator) }).filter { $0.tilt >= 0 }
    let results = try judge(geometry, size: PictureSize(width: 1024, height: 512), cameras) { camera in
      "v360=e:sg:yaw=\(camera.pan):pitch=\(camera.tilt - 90):roll=\(camera.roll)"
        + ":h_fov=\(2 * Self.horizontal(camera)):v_fov=\(2 * camera.fieldOfView)"
    }
    for (camera, decibels) in zip(cameras, results) {
      print("sg: \(decibels.inside) dB, \(camera)")
      #expect(decibels.inside >= 50, "\(decibels.inside) dB, seed \(generator.seed), \(camera)")
    }
  }

  private static func horizontal(_ camera: Camera) -> Double {
    let shape = Double(target.width) / Double(target.height)
    return 2 * atan(tan(camera.fieldOfView * .pi / 360) * shape) * 180 / .pi
  }

  /// For each camera, of the luma, over the pixels that show something.
  private func judge(
    _ geometry: PictureGeometry, size: PictureSize, _ cameras: [Camera], filter: (Camera) -> String
  ) throws -> [(inside: Double, withEdges: Double)] {
    let frame = EyePicture.projected(try Self.scene.get(), geometry, size: size).frame()
    let filters = cameras.map {
      "extractplanes=y,\(filter($0)):w=\(Self.target.width):h=\(Self.target.height):interp=linear"
    }
    let luma = TwinPlane.planes(of: frame)[0]
    return zip(cameras, try FilterJudge.views(of: frame, filters, pixels: "gray")).map { camera, judged in
      func decibels(_ withEdges: Bool) -> Double {
        let view = luma.v360View(geometry, camera: camera, target: Self.target, withEdges: withEdges)
        return peakSignalToNoise(view, judged)
      }
      return (decibels(false), decibels(true))
    }
  }

  private static let scene = Result { try TestPictures.synthetic(7, size: PictureSize(width: 1024, height: 512)) }
}
