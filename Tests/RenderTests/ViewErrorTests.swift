import Foundation
import Frames
import Render
import Support
import Testing

/// The figure beside the speed.
struct ViewErrorTests {
  private let target = PictureSize(width: 60, height: 40)
  private let camera = Camera(pan: 30, tilt: 20)
  private let frame: VideoFrame

  init() {
    var generator = SeededGenerator(seed: 5)
    frame = TestPictures.noisy(
      format: .yuv420p, size: PictureSize(width: 256, height: 128),
      color: ColorDescription(matrix: .bt709, range: .limited), generator: &generator)
  }

  private func exact(_ projection: Projection) -> (twin: ExactTwin, pixels: [UInt8]) {
    let geometry = PictureGeometry(projection: projection)
    let twin = ExactTwin(frame: frame, geometry: geometry, camera: camera, target: target)
    let view = ExactTwin.view(of: frame, geometry, camera: camera, target: target)
    let pixels = (0..<target.width * target.height).flatMap { pixel -> [UInt8] in
      view[pixel * 3..<pixel * 3 + 3].map { UInt8($0.rounded()) } + [255]
    }
    return (twin, pixels)
  }

  /// Rounding is evenly spread over half a code value either way: a twelfth of a code value squared. Colours that end
  /// at black or white are not rounded, which is worth up to a decibel in so noisy a picture.
  @Test(arguments: Projection.allCases)
  func roundingAloneIsKnown(_ projection: Projection) {
    let (twin, pixels) = exact(projection)
    let error = ViewError(of: pixels, reference: twin)
    #expect(error.largest <= 0.5 && error.count == 2400)
    let gain = error.weightedPSNR - 10 * log10(255 * 255 * 12)
    #expect(gain > -0.2 && gain < 1, "\(error)")
  }

  /// 128 off in one pixel, which then is all there is to the error.
  private func planted(_ projection: Projection, _ column: Int, _ row: Int) -> ViewError {
    var (twin, pixels) = exact(projection)
    let at = (row * target.width + column) * 4
    for channel in 0..<3 { pixels[at + channel] = pixels[at + channel] &+ 128 }
    return ViewError(of: pixels, reference: twin)
  }

  @Test func onePixelIsFoundAndWeighedByTheSphere() {
    let (middle, corner) = (planted(.equirectangular, 30, 20), planted(.equirectangular, 0, 0))
    #expect(abs(middle.largest - 128) <= 0.5 && abs(corner.largest - 128) <= 0.5)
    // A corner's ray is sqrt(1 + h² (1 + 1.5²)) long where h is half the height: its pixel covers that much to the third
    // less of the sphere.
    let half = tan(85.0 / 2 * .pi / 180)
    let (x, y) = (half * 1.5 * 59 / 60, half * 39 / 40)
    let expected = 10 * log10(pow(1 + x * x + y * y, 1.5))
    #expect(abs(corner.weightedPSNR - middle.weightedPSNR - expected) < 0.3, "\(middle), \(corner), \(expected)")
    let (flatMiddle, flatTop) = (planted(.flat, 30, 20), planted(.flat, 0, 6))
    #expect(abs(flatTop.weightedPSNR - flatMiddle.weightedPSNR) < 0.3)
  }

  /// The black bars above and below a picture twice as wide as high do not improve the figure.
  @Test func letterboxDoesNotCountButMayNotBeColoured() {
    let (twin, pixels) = exact(.flat)
    #expect(twin.pixel(30, 2) == nil && twin.pixel(30, 20) != nil)
    var coloured = pixels
    coloured[(2 * target.width + 30) * 4] = 9
    let (black, wrong) = (ViewError(of: pixels, reference: twin), ViewError(of: coloured, reference: twin))
    #expect(wrong.largest == 9 && wrong.weightedPSNR == black.weightedPSNR)
  }

  @Test(arguments: [1, 10, 100, 300, 2399])
  func aGridKeepsWithinItsLimitAndMeetsEveryPlaceOfABlock(_ limit: Int) {
    let (twin, pixels) = exact(.equirectangular)
    let counts = (0..<40).map { ViewError(of: pixels, reference: twin, seed: $0, pixelLimit: limit).count }
    #expect(counts.allSatisfy { $0 >= 1 && $0 <= limit })
    // Every second row wrong: a step of two would see all of it or nothing.
    var striped = pixels
    for row in stride(from: 0, to: target.height, by: 2) {
      for column in 0..<target.width { striped[(row * target.width + column) * 4] &+= 128 }
    }
    guard limit >= 100 else { return }
    for seed in 0..<20 as Range<UInt64> {
      let error = ViewError(of: striped, reference: twin, seed: seed, pixelLimit: limit)
      #expect(error.largest >= 100 && error.weightedPSNR > 10 && error.weightedPSNR < 17, "\(error)")
    }
  }
}
