import Foundation
import Frames
import GPU
import Render
import Support
import Testing

/// A world that is known in every direction, brought into each projection and drawn: every ray must show what lies in its
/// direction, computed here from angles. That catches what twin and shader have wrong together.
@Suite(.tier(.test), .enabled(if: TestDevice.isAvailable, "no Vulkan device"))
struct WorldTests {
  private static let target = PictureSize(width: 160, height: 90)

  /// The size of one eye's picture.
  private static func size(_ projection: Projection) -> PictureSize {
    switch projection {
    case .cubemap6x1: PictureSize(width: 1536, height: 256)
    case .cubemap3x2, .eac: PictureSize(width: 768, height: 512)
    case .fisheye: PictureSize(width: 640, height: 512)
    default: PictureSize(width: 1024, height: 512)
    }
  }

  /// Every stereo layout with every eye that differs in it.
  private static let eyes: [(stereo: StereoLayout, eye: PictureGeometry.Eye)] = [
    (.mono, .left), (.topBottom, .left), (.topBottom, .right), (.sideBySide, .left), (.sideBySide, .right),
  ]

  /// What a pixel must show, in the camera's world; nil where the picture does not reach.
  private static func direction(
    _ geometry: PictureGeometry, _ camera: Camera, _ column: Int, _ row: Int
  ) -> (direction: Vector3, isShown: Bool, isAtRim: Bool) {
    let half = tan(camera.fieldOfView * .pi / 360)
    let x = half * (2 * Double(column) + 1 - Double(target.width)) / Double(target.height)
    let y = half * (Double(target.height) - 2 * Double(row) - 1) / Double(target.height)
    var (inCamera, camera) = (Vector3(x, y, 1), camera)
    if geometry.projection == .littlePlanet {
      let (angle, around) = (2 * atan(hypot(x, y)), atan2(y, x))
      inCamera = Vector3(sin(angle) * cos(around), sin(angle) * sin(around), cos(angle))
      camera.tilt -= 90
    }
    let world = camera.orientation * inCamera
    let fromAxis = atan2(hypot(world.x, world.y), world.z) * 180 / .pi
    let edge: Double? =
      switch geometry.projection {
      case .halfEquirectangular: 90 - abs(atan2(world.x, world.z) * 180 / .pi)
      case .fisheye: geometry.lensFieldOfView / 2 - fromAxis
      case .equirectangular: geometry.bounds.map { within($0, world) }
      default: nil
      }
    return (world, (edge ?? 1) >= 0, abs(edge ?? 90) < 3)
  }

  /// Degrees from a direction to the next edge of a cropped picture; negative outside of it.
  private static func within(_ bounds: SphereBounds, _ direction: Vector3) -> Double {
    let around = (0.5 + atan2(direction.x, direction.z) / (2 * .pi) - bounds.left) * 360
    let down = (0.5 - atan2(direction.y, hypot(direction.x, direction.z)) / .pi - bounds.top) * 180
    // Where a picture reaches all the way round, or a pole, it has no edge there.
    return min(
      bounds.width == 1 ? 360 : min(around, bounds.width * 360 - around),
      bounds.top == 0 ? 360 : down, bounds.top + bounds.height == 1 ? 360 : bounds.height * 180 - down)
  }

  /// Cropped pictures, as metadata of either version tells of them.
  @Test func partsAreWhereTheyShouldBe() throws {
    var generator = SeededGenerator(for: "partsAreWhereTheyShouldBe")
    var parts = [
      SphereBounds(left: 0, top: 0.25, width: 1, height: 0.5), SphereBounds(left: 0.5, top: 0, width: 0.5, height: 1),
    ]
    for _ in 0..<4 {
      let (left, top) = (Double.random(in: 0...0.6, using: &generator), Double.random(in: 0...0.5, using: &generator))
      parts.append(
        SphereBounds(
          left: left, top: top, width: .random(in: 0.3...1 - left, using: &generator),
          height: .random(in: 0.3...1 - top, using: &generator)))
    }
    for bounds in parts.compactMap({ $0 }) {
      var geometry = PictureGeometry(projection: .equirectangular, eye: .right, bounds: bounds)
      let picture = EyePicture.world(geometry, size: Self.size(.equirectangular))
      for stereo in StereoLayout.allCases {
        geometry.stereo = stereo
        let frame = picture.frame(stereo, only: .right)
        for camera in [Camera(pan: 180), .random(using: &generator)] {
          for shading in Shading.allCases {
            let worst = try Self.worst(frame, geometry, camera, shading)
            #expect(
              worst <= (shading == .compute ? 7 : 4), "seed \(generator.seed), \(camera), \(geometry), \(shading)")
          }
        }
      }
    }
    #expect(try TestDevice.validationMessages() == [])
  }

  @Test(arguments: ProjectionTests.spheres)
  func isWhereItShouldBe(_ projection: Projection) throws {
    var generator = SeededGenerator(for: "isWhereItShouldBe")
    var geometry = PictureGeometry(
      projection: projection, lensFieldOfView: Double.random(in: 120...360, using: &generator))
    let picture = EyePicture.world(geometry, size: Self.size(projection))
    for (stereo, eye) in Self.eyes {
      (geometry.stereo, geometry.eye) = (stereo, eye)
      let frame = picture.frame(stereo, only: eye)
      let cameras = [Camera(), Camera(pan: 180), Camera(tilt: 90)] + (0..<2).map { _ in .random(using: &generator) }
      for camera in cameras {
        for shading in Shading.allCases {
          let worst = try Self.worst(frame, geometry, camera, shading)
          #expect(worst <= (shading == .compute ? 7 : 4), "seed \(generator.seed), \(camera), \(geometry), \(shading)")
        }
      }
    }
    #expect(try TestDevice.validationMessages() == [])
  }

  /// The largest difference, in code values. Samples are rounded, and half a chroma texel at a face's edge is worth up to two;
  /// chroma in the middle of a block lies up to 0.05 rad off in the widest views of a planet.
  private static func worst(
    _ frame: VideoFrame, _ geometry: PictureGeometry, _ camera: Camera, _ shading: Shading
  ) throws -> Double {
    let pixels = try renderedView(frame, geometry, camera, target, shading)
    return (0..<target.width * target.height).map { pixel -> Double in
      let (direction, isShown, isAtRim) = direction(geometry, camera, pixel % target.width, pixel / target.width)
      guard !isAtRim else { return 0 }
      let color = isShown ? TestPictures.worldColor(direction) : Vector3(0, 0, 0)
      return max(
        abs(color.x - Double(pixels[pixel * 4])), abs(color.y - Double(pixels[pixel * 4 + 1])),
        abs(color.z - Double(pixels[pixel * 4 + 2])))
    }.max() ?? 255
  }

  /// No line shows: neighbours in a view at least as fine as the picture differ by no more than neighbours in the picture do,
  /// but for rounding; on cubes, whose faces are filtered for themselves, by twice as much. What must not be read is the
  /// world's negative.
  @Test(arguments: ProjectionTests.spheres.filter { ![.littlePlanet, .halfEquirectangular, .fisheye].contains($0) })
  func hasNoSeams(_ projection: Projection) throws {
    // ±180°, poles, edges of faces, corners.
    let cameras = [
      Camera(pan: 180), Camera(tilt: 90), Camera(pan: 30, tilt: -90), Camera(pan: 45), Camera(pan: 135, tilt: 35.26),
      Camera(pan: -90, tilt: 45), Camera(pan: -45, tilt: -35.26), Camera(pan: 180, tilt: -45), Camera(tilt: 45),
    ]
    let picture = EyePicture.world(PictureGeometry(projection: projection), size: Self.size(projection))
    let frames = Self.eyes.map { TestPictures.grey(picture.frame($0.stereo, only: $0.eye)) }
    let limit = Self.steepest(projection) * (projection == .equirectangular ? 1 : 2) + 1
    for row in Sampling.pairwise([Self.eyes.count, cameras.count, Shading.allCases.count]) {
      let ((stereo, eye), shading) = (Self.eyes[row[0]], Shading.allCases[row[2]])
      var camera = cameras[row[1]]
      camera.fieldOfView = 15
      let geometry = PictureGeometry(projection: projection, stereo: stereo, eye: eye)
      let step = Self.largestStep(try renderedView(frames[row[0]], geometry, camera, Self.target, shading))
      #expect(Double(step) <= limit, "\(camera), \(stereo), \(eye), \(shading)")
    }
  }

  /// Luma between texels next to each other: the world changes by 36 a radian at most.
  private static func steepest(_ projection: Projection) -> Double {
    switch projection {
    case .equirectangular: 36 * 2 * .pi / 1024 + 1
    default: 36 * 2 / 256 + 1
    }
  }

  private static func largestStep(_ pixels: [UInt8]) -> Int {
    var largest = 0
    for row in 0..<target.height {
      for column in 0..<target.width {
        let here = Int(pixels[(row * target.width + column) * 4])
        if column > 0 { largest = max(largest, abs(here - Int(pixels[(row * target.width + column - 1) * 4]))) }
        if row > 0 { largest = max(largest, abs(here - Int(pixels[((row - 1) * target.width + column) * 4]))) }
      }
    }
    return largest
  }
}
