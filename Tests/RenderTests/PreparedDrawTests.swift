import Frames
import GPU
import Render
import Support
import Testing

/// Views that are drawn now and shown later, without a window.
@Suite(.tier(.test), .enabled(if: TestDevice.isAvailable, "no Vulkan device"))
struct PreparedDrawTests {
  private static let target = PictureSize(width: 160, height: 80)

  private static func renderer(_ shading: Shading = .fragment, framesInFlight: Int = 3) throws -> ViewRenderer {
    try ViewRenderer(
      pipelines: KeptPipelines.of(shading), geometry: PictureGeometry(projection: .equirectangular),
      targetSize: target, framesInFlight: framesInFlight)
  }

  private static let frames = Result {
    try (0..<4).map { try TestPictures.synthetic($0, size: PictureSize(width: 640, height: 320)) }
  }

  private static func frame(_ number: Int) throws -> VideoFrame { try frames.get()[number] }

  private static func pixels(_ number: Int, _ renderer: ViewRenderer) throws -> [UInt8] {
    _ = try renderer.render(try frame(number), camera: Camera(pan: 20), wantsPixels: true)
    return try #require(try renderer.drain().last?.pixels)
  }

  @Test(arguments: [Shading.fragment, .compute], [1, 2, 3])
  func aPreparedViewIsTheSamePicture(shading: Shading, framesInFlight: Int) throws {
    let renderer = try Self.renderer(shading, framesInFlight: framesInFlight)
    let expected = try (0..<4).map { try Self.pixels($0, renderer) }
    for number in 0..<4 {
      var told = 0
      try renderer.prepare(try Self.frame(number), camera: Camera(pan: 20), wantsPixels: true) { _ in told += 1 }
      #expect(renderer.hasPrepared)
      try renderer.drain { _ in told += 1 }
      #expect(told == 0 && renderer.hasPrepared, "it is told once it was shown")
      try renderer.showPrepared()
      #expect(!renderer.hasPrepared)
      var finished: [FrameRing.Finished] = []
      try renderer.drain { finished.append($0) }
      #expect(finished.count == 1 && finished.first?.pixels == expected[number] && finished.first?.present == nil)
    }
    #expect(try TestDevice.validationMessages() == [])
  }

  /// Discarded by hand, by the next view, by another target or geometry: never told, and nothing else is lost.
  @Test(arguments: [1, 3], 0..<5)
  func aDiscardedViewIsNeverTold(framesInFlight: Int, way: Int) throws {
    let renderer = try Self.renderer(framesInFlight: framesInFlight)
    var told: [Int] = []
    func note(_ finished: FrameRing.Finished) { told.append(finished.frame.address) }
    let frames = try (0..<3).map { try Self.frame($0 + 1) }
    let addresses = frames.map(\.address)
    try renderer.render(frames[0], camera: Camera(), onFinished: note)
    try renderer.prepare(frames[1], camera: Camera(), onFinished: note)
    switch way {
    case 0: renderer.discardPrepared()
    case 1: try renderer.prepare(frames[1], camera: Camera(pan: 1), onFinished: note)
    case 2: renderer.targetSize = PictureSize(width: 80, height: 40)
    case 3: try renderer.change(to: PictureGeometry(projection: .flat))
    default: break
    }
    #expect(renderer.hasPrepared == (way == 1 || way == 4))
    try renderer.render(frames[2], camera: Camera(), onFinished: note)
    #expect(!renderer.hasPrepared)
    try renderer.drain(onFinished: note)
    #expect(told == [addresses[0], addresses[2]])
    #expect(try TestDevice.validationMessages() == [])
  }

  /// A size that is set again is no other size.
  @Test func theSameTargetKeepsWhatWasPrepared() throws {
    let renderer = try Self.renderer()
    try renderer.prepare(try Self.frame(1), camera: Camera()) { _ in }
    renderer.targetSize = Self.target
    #expect(renderer.hasPrepared)
  }
}

extension VideoFrame {
  /// Tells frames of these tests apart.
  fileprivate var address: Int { Int(bitPattern: picture.planes[0].base) }
}
