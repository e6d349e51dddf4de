extension [UInt8] {
  /// The most that a byte differs from the one at its place in `other`.
  public func largestDifference(from other: [UInt8]) -> Int {
    zip(self, other).reduce(0) { Swift.max($0, abs(Int($1.0) - Int($1.1))) }
  }
}
