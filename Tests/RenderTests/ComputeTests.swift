import Encode
import Frames
import GPU
import Overlay
import Render
import Support
import Testing

/// Compute shading beside the fragment shader: where the two are the same, and how far apart they are elsewhere.
@Suite(.tier(.test), .enabled(if: TestDevice.isAvailable, "no Vulkan device"))
struct ComputeTests {
  private static let bt709 = ColorDescription(matrix: .bt709, range: .limited)
  private static let large = {
    var generator = SeededGenerator(for: "ComputeTests.large")
    return TestPictures.noisy(
      format: .yuv420p, size: PictureSize(width: 2048, height: 1024), color: bt709, generator: &generator)
  }()

  private static let greyCameras = [Camera(pan: 180), Camera(tilt: 90), Camera(tilt: -89), nil]
  private static let greys = [
    PictureFormat.all.count, StereoLayout.allCases.count, Projection.allCases.count, greyCameras.count,
  ]

  /// Without colour a block shares no sample.
  ///
  /// - Parameter row: indexes of a format, a stereo layout, a projection and a camera.
  @Test(arguments: Sampling.pairwise(greys))
  func greysAreTheSame(_ row: [Int]) throws {
    try Self.expectTheSameGrey(row)
  }

  @Test(.tier(.full), arguments: Sampling.product(greys))
  func allGreysAreTheSame(_ row: [Int]) throws {
    try Self.expectTheSameGrey(row)
  }

  private static func expectTheSameGrey(_ row: [Int]) throws {
    var generator = SeededGenerator()
    let frame = TestPictures.grey(
      TestPictures.noisy(
        format: PictureFormat.all[row[0]], size: PictureSize(width: 256, height: 128), color: bt709,
        generator: &generator))
    let geometry = PictureGeometry(
      projection: Projection.allCases[row[2]], stereo: StereoLayout.allCases[row[1]], eye: .right, sampleAspect: 1.3)
    let camera = greyCameras[row[3]] ?? .random(using: &generator)
    let views = try Shading.allCases.map {
      try renderedView(frame, geometry, camera, PictureSize(width: 161, height: 90), $0)
    }
    let difference = zip(views[0], views[1]).map { abs(Int($0) - Int($1)) }.max() ?? 255
    #expect(difference <= 1, "seed \(generator.seed), \(frame.format.name), \(camera), \(geometry)")
    #expect(try TestDevice.validationMessages() == [])
  }

  /// Blocks that hang over the target's edge write nothing there, and what is inside is right.
  @Test(arguments: ["1x1", "2x1", "3x5", "16x17", "321x181"])
  func everyTargetSizeIsFilled(_ text: String) throws {
    let target = try #require(PictureSize(text))
    for projection in Projection.allCases {
      let camera = Camera(pan: 170, tilt: 20, roll: 10)
      let difference = try Difference(Self.large, PictureGeometry(projection: projection), camera, target, .compute)
      // The fewer pixels, the wider each: a float's angle is then a good part of a texel.
      #expect(difference.largest <= 3, "\(projection)")
    }
    #expect(try TestDevice.validationMessages() == [])
  }

  /// The middle of the view is the middle of a block, whose pixels lie more than a texel to either side of ±180°.
  @Test(arguments: StereoLayout.allCases)
  func blocksMayLieAcrossTheSeam(_ stereo: StereoLayout) throws {
    for eye in [PictureGeometry.Eye.left, .right] {
      let geometry = PictureGeometry(projection: .equirectangular, stereo: stereo, eye: eye)
      for pan in [180, 179.8, -179.6] {
        let difference = try Difference(
          Self.large, geometry, Camera(pan: pan), PictureSize(width: 162, height: 90), .compute)
        #expect(difference.largest <= 3, "\(pan), \(eye)")
      }
    }
  }

  /// Views that come close to a pole, and others that have it inside: both ways to place a block's pixels, and the
  /// change from one to the other.
  @Test(arguments: [0, 7, 15, 30, 45, 52.5, 60, 67.5, 75, 82.5, 90])
  func polesAreApproachedSafely(_ tilt: Double) throws {
    var generator = SeededGenerator()
    let size = PictureSize(width: 1024, height: 512)
    let frame = TestPictures.noisy(format: .yuv420p, size: size, color: Self.bt709, generator: &generator)
    for (fieldOfView, roll) in [(60.0, 0.0), (85, 30), (20, 80), (179, 0)] {
      let camera = Camera(
        pan: Double.random(in: -180...180, using: &generator), tilt: generator.next() % 2 == 0 ? tilt : -tilt,
        roll: roll, fieldOfView: fieldOfView)
      let difference = try Difference(
        frame, PictureGeometry(projection: .equirectangular), camera, PictureSize(width: 160, height: 90), .compute)
      #expect(difference.largest <= 3, "seed \(generator.seed), \(camera)")
      #expect(difference.shareWithinOne >= 0.998, "seed \(generator.seed), \(camera)")
    }
    #expect(try TestDevice.validationMessages() == [])
  }

  /// What reading chroma once a block costs: nothing to speak of where colours change slowly, as they do in most
  /// pictures; much at the hardest edges.
  @Test(arguments: Projection.allCases.enumerated().map { ($1, chromaCameras[$0 % chromaCameras.count]) })
  func chromaAtHalfRateStaysWithinItsBounds(_ projection: Projection, _ camera: Camera) throws {
    try Self.expectBoundsOfChroma(projection, [camera], side: 320)
  }

  @Test(.tier(.full), arguments: Projection.allCases)
  func chromaAtHalfRateStaysWithinItsBoundsForEveryCamera(_ projection: Projection) throws {
    try Self.expectBoundsOfChroma(projection, Self.chromaCameras, side: 640)
  }

  private static let chromaCameras = [Camera(), Camera(pan: 180, tilt: 40), Camera(pan: 70, tilt: -90)]

  /// - Parameter side: of a face, in samples, where a projection has faces; of half the picture where it has none.
  private static func expectBoundsOfChroma(_ projection: Projection, _ cameras: [Camera], side: Int) throws {
    let target = PictureSize(width: 1280, height: 720)
    let geometry = PictureGeometry(projection: projection)
    func error(_ frame: VideoFrame, _ camera: Camera) throws -> ViewError {
      ViewError(
        of: try renderedView(frame, geometry, camera, target, .compute),
        reference: ExactTwin(frame: frame, geometry: geometry, camera: camera, target: target), pixelLimit: 1 << 15)
    }
    let (smooth, hard) = try pictures(projection, side)
    for camera in cameras {
      let onSmooth = try error(smooth, camera)
      // A block across a fisheye's rim may read its chroma where the picture is black.
      let isNear = onSmooth.largest <= 3 || projection == .fisheye
      #expect(onSmooth.weightedPSNR >= 51 && isNear, "\(onSmooth), \(camera)")
      let onHard = try error(hard, camera)
      #expect(onHard.weightedPSNR >= 36, "\(onHard), \(camera)")
    }
  }

  private static let scene = Result { try TestPictures.synthetic(7, size: PictureSize(width: 3840, height: 1920)) }

  /// A picture whose colours change slowly, and the synthetic scene, as a projection has them.
  private static func pictures(_ projection: Projection, _ side: Int) throws -> (smooth: VideoFrame, hard: VideoFrame) {
    let scene = try scene.get()
    switch projection {
    case .flat, .equirectangular, .littlePlanet: return (TestPictures.smooth(size: scene.size, color: bt709), scene)
    default:
      let geometry = PictureGeometry(projection: projection)
      let size =
        projection == .cubemap6x1
        ? PictureSize(width: 6 * side, height: side) : PictureSize(width: 3 * side, height: 2 * side)
      return (
        EyePicture.world(geometry, size: size).frame(), EyePicture.projected(scene, geometry, size: size).frame()
      )
    }
  }

  /// Overlays lie over views of either shading.
  @Test func overlaysLieOverIt() throws {
    var generator = SeededGenerator()
    let frame = TestPictures.grey(
      TestPictures.noisy(
        format: .yuv420p, size: PictureSize(width: 256, height: 128), color: Self.bt709, generator: &generator))
    let target = PictureSize(width: 161, height: 91)
    let views = try Shading.allCases.map { shading -> [UInt8] in
      let renderer = try ViewRenderer(
        pipelines: KeptPipelines.of(shading), geometry: PictureGeometry(projection: .equirectangular),
        targetSize: target)
      let plain = try renderer.render(frame, camera: Camera(tilt: 30), wantsPixels: true) + renderer.drain()
      try Graticule.add(to: renderer)
      let lined = try renderer.render(frame, camera: Camera(tilt: 30), wantsPixels: true) + renderer.drain()
      let (before, after) = (try #require(plain.last?.pixels), try #require(lined.last?.pixels))
      let changed = stride(from: 0, to: before.count, by: 4).count { before[$0..<$0 + 3] != after[$0..<$0 + 3] }
      #expect(changed > 500 && changed < before.count / 8, "\(changed) pixels lie under lines")
      return after
    }
    #expect((zip(views[0], views[1]).map { abs(Int($0) - Int($1)) }.max() ?? 255) <= 1)
    #expect(try TestDevice.validationMessages() == [])
  }

  /// Many in flight, read back or not, change nothing.
  @Test func slotsAreUsedAgainAndAgain() throws {
    var generator = SeededGenerator()
    let frame = TestPictures.noisy(
      format: .nv12, size: PictureSize(width: 256, height: 128), color: Self.bt709, generator: &generator)
    let renderer = try ViewRenderer(
      pipelines: KeptPipelines.of(.compute), geometry: PictureGeometry(projection: .equirectangular),
      targetSize: PictureSize(width: 64, height: 48))
    var views: [[UInt8]] = []
    for index in 0..<20 {
      let done = try renderer.render(frame, camera: Camera(), wantsPixels: index % 3 == 0)
      views += done.compactMap(\.pixels)
      for view in done { #expect((view.renderGPUMilliseconds ?? 1) > 0) }
    }
    views += try renderer.drain().compactMap(\.pixels)
    #expect(views.count == 7 && views.allSatisfy { $0 == views[0] })
    #expect(try TestDevice.validationMessages() == [])
  }
}
