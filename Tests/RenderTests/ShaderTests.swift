import Frames
import GPU
import Render
import Support
import Synchronization
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

  /// A flat picture ends at a column or row of pixel centres: which side those are on is a matter of rounding.
  private static func edgeIsOnPixels(_ geometry: PictureGeometry, _ frame: VideoFrame) -> Bool {
    let views = [1 - 1e-5, 1 + 1e-5].map { factor in
      var near = geometry
      near.sampleAspect *= factor
      return ExactTwin.view(of: frame, near, camera: Camera(), target: PictureSize(width: 161, height: 90))
    }
    return zip(views[0], views[1]).contains { abs($0 - $1) > 3 }
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
      var geometry = PictureGeometry(
        projection: example.projection, stereo: example.stereo, eye: example.eye,
        sampleAspect: Double.random(in: 0.5...2, using: &generator), rotation: rotation,
        pose: Bool.random(using: &generator) ? .none : .random(using: &generator))
      while example.projection == .flat, Self.edgeIsOnPixels(geometry, frame) { geometry.sampleAspect *= 1.001 }
      let difference = try Difference(frame, geometry, camera, PictureSize(width: 161, height: 90), shading)
      #expect(difference.largest <= 3, "seed \(generator.seed), \(camera), \(geometry)")
      #expect(difference.shareWithinOne >= 0.999, "seed \(generator.seed), \(camera), \(geometry)")
    }
    #expect(try TestDevice.validationMessages() == [])
  }

  @Test(arguments: Projection.allCases, StereoLayout.allCases)
  func everyEyeAgrees(_ projection: Projection, _ stereo: StereoLayout) throws {
    var generator = SeededGenerator()
    let frame = TestPictures.noisy(
      format: .yuv420p, size: PictureSize(width: 192, height: 160),
      color: ColorDescription(matrix: .bt709, range: .limited), generator: &generator)
    for eye in PictureGeometry.Eye.allCases {
      for shading in Shading.allCases {
        let geometry = PictureGeometry(
          projection: projection, stereo: stereo, eye: eye, sampleAspect: 1.07,
          lensFieldOfView: Double.random(in: 60...360, using: &generator))
        let camera = Camera.random(using: &generator)
        let difference = try Difference(frame, geometry, camera, PictureSize(width: 161, height: 90), shading)
        #expect(difference.largest <= 3, "seed \(generator.seed), \(camera), \(geometry), \(shading)")
        #expect(difference.shareWithinOne >= 0.999, "seed \(generator.seed), \(camera), \(geometry), \(shading)")
      }
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
      guard ![.flat, .equirectangular, .littlePlanet].contains(projection) else { continue }
      // Halves, and faces in them, that end in the middle of a texel.
      for stereo in [StereoLayout.topBottom, .sideBySide] {
        let halves = try Difference(
          frame, PictureGeometry(projection: projection, stereo: stereo, eye: .right),
          Camera.random(using: &generator), PictureSize(width: 80, height: 45), shading)
        #expect(halves.largest <= 3, "seed \(generator.seed), \(projection), \(stereo)")
      }
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

  /// Turned by up to 1e-4° either way about each axis.
  var neighbours: [Camera] {
    [1e-4, 4e-5, 2e-5, 1e-5, 5e-6].flatMap { [-$0, $0] }.flatMap { turn in
      [
        Camera(pan: pan + turn, tilt: tilt, roll: roll, fieldOfView: fieldOfView),
        Camera(pan: pan, tilt: tilt + turn, roll: roll, fieldOfView: fieldOfView),
        Camera(pan: pan, tilt: tilt, roll: roll + turn, fieldOfView: fieldOfView),
      ]
    }
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
  ///
  /// Floats know a ray's direction to about 1e-7. They cannot tell on which side of an edge of the picture, or of a cube's
  /// face, a ray lies that meets it within that; and within 1/1000 of a pole, longitude is uncertain by some 1/100 of a texel,
  /// which noise shows. So a pixel that is far off is held against views of cameras turned by at most 1e-4°, less than 1/100
  /// of a pixel: at an edge the farthest decide, at a pole those between.
  ///
  /// A GPU's sampler knows a place by `samplerBits` below the texel, as Vulkan has them: steep noise shows that, and curves of
  /// transfer enlarge it. There a pixel that is off must lie among what the twin reads that far beside its place.
  init(
    _ frame: VideoFrame, _ geometry: PictureGeometry, _ camera: Camera, _ target: PictureSize,
    _ shading: Shading = .fragment
  ) throws {
    let rendered = try renderedView(frame, geometry, camera, target, shading)
    func twin(_ camera: Camera) -> ExactTwin {
      ExactTwin(
        frame: frame, geometry: geometry, camera: camera, target: target,
        chromaBlock: shading == .compute ? frame.format.computeChromaBlock : 1)
    }
    let exact = twin(camera)
    lazy var turned = camera.neighbours.map(twin)
    func difference(_ pixel: Int, _ twin: ExactTwin) -> Double {
      let color = twin.pixel(pixel % target.width, pixel / target.width) ?? Vector3(0, 0, 0)
      let values = rendered[pixel * 4..<pixel * 4 + 3]
      return zip([color.x, color.y, color.z], values).map { abs(Double($1) - $0.rounded()) }.max() ?? 255
    }
    let isSampled = try !TestDevice.device().info.isSoftware
    var (largest, within) = (0.0, 0)
    for pixel in 0..<target.width * target.height {
      var worst = difference(pixel, exact)
      if worst > 1, isSampled {
        let values = rendered[pixel * 4..<pixel * 4 + 3].map(Double.init)
        worst = min(worst, Self.beyondSampler(values, exact, pixel % target.width, pixel / target.width))
      }
      if worst > 3 { worst = min(worst, turned.map { difference(pixel, $0) }.min() ?? worst) }
      largest = max(largest, worst)
      if worst <= 1 { within += 1 }
    }
    self.largest = largest
    shareWithinOne = Double(within) / Double(target.width * target.height)
  }

  private static let samplerBits = 8

  /// How far R, G, B lie outside of what a sampler may read.
  private static func beyondSampler(_ values: [Double], _ twin: ExactTwin, _ column: Int, _ row: Int) -> Double {
    let step = 1 / Double(1 << samplerBits)
    let corners = [-step, step].flatMap { u in [-step, step].map { Place(u: u, v: $0) } }
    let colors = corners.flatMap { luma in
      corners.compactMap { twin.pixel(column, row, lumaAside: luma, chromaAside: $0) }
    }
    let channels = [colors.map(\.x), colors.map(\.y), colors.map(\.z)]
    return zip(values, channels).map { value, channel in
      guard let least = channel.min(), let greatest = channel.max() else { return value }
      return max(0, least.rounded() - value, value - greatest.rounded())
    }.max() ?? 0
  }
}

/// RGBA of one view, drawn by the device.
func renderedView(
  _ frame: VideoFrame, _ geometry: PictureGeometry, _ camera: Camera, _ target: PictureSize,
  _ shading: Shading = .fragment
) throws -> [UInt8] {
  try KeptPipelines.with(shading) { pipelines in
    let renderer = try ViewRenderer(pipelines: pipelines, geometry: geometry, targetSize: target)
    _ = try renderer.render(frame, camera: camera, wantsPixels: true)
    return try #require(try renderer.drain().last?.pixels)
  }
}

/// Shaders, kept from one view to the next: making them takes longer than drawing. Any thread; each has some for itself.
private enum KeptPipelines {
  private struct Kept: @unchecked Sendable { var pipelines: [ViewPipelines] = [] }
  private static let kept = Mutex(Kept())

  /// Never inlined: `Scripts/sanitizers/leaks.supp` has its name.
  @inline(never)
  static func with<Result>(_ shading: Shading, _ body: (ViewPipelines) throws -> Result) throws -> Result {
    let free = kept.withLock { kept in
      kept.pipelines.firstIndex { $0.shading == shading }.map { Kept(pipelines: [kept.pipelines.remove(at: $0)]) }
    }
    let pipelines = try free?.pipelines.first ?? ViewPipelines(device: TestDevice.device(), shading: shading)
    let returned = Kept(pipelines: [pipelines])
    defer { kept.withLock { $0.pipelines += returned.pipelines } }
    return try body(pipelines)
  }
}
