import Foundation

/// Random numbers that depend on the seed alone: SplitMix64, and normal numbers by Marsaglia's polar method.
package struct RandomSource: RandomNumberGenerator {
  private var state: UInt64
  private var spare: Double?

  package init(seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// From 0 up to and without 1.
  package mutating func uniform() -> Double {
    Double(next() >> 11) * 0x1p-53
  }

  /// Mean 0, standard deviation 1.
  package mutating func normal() -> Double {
    if let value = spare {
      spare = nil
      return value
    }
    while true {
      let x = 2 * uniform() - 1
      let y = 2 * uniform() - 1
      let square = x * x + y * y
      guard square > 0, square < 1 else { continue }
      let factor = (-2 * log(square) / square).squareRoot()
      spare = y * factor
      return x * factor
    }
  }

  /// Student's t with 3 degrees of freedom, scaled to standard deviation 1.
  package mutating func heavy() -> Double {
    let a = normal()
    let b = normal()
    let c = normal()
    // t = z / √(χ² / 3), and the variance of t is 3.
    return normal() / (a * a + b * b + c * c).squareRoot()
  }
}
