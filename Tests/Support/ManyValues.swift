import Foundation

// Loops over each byte of a picture and each sample of a sound are here: this target is optimised, most targets of tests are not.

extension [UInt8] {
  /// The most that a byte differs from the one at its place in `other`.
  public func largestDifference(from other: [UInt8]) -> Int {
    zip(self, other).reduce(0) { Swift.max($0, abs(Int($1.0) - Int($1.1))) }
  }

  /// How many bytes differ from the one at their place in `other`, as far as both reach.
  public func differences(from other: [UInt8]) -> Int {
    zip(self, other).count { $0 != $1 }
  }

  /// False where all bytes are alike, and where there are none.
  public var isVaried: Bool { contains { $0 != self[0] } }

  /// In dB; 100 where both are equal, 0 where their counts differ.
  public func psnr(to other: [UInt8]) -> Double {
    guard count == other.count else { return 0 }
    var sum = 0
    for index in indices {
      let difference = Int(self[index]) - Int(other[index])
      sum += difference * difference
    }
    return sum == 0 ? 100 : 10 * log10(255 * 255 * Double(count) / Double(sum))
  }
}

extension [Float] {
  /// The most that a sample differs from the one at its place in `other`, as far as both reach.
  public func largestDifference(from other: [Float]) -> Float {
    zip(self, other).reduce(0) { Swift.max($0, abs($1.0 - $1.1)) }
  }

  /// How many samples are silent.
  public var silentCount: Int { count { $0 == 0 } }

  /// Makes `count` samples that encode their position: each is its time in the clip in seconds, plus one.
  public init(tellingSecondsFrom first: Int, count: Int, rate: Int) {
    self = (first..<first + count).map { (place: Int) -> Float in Float(1 + Double(place) / Double(rate)) }
  }
}

extension SeededGenerator {
  /// Random bytes.
  public mutating func bytes(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count { Swift.withUnsafeBytes(of: next()) { bytes.append(contentsOf: $0) } }
    bytes.removeLast(bytes.count - count)
    return bytes
  }
}
