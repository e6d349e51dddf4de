import Frames

/// Noise that differs in every frame and costs an encoder what a sensor's would.
struct Grain: Sendable {
  private static let offsets = 1 << 16
  private let table: [Int16]
  private let seed: UInt64
  private let limit: Int16

  init(_ specification: SceneSpecification) {
    var random = SplitMix64(seed: ~specification.seed)
    let amplitude = specification.noise << (specification.bitDepth - 8)
    seed = specification.seed
    limit = Int16(1 << specification.bitDepth - 1)
    table =
      amplitude == 0
      ? []
      : (0..<Self.offsets + specification.eyeSize.width).map { _ in
        // Two dice: small changes are likelier than large ones.
        let bits = random.next()
        let sides = UInt64(amplitude + 1)
        return Int16((bits & 0xFFFF_FFFF) % sides) - Int16((bits >> 32) % sides)
      }
  }

  func add<Sample: SceneSample>(
    frame: Int, eye: Int, geometry: SceneGeometry, to base: UnsafeMutablePointer<Sample>, stride: Int
  ) {
    var random = SplitMix64(seed: seed &+ UInt64(2 * frame + eye) &* 0x9FB2_1C65_1E98_DF25)
    table.withUnsafeBufferPointer { noise in
      guard let first = noise.baseAddress, !noise.isEmpty else { return }
      for row in 0..<geometry.height {
        let offset = Int(random.next() % UInt64(Self.offsets))
        Sample.add(first + offset, to: base + row * stride, count: geometry.width, limit: limit)
      }
    }
  }
}

/// A sample of 8 bits, or of more in two bytes. Each depth has its own implementation, which vectorises independently of
/// the generic code around it.
protocol SceneSample: FixedWidthInteger, UnsignedInteger, Sendable {
  /// Adds `noise` to `count` samples and keeps them in 0 ... `limit`.
  static func add(_ noise: UnsafePointer<Int16>, to samples: UnsafeMutablePointer<Self>, count: Int, limit: Int16)
}

extension UInt8: SceneSample {
  static func add(_ noise: UnsafePointer<Int16>, to samples: UnsafeMutablePointer<UInt8>, count: Int, limit: Int16) {
    for index in 0..<count {
      let sum = Int16(samples[index]) &+ noise[index]
      samples[index] = UInt8(truncatingIfNeeded: Swift.min(Swift.max(sum, 0), 255))
    }
  }
}

extension UInt16: SceneSample {
  static func add(_ noise: UnsafePointer<Int16>, to samples: UnsafeMutablePointer<UInt16>, count: Int, limit: Int16) {
    for index in 0..<count {
      let sum = Int16(truncatingIfNeeded: samples[index]) &+ noise[index]
      samples[index] = UInt16(truncatingIfNeeded: Swift.min(Swift.max(sum, 0), limit))
    }
  }
}
