import Frames
import GPU
import Overlay
import Render
import Support
import Testing

/// Both eyes beside each other are the two views that each eye alone would give.
@Suite(.tier(.test), .enabled(if: TestDevice.isAvailable, "no Vulkan device"))
struct EyeTests {
  @Test(arguments: StereoLayout.allCases, Shading.allCases)
  func bothAreTheTwoHalves(_ stereo: StereoLayout, _ shading: Shading) throws {
    var generator = SeededGenerator()
    let frame = TestPictures.noisy(
      format: .yuv420p, size: PictureSize(width: 256, height: 256),
      color: ColorDescription(matrix: .bt709, range: .limited), generator: &generator)
    // An odd width: the right half is a pixel wider.
    let target = PictureSize(width: 163, height: 90)
    for projection in Projection.allCases {
      var geometry = PictureGeometry(projection: projection, stereo: stereo, eye: .both)
      let camera = Self.camera(geometry, height: 90, widths: 81, 82, using: &generator)
      let both = try renderedView(frame, geometry, camera, target, shading)
      for (eye, left, width) in [(PictureGeometry.Eye.left, 0, 81), (.right, 81, 82)] {
        geometry.eye = eye
        let alone = try renderedView(frame, geometry, camera, PictureSize(width: width, height: 90), shading)
        let half = columns(left..<left + width, of: both, width: 163)
        #expect(half == alone, "seed \(generator.seed), \(projection), \(eye)")
      }
    }
    #expect(try TestDevice.validationMessages() == [])
  }

  /// One at which both eyes or neither take the compute shader's shortcut: it is one shader for both, and at its border 81 pixels may take it
  /// where 82 do not, with other roundings.
  private static func camera(
    _ geometry: PictureGeometry, height: Int, widths: Int..., using generator: inout SeededGenerator
  ) -> Camera {
    while true {
      let camera = Camera.random(using: &generator)
      let shortcuts = widths.map {
        geometry.allowsBlockShortcut(camera, target: PictureSize(width: $0, height: height))
      }
      if Set(shortcuts).count == 1 { return camera }
    }
  }

  /// The left eye is on top, or on the left: here it sees white, and the right one black.
  @Test(arguments: [StereoLayout.topBottom, .sideBySide], [Projection.flat, .equirectangular, .cubemap3x2])
  func eachSeesItsOwnHalf(_ stereo: StereoLayout, _ projection: Projection) throws {
    // Either half is as wide and high as the target, so that a flat one fills it.
    let size = stereo == .topBottom ? PictureSize(width: 96, height: 96) : PictureSize(width: 192, height: 48)
    let picture = HostPicture(format: .grey(bitDepth: 8), size: size)
    for row in 0..<size.height {
      for column in 0..<size.width {
        let isLeft = stereo == .topBottom ? row < size.height / 2 : column < size.width / 2
        picture.planes[0].base.storeBytes(
          of: isLeft ? 255 : 0, toByteOffset: row * picture.planes[0].bytesPerRow + column, as: UInt8.self)
      }
    }
    let frame = VideoFrame(
      index: 0, presentationTime: .zero, duration: .zero, format: .grey(bitDepth: 8), size: size,
      color: ColorDescription(matrix: .bt709, range: .full), picture: picture)
    let target = PictureSize(width: 32, height: 16)
    let views: [(PictureGeometry.Eye, [UInt8])] = [(.left, [255, 255]), (.right, [0, 0]), (.both, [255, 0])]
    for (eye, seen) in views {
      let geometry = PictureGeometry(projection: projection, stereo: stereo, eye: eye)
      let pixels = try renderedView(frame, geometry, Camera(pan: 20, tilt: 10), target)
      // In the middle of either half of the target.
      let (left, right) = (pixels[(8 * target.width + 8) * 4], pixels[(8 * target.width + 24) * 4])
      #expect([left, right] == seen, "\(eye)")
    }
  }

  @Test(arguments: [1, 2])
  func narrowTargetsAreFilled(_ width: Int) throws {
    var generator = SeededGenerator()
    let frame = TestPictures.noisy(
      format: .yuv420p, size: PictureSize(width: 64, height: 32),
      color: ColorDescription(matrix: .bt709, range: .limited), generator: &generator)
    let geometry = PictureGeometry(projection: .equirectangular, stereo: .topBottom, eye: .both)
    let difference = try Difference(frame, geometry, Camera(), PictureSize(width: width, height: 4))
    #expect(difference.largest <= 3, "seed \(generator.seed)")
  }

  /// The grid is drawn over either eye's view as over one alone.
  @Test func overlaysLieOverBoth() throws {
    var generator = SeededGenerator()
    let frame = TestPictures.noisy(
      format: .yuv420p, size: PictureSize(width: 256, height: 128),
      color: ColorDescription(matrix: .bt709, range: .limited), generator: &generator)
    func view(_ eye: PictureGeometry.Eye, _ width: Int) throws -> [UInt8] {
      let renderer = try ViewRenderer(
        pipelines: KeptPipelines.of(.fragment), geometry: PictureGeometry(projection: .equirectangular, eye: eye),
        targetSize: PictureSize(width: width, height: 90))
      try Graticule.add(to: renderer)
      _ = try renderer.render(frame, camera: Camera(pan: 20), wantsPixels: true)
      return try #require(try renderer.drain().last?.pixels)
    }
    let (both, alone) = (try view(.both, 160), try view(.right, 80))
    #expect(columns(80..<160, of: both, width: 160) == alone)
  }

  private func columns(_ columns: Range<Int>, of pixels: [UInt8], width: Int) -> [UInt8] {
    var part: [UInt8] = []
    for row in 0..<pixels.count / width / 4 {
      let start: Int = (row * width + columns.lowerBound) * 4
      part += pixels[start..<start + columns.count * 4]
    }
    return part
  }
}
