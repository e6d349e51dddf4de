/// An 8-bit mask: the covered share of each pixel, 0 … 255, rows from the top without padding.
public struct Coverage: Sendable, Hashable {
  public let width: Int
  public let height: Int
  public private(set) var bytes: [UInt8]

  /// - Parameter bytes: exactly width × height.
  public init(width: Int, height: Int, bytes: [UInt8]) {
    precondition(width > 0 && height > 0 && bytes.count == width * height, "not a coverage")
    (self.width, self.height, self.bytes) = (width, height, bytes)
  }

  public subscript(column: Int, row: Int) -> UInt8 { bytes[row * width + column] }

  /// Raises a pixel's coverage to `value`; never lowers it.
  mutating func cover(_ column: Int, _ row: Int, with value: UInt8) {
    let place = row * width + column
    bytes[place] = max(bytes[place], value)
  }

  /// Hashes a sample of the bytes, which differs for nearly all pictures; `==` compares all of them.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(width)
    hasher.combine(height)
    hasher.combineSample(of: bytes)
  }
}

extension Hasher {
  /// Some 64 of the bytes, spread over all of them: pictures are looked up every frame.
  mutating func combineSample(of bytes: [UInt8]) {
    for index in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 61)) { combine(bytes[index]) }
  }
}
