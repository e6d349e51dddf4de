import Frames
import Glibc

/// How far the luma of a picture is from another of the same size, as a share: 10^(−dB/10). Samples have 8 bits.
enum PictureError {
  /// 1 − SSIM, of windows of 8×8 samples that overlap by half: Wang, Bovik, Sheikh and Simoncelli, 2004, with x264's windows, which
  /// FFmpeg's filter `ssim` has too. Both pictures are 8×8 or larger.
  static func dissimilarity(_ one: HostPlane, _ other: HostPlane) -> Double {
    let (columns, rows) = (one.rowBytes / 4, one.rows / 4)
    var above: [BlockSums] = []
    var sum = 0.0
    for row in 0..<rows {
      let current = (0..<columns).map { BlockSums(one, other, x: 4 * $0, y: 4 * row) }
      if !above.isEmpty {
        for column in Range(from: 1, to: columns) {
          sum += (above[column - 1] + above[column] + current[column - 1] + current[column]).similarity
        }
      }
      above = current
    }
    return 1 - sum / Double((columns - 1) * (rows - 1))
  }

  /// The squared error of WS-PSNR (Sun, Lu and Yu, 2017) for an equirectangular picture, as a share of 255²: each row weighs as much as
  /// it covers of the sphere.
  ///
  /// - Parameter eyeRows: rows of one eye's picture; eyes lie below each other.
  static func weightedSquare(_ one: HostPlane, _ other: HostPlane, eyeRows: Int) -> Double {
    var (sum, weights) = (0.0, 0.0)
    for row in 0..<one.rows {
      let weight = cos((Double(row % eyeRows) + 0.5 - Double(eyeRows) / 2) * .pi / Double(eyeRows))
      let (a, b) = (one.samples(row), other.samples(row))
      var square = 0
      for column in 0..<one.rowBytes {
        let difference = Int(a[column]) - Int(b[column])
        square += difference * difference
      }
      sum += weight * Double(square)
      weights += weight * Double(one.rowBytes)
    }
    return sum / weights / (255 * 255)
  }

  /// Sums over a block of 4×4 samples of two pictures.
  private struct BlockSums {
    var one = 0
    var other = 0
    /// Of both pictures.
    var squares = 0
    var products = 0

    init(_ first: HostPlane, _ second: HostPlane, x: Int, y: Int) {
      for row in Range(from: y, to: y + 4) {
        let (a, b) = (first.samples(row), second.samples(row))
        for column in Range(from: x, to: x + 4) {
          let (left, right) = (Int(a[column]), Int(b[column]))
          one += left
          other += right
          squares += left * left + right * right
          products += left * right
        }
      }
    }

    static func + (one: BlockSums, other: BlockSums) -> BlockSums {
      var sum = one
      sum.one += other.one
      sum.other += other.other
      sum.squares += other.squares
      sum.products += other.products
      return sum
    }

    /// (0.01 × 255)² × 64, and (0.03 × 255)² × 64 × 63.
    private static let stability = (luminance: 416.0, contrast: 235_963.0)

    /// Of a window of 64 samples.
    var similarity: Double {
      let (means, cross) = (Double(one * one + other * other), Double(one * other))
      let variances = Double(squares * 64) - means
      let covariance = Double(products * 64) - cross
      let luminance: Double = (2 * cross + Self.stability.luminance) / (means + Self.stability.luminance)
      let structure: Double = (2 * covariance + Self.stability.contrast) / (variances + Self.stability.contrast)
      return luminance * structure
    }
  }
}

extension HostPlane {
  fileprivate func samples(_ row: Int) -> UnsafePointer<UInt8> {
    UnsafePointer((base + row * bytesPerRow).assumingMemoryBound(to: UInt8.self))
  }
}
