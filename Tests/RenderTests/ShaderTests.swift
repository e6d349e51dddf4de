import Frames
import GPU
import Render
import Support
import Testing

/// The shaders against their twin in double precision.
@Suite(.enabled(if: TestDevice.isAvailable, "no Vulkan device"))
struct ShaderTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var projection: Projection
    var format: PictureFormat
    var matrix: ColorDescription.Matrix
    var range: ColorDescription.Range
    var siting: ColorDescription.ChromaSiting
    var stereo: StereoLayout
    var eye: PictureGeometry.Eye

    var testDescription: String {
      "\(projection) \(format.name) \(matrix) \(range) \(siting) \(stereo) \(eye)"
    }
  }

  /// Every value of every property at least once with every projection and format.
  static let cases: [Case] = Projection.allCases.flatMap { projection in
    PictureFormat.all.flatMap { format in
      [
        Case(
          projection: projection, format: format, matrix: .bt709, range: .limited, siting: .left, stereo: .mono,
          eye: .left),
        Case(
          projection: projection, format: format, matrix: .bt601, range: .full, siting: .center, stereo: .topBottom,
          eye: .right),
        Case(
          projection: projection, format: format, matrix: .bt2020, range: .limited, siting: .topLeft,
          stereo: .sideBySide, eye: .left),
        Case(
          projection: projection, format: format, matrix: .bt709, range: .full, siting: .left, stereo: .sideBySide,
          eye: .right),
        Case(
          projection: projection, format: format, matrix: .bt601, range: .limited, siting: .left, stereo: .topBottom,
          eye: .left),
      ]
    }
  }

  @Test(arguments: cases, Shading.allCases)
  func agreesWithItsTwin(_ example: Case, _ shading: Shading) throws {
    var generator = SeededGenerator()
    let size = PictureSize(width: 256, height: 128)
    let frame = TestPictures.noisy(
      format: example.format, size: size,
      color: ColorDescription(matrix: example.matrix, range: example.range, siting: example.siting),
      generator: &generator)
    for _ in 0..<4 {
      let camera = Camera.random(using: &generator)
      let rotation = [0, 90, 180, 270].randomElement(using: &generator) ?? 0
      let geometry = PictureGeometry(
        projection: example.projection, stereo: example.stereo, eye: example.eye,
        sampleAspect: Double.random(in: 0.5...2, using: &generator), rotation: rotation,
        pose: Bool.random(using: &generator) ? .none : .random(using: &generator))
      let difference = try Difference(frame, geometry, camera, PictureSize(width: 161, height: 90), shading)
      #expect(difference.largest <= 3, "seed \(generator.seed), \(camera), \(geometry)")
      #expect(difference.shareWithinOne >= 0.999, "seed \(generator.seed), \(camera), \(geometry)")
    }
    #expect(try TestDevice.validationMessages() == [])
  }

  @Test(arguments: [1, 3, 5], Shading.allCases)
  func oddSizesAgree(_ odd: Int, _ shading: Shading) throws {
    var generator = SeededGenerator()
    for projection in Projection.allCases {
      let frame = TestPictures.noisy(
        format: .yuv420p, size: PictureSize(width: 128 + odd, height: 64 + odd),
        color: ColorDescription(matrix: .bt709, range: .limited), generator: &generator)
      let difference = try Difference(
        frame, PictureGeometry(projection: projection), Camera.random(using: &generator),
        PictureSize(width: 80, height: 45), shading)
      #expect(difference.largest <= 3, "seed \(generator.seed)")
    }
    #expect(try TestDevice.validationMessages() == [])
  }

  /// Straight across ±180°, and at both poles: no column or row stands out.
  @Test(arguments: [(180.0, 0.0), (0.0, 90.0), (0.0, -90.0), (180.0, 45.0)], Shading.allCases)
  func hasNoSeam(_ place: (pan: Double, tilt: Double), _ shading: Shading) throws {
    var generator = SeededGenerator()
    for stereo in StereoLayout.allCases {
      let frame = TestPictures.noisy(
        format: .yuv420p, size: PictureSize(width: 256, height: 128),
        color: ColorDescription(matrix: .bt709, range: .limited), generator: &generator)
      let difference = try Difference(
        frame, PictureGeometry(projection: .equirectangular, stereo: stereo),
        Camera(pan: place.pan, tilt: place.tilt, fieldOfView: 20), PictureSize(width: 160, height: 90), shading)
      #expect(difference.largest <= 3, "seed \(generator.seed), \(stereo)")
    }
  }
}

extension Camera {
  static func random(using generator: inout SeededGenerator) -> Camera {
    Camera(
      pan: Double.random(in: -180...180, using: &generator), tilt: Double.random(in: -90...90, using: &generator),
      roll: Double.random(in: -180...180, using: &generator),
      fieldOfView: Double.random(in: 20...120, using: &generator))
  }
}

extension Pose {
  static func random(using generator: inout SeededGenerator) -> Pose {
    Pose(
      yaw: Double.random(in: -180...180, using: &generator), pitch: Double.random(in: -90...90, using: &generator),
      roll: Double.random(in: -180...180, using: &generator))
  }
}

/// How far a rendered view lies from its twin, in code values.
struct Difference {
  let largest: Double
  let shareWithinOne: Double

  /// Compute shading is compared with a twin that reads chroma where it does.
  init(
    _ frame: VideoFrame, _ geometry: PictureGeometry, _ camera: Camera, _ target: PictureSize,
    _ shading: Shading = .fragment
  ) throws {
    let rendered = try renderedView(frame, geometry, camera, target, shading)
    let exact = ExactTwin.view(
      of: frame, geometry, camera: camera, target: target,
      chromaBlock: shading == .compute ? frame.format.computeChromaBlock : 1)
    var (largest, within) = (0.0, 0)
    for pixel in 0..<target.width * target.height {
      var worst = 0.0
      for channel in 0..<3 {
        let value = Double(rendered[pixel * 4 + channel])
        worst = max(worst, abs(value - exact[pixel * 3 + channel].rounded()))
      }
      largest = max(largest, worst)
      if worst <= 1 { within += 1 }
    }
    self.largest = largest
    shareWithinOne = Double(within) / Double(target.width * target.height)
  }
}

/// RGBA of one view, drawn by the device.
func renderedView(
  _ frame: VideoFrame, _ geometry: PictureGeometry, _ camera: Camera, _ target: PictureSize,
  _ shading: Shading = .fragment
) throws -> [UInt8] {
  let renderer = try ViewRenderer(
    device: TestDevice.device(), geometry: geometry, targetSize: target, shading: shading)
  _ = try renderer.render(frame, camera: camera, wantsPixels: true)
  return try #require(try renderer.drain().last?.pixels)
}
