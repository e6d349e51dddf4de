import Frames
import GPU
import Glibc
import Render
import Support
import Synchronization
import Testing

/// The shaders against their twin in double precision.
@Suite(.tier(.test), .enabled(if: TestDevice.isAvailable, "no Vulkan device"))
struct ShaderTests {
  struct Case: Sendable, CustomTestStringConvertible {
    static let rotations = [0, 90, 180, 270]
    /// The numbers of values that decide which shader is compiled, and which part of the picture it reads. Stereo layout and shading are one
    /// property, so that pairs with it are triples.
    static let shaderCounts = [
      Projection.allCases.count, PictureFormat.all.count, StereoLayout.allCases.count * Shading.allCases.count,
      PictureGeometry.Eye.allCases.count,
    ]
    /// The numbers of the other properties' values.
    static let otherCounts = [
      ColorDescription.Matrix.allCases.count, ColorDescription.Range.allCases.count,
      ColorDescription.ChromaSiting.allCases.count, rotations.count, 2,
    ]

    var projection: Projection
    var format: PictureFormat
    var stereo: StereoLayout
    var shading: Shading
    var eye: PictureGeometry.Eye
    var color: ColorDescription
    var rotation: Int
    var hasPose: Bool

    /// A row of value indexes.
    init(_ row: [Int]) {
      projection = Projection.allCases[row[0]]
      format = PictureFormat.all[row[1]]
      stereo = StereoLayout.allCases[row[2] / Shading.allCases.count]
      shading = Shading.allCases[row[2] % Shading.allCases.count]
      eye = PictureGeometry.Eye.allCases[row[3]]
      color = ColorDescription(
        matrix: ColorDescription.Matrix.allCases[row[4]], range: ColorDescription.Range.allCases[row[5]],
        siting: ColorDescription.ChromaSiting.allCases[row[6]])
      rotation = Self.rotations[row[7]]
      hasPose = row[8] == 1
    }

    var testDescription: String {
      "\(projection) \(format.name) \(stereo) \(shading) \(eye) \(color.matrix) \(color.range) \(color.siting) \(rotation)°"
        + (hasPose ? " turned" : "")
    }
  }

  /// Every pair of values at least once.
  static let pairs = Sampling.pairwise(Case.shaderCounts + Case.otherCounts).map(Case.init)

  /// Every combination of the values that decide on the shader; the others at random.
  static let all: [Case] = {
    var generator = SeededGenerator()
    return Sampling.product(Case.shaderCounts).map { row in
      Case(row + Case.otherCounts.map { Int.random(in: 0..<$0, using: &generator) })
    }
  }()

  /// A flat picture ends at a column or row of pixel centres: which side those are on is a matter of rounding. Its edges are parallel to the
  /// target's, so that the middle column and row meet all of them.
  private static func edgeIsOnPixels(_ geometry: PictureGeometry, _ frame: VideoFrame) -> Bool {
    let shown = [1 - 1e-5, 1 + 1e-5].map { factor in
      var near = geometry
      near.sampleAspect *= factor
      let twin = ExactTwin(frame: frame, geometry: near, camera: Camera(), target: target)
      let regions = geometry.regions(in: target)
      let columns = [regions.first, regions.second].compactMap { $0.map { $0.left + $0.size.width / 2 } }
      return (0..<target.width).map { twin.pixel($0, target.height / 2) != nil }
        + columns.flatMap { column in (0..<target.height).map { twin.pixel(column, $0) != nil } }
    }
    return shown[0] != shown[1]
  }

  private static let target = PictureSize(width: 161, height: 90)

  @Test(arguments: pairs)
  func agreesWithItsTwin(_ example: Case) throws {
    try Self.expectTheTwinsViews(of: example, count: 1)
  }

  @Test(.tier(.full), arguments: all)
  func everyCombinationAgreesWithItsTwin(_ example: Case) throws {
    try Self.expectTheTwinsViews(of: example, count: 2)
  }

  private static func expectTheTwinsViews(of example: Case, count: Int) throws {
    var generator = SeededGenerator()
    let frame = TestPictures.noisy(
      format: example.format, size: PictureSize(width: 256, height: 128), color: example.color, generator: &generator)
    for _ in 0..<count {
      let camera = Camera.random(using: &generator)
      var geometry = PictureGeometry(
        projection: example.projection, stereo: example.stereo, eye: example.eye,
        sampleAspect: Double.random(in: 0.5...2, using: &generator), rotation: example.rotation,
        pose: example.hasPose ? .random(using: &generator) : .none,
        lensFieldOfView: Double.random(in: 60...360, using: &generator))
      while example.projection == .flat, edgeIsOnPixels(geometry, frame) { geometry.sampleAspect *= 1.001 }
      let difference = try Difference(frame, geometry, camera, target, example.shading)
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

  /// Its direction turned by up to 1e-4° either way, to the side, up and about itself.
  var neighbours: [Camera] {
    // A camera that looks up or down turns about itself with its pan: by less than 1/100 of a pixel at the target's rim.
    let aside = 1 / max(0.05, cos(tilt * .pi / 180))
    let turns: [Double] = [1e-4, 4e-5, 2e-5, 1e-5, 5e-6].flatMap { (turn: Double) -> [Double] in [-turn, turn] }
    return turns.flatMap { (turn: Double) -> [Camera] in
      [
        Camera(pan: pan + turn * aside, tilt: tilt, roll: roll, fieldOfView: fieldOfView),
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
      return max(
        abs(Double(rendered[pixel * 4]) - color.x.rounded()), abs(Double(rendered[pixel * 4 + 1]) - color.y.rounded()),
        abs(Double(rendered[pixel * 4 + 2]) - color.z.rounded()))
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
  _ shading: Shading = .fragment, mixesTexels: Bool? = nil
) throws -> [UInt8] {
  let renderer = try ViewRenderer(
    pipelines: KeptPipelines.of(shading, mixesTexels: mixesTexels), geometry: geometry, targetSize: target)
  _ = try renderer.render(frame, camera: camera, wantsPixels: true)
  return try #require(try renderer.drain().last?.pixels)
}

/// Shaders on the tests' device, kept from one view to the next: compiling them takes longer than drawing. Any thread.
enum KeptPipelines {
  private struct Key: Hashable {
    var shading: Shading
    var mixesTexels: Bool?
  }
  private static let kept = Mutex<[Key: ViewPipelines]>([:])

  /// Never inlined: `Scripts/sanitizers/leaks.supp` has its type's name.
  @inline(never)
  static func of(_ shading: Shading, mixesTexels: Bool? = nil) throws -> ViewPipelines {
    try kept.withLock { kept in
      let key = Key(shading: shading, mixesTexels: mixesTexels)
      if let pipelines = kept[key] { return pipelines }
      let pipelines = try ViewPipelines(device: TestDevice.device(), shading: shading, mixesTexels: mixesTexels)
      kept[key] = pipelines
      return pipelines
    }
  }
}
