import Frames
import Glibc

/// How far a rendered view lies from the double-precision reference.
public struct ViewError: Sendable, Hashable {
  /// Peak signal-to-noise ratio over R, G and B in decibels. Each pixel counts by the part of the sphere that it covers,
  /// letterbox does not count. The reference is not rounded: rounding alone gives 58.9. At most 100, which stands for
  /// no difference at all.
  public let weightedPSNR: Double
  /// The largest difference of a component in code values; rounding alone gives 0.5.
  public let largest: Double
  /// Pixels that were compared.
  public let count: Int

  /// Compares about `pixelLimit` pixels: a grid of an odd step, so that every place in a block of 2×2 pixels gets its
  /// turn, that starts where `seed` says. All pixels when there are no more.
  ///
  /// - Parameter pixels: RGBA of the reference's target, 8 bits each, top row first, without padding.
  public init(of pixels: [UInt8], reference: ExactTwin, seed: UInt64 = 0, pixelLimit: Int = 1 << 17) {
    let target = reference.target
    precondition(pixels.count == target.width * target.height * 4, "the view is of another size")
    let step = ViewError.step(target, pixelLimit)
    let (left, top) = (Int(seed % UInt64(step)), Int(seed / UInt64(step) % UInt64(step)))
    var (squares, weights, largest, count) = (0.0, 0.0, 0.0, 0)
    for row in stride(from: min(top, target.height - 1), to: target.height, by: step) {
      for column in stride(from: min(left, target.width - 1), to: target.width, by: step) {
        let exact = reference.pixel(column, row)
        let at = (row * target.width + column) * 4
        let (x, y, z) = (Double(pixels[at]), Double(pixels[at + 1]), Double(pixels[at + 2]))
        let color = exact ?? Vector3(0, 0, 0)
        let difference = Vector3(x - color.x, y - color.y, z - color.z)
        largest = max(largest, abs(difference.x), abs(difference.y), abs(difference.z))
        count += 1
        guard exact != nil else { continue }
        let weight = reference.weight(column, row)
        weights += weight
        squares += weight * difference.dot(difference) / 3
      }
    }
    self.largest = largest
    self.count = count
    weightedPSNR = squares > 0 ? min(100, 10 * log10(255 * 255 * weights / squares)) : 100
  }

  /// The least odd step that keeps a grid within the limit.
  private static func step(_ target: PictureSize, _ limit: Int) -> Int {
    var step = 1
    while (target.width + step - 1) / step * ((target.height + step - 1) / step) > limit { step += 2 }
    return step
  }
}
