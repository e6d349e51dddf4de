/// A `sidx` box (ISO/IEC 14496-12 §8.16.3).
struct SegmentIndexBox {
  struct Reference {
    var size: Int64
    /// In ticks.
    var duration: Int64
  }

  let timescale: Int64
  /// The earliest presentation time, in ticks.
  let earliest: Int64
  /// From the end of the box to the first segment.
  let firstOffset: Int64
  let references: [Reference]
  /// From the beginning of `bytes` to the end of the box.
  let size: Int64

  /// The first `sidx` among the boxes of `bytes`.
  init(_ bytes: [UInt8]) throws(ManifestFlaw) {
    guard !bytes.starts(with: [0x1C, 0x53, 0xBB, 0x6B]) else {
      throw ManifestFlaw.unsupported("it is the cues of a WebM file, which are not read")
    }
    guard let box = try Self.find(bytes) else {
      throw ManifestFlaw("it holds no 'sidx' box")
    }
    var reader = IndexReader(bytes[box])
    let version = try reader.integer(1)
    _ = try reader.integer(3 + 4)
    timescale = try reader.integer(4)
    guard timescale > 0 else { throw ManifestFlaw("its timescale is zero") }
    guard version <= 1 else { throw ManifestFlaw("its version \(version) is not known") }
    earliest = try reader.integer(version == 0 ? 4 : 8)
    firstOffset = try reader.integer(version == 0 ? 4 : 8)
    _ = try reader.integer(2)
    let count = try reader.integer(2)
    var references: [Reference] = []
    references.reserveCapacity(Int(count))
    for _ in 0..<count {
      let size = try reader.integer(4)
      guard size < 0x8000_0000 else {
        throw ManifestFlaw.unsupported("it is an index of indexes, which is not read")
      }
      references.append(Reference(size: size, duration: try reader.integer(4)))
      _ = try reader.integer(4)
    }
    self.references = references
    size = Int64(box.upperBound)
  }

  /// The content of the first box of the type.
  private static func find(_ bytes: [UInt8]) throws(ManifestFlaw) -> Range<Int>? {
    var place = 0
    while bytes.count - place >= 8 {
      var reader = IndexReader(bytes[place...])
      var size = try reader.integer(4)
      let isIndex = bytes[Range(from: place + 4, to: place + 8)].elementsEqual("sidx".utf8)
      _ = try reader.integer(4)
      var header = 8
      if size == 1 {
        size = try reader.integer(8)
        header = 16
      } else if size == 0 {
        size = Int64(bytes.count - place)
      }
      guard size >= header, size <= bytes.count - place else {
        throw ManifestFlaw("a box in it is damaged or truncated")
      }
      if isIndex { return Range(from: place + header, to: place + Int(size)) }
      place += Int(size)
    }
    return nil
  }
}

/// Big-endian numbers, one behind the other.
private struct IndexReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// The number in the next `count` bytes, at most 8. Throws where it is beyond 2⁶² or the bytes end.
  mutating func integer(_ count: Int) throws(ManifestFlaw) -> Int64 {
    guard rest.count >= count else { throw ManifestFlaw("it is truncated") }
    let value = rest.prefix(count).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    rest = rest.dropFirst(count)
    guard value <= UInt64(ManifestLimits.number) else { throw ManifestFlaw("a number in it is too great") }
    return Int64(value)
  }
}
