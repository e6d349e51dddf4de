import Encode
import Frames
import GPU
import Overlay
import Render
import Support
import Testing

/// Compute shading beside the fragment shader: where the two are the same, and how far apart they are elsewhere.
@Suite(.enabled(if: TestDevice.isAvailable, "no Vulkan device"))
struct ComputeTests {
  private static let bt709 = ColorDescription(matrix: .bt709, range: .limited)

  /// Without colour a block shares no sample.
  @Test(arguments: PictureFormat.all, StereoLayout.allCases)
  func greysAreTheSame(_ format: PictureFormat, _ stereo: StereoLayout) throws {
    var generator = SeededGenerator()
    let frame = TestPictures.grey(
      TestPictures.noisy(
        format: format, size: PictureSize(width: 256, height: 128), color: Self.bt709, generator: &generator))
    for projection in Projection.allCases {
      let geometry = PictureGeometry(projection: projection, stereo: stereo, eye: .right, sampleAspect: 1.3)
      for camera in [Camera(pan: 180), Camera(tilt: 90), Camera(tilt: -89)] + [.random(using: &generator)] {
        let difference = try largestDifference(frame, geometry, camera, PictureSize(width: 161, height: 90))
        #expect(difference <= 1, "seed \(generator.seed), \(camera), \(projection)")
      }
    }
    #expect(try TestDevice.validationMessages() == [])
  }

  /// Blocks that hang over the target's edge write nothing there, and what is inside is right.
  @Test(arguments: ["1x1", "2x1", "3x5", "16x17", "641x361"])
  func everyTargetSizeIsFilled(_ text: String) throws {
    let target = try #require(PictureSize(text))
    var generator = SeededGenerator()
    let frame = TestPictures.noisy(
      format: .yuv420p, size: PictureSize(width: 2048, height: 1024), color: Self.bt709, generator: &generator)
    for projection in Projection.allCases {
      let camera = Camera(pan: 170, tilt: 20, roll: 10)
      let difference = try Difference(frame, PictureGeometry(projection: projection), camera, target, .compute)
      // The fewer pixels, the wider each: a float's angle is then a good part of a texel.
      #expect(difference.largest <= 3, "seed \(generator.seed), \(projection)")
    }
    #expect(try TestDevice.validationMessages() == [])
  }

  /// The middle of the view is the middle of a block, whose pixels lie more than a texel to either side of ±180°.
  @Test(arguments: StereoLayout.allCases)
  func blocksMayLieAcrossTheSeam(_ stereo: StereoLayout) throws {
    var generator = SeededGenerator()
    let frame = TestPictures.noisy(
      format: .yuv420p, size: PictureSize(width: 2048, height: 1024), color: Self.bt709, generator: &generator)
    for eye in [PictureGeometry.Eye.left, .right] {
      let geometry = PictureGeometry(projection: .equirectangular, stereo: stereo, eye: eye)
      for pan in [180, 179.8, -179.6] {
        let difference = try Difference(
          frame, geometry, Camera(pan: pan), PictureSize(width: 162, height: 90), .compute)
        #expect(difference.largest <= 3, "seed \(generator.seed), \(pan), \(eye)")
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
  @Test func chromaAtHalfRateStaysWithinItsBounds() throws {
    let size = PictureSize(width: 3840, height: 1920)
    let target = PictureSize(width: 1280, height: 720)
    func error(_ frame: VideoFrame, _ camera: Camera, _ projection: Projection) throws -> ViewError {
      let geometry = PictureGeometry(projection: projection)
      return ViewError(
        of: try renderedView(frame, geometry, camera, target, .compute),
        reference: ExactTwin(frame: frame, geometry: geometry, camera: camera, target: target))
    }
    let scene = try TestPictures.synthetic(7, size: size)
    for projection in Projection.allCases {
      let (smooth, hard) = Self.pictures(projection, scene)
      for camera in [Camera(), Camera(pan: 180, tilt: 40), Camera(pan: 70, tilt: -90)] {
        let onSmooth = try error(smooth, camera, projection)
        // A block across a fisheye's rim may read its chroma where the picture is black.
        let isNear = onSmooth.largest <= 3 || projection == .fisheye
        #expect(onSmooth.weightedPSNR >= 51 && isNear, "\(onSmooth), \(camera), \(projection)")
        let onHard = try error(hard, camera, projection)
        #expect(onHard.weightedPSNR >= 36, "\(onHard), \(camera), \(projection)")
      }
    }
  }

  /// A picture whose colours change slowly, and the synthetic scene, as a projection has them.
  private static func pictures(_ projection: Projection, _ scene: VideoFrame) -> (smooth: VideoFrame, hard: VideoFrame)
  {
    switch projection {
    case .flat, .equirectangular, .littlePlanet: return (TestPictures.smooth(size: scene.size, color: bt709), scene)
    default:
      let geometry = PictureGeometry(projection: projection)
      let size =
        projection == .cubemap6x1 ? PictureSize(width: 3840, height: 640) : PictureSize(width: 1920, height: 1280)
      return (
        TestPictures.world(geometry, size: size), TestPictures.projected(scene, geometry, size: size)
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
        device: TestDevice.device(), geometry: PictureGeometry(projection: .equirectangular), targetSize: target,
        shading: shading)
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
      device: TestDevice.device(), geometry: PictureGeometry(projection: .equirectangular),
      targetSize: PictureSize(width: 64, height: 48), shading: .compute)
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

  private func largestDifference(
    _ frame: VideoFrame, _ geometry: PictureGeometry, _ camera: Camera, _ target: PictureSize
  ) throws -> Int {
    let views = try Shading.allCases.map { try renderedView(frame, geometry, camera, target, $0) }
    return zip(views[0], views[1]).map { abs(Int($0) - Int($1)) }.max() ?? 255
  }
}
