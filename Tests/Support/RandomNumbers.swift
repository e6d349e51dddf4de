import Foundation

/// SplitMix64: the same seed gives the same test on every machine.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  public let seed: UInt64
  private var state: UInt64

  /// A fresh seed each time, or the one in `BENCH360_SEED`; print it with every failure.
  public init() {
    self.init(
      seed: ProcessInfo.processInfo.environment["BENCH360_SEED"].flatMap { UInt64($0) }
        ?? UInt64.random(in: 0...UInt64.max))
  }

  public init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
