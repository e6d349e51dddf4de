/// An MP4 whose index lies at its end, as ours do: boxes can be put into it without moving the samples.
public struct BoxEditor {
  public private(set) var bytes: [UInt8]

  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// From the movie to the boxes of the first track's first sample entry, whose type is `codec`.
  public static func sampleEntry(_ codec: String = "avc1") -> [String] {
    ["moov", "trak", "mdia", "minf", "stbl", "stsd", codec]
  }

  /// A box of that type around a payload.
  public static func box(_ type: String, _ payload: [UInt8]) -> [UInt8] {
    number(UInt32(8 + payload.count)) + Array(type.utf8) + payload
  }

  public static func number(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  /// Where the first box of each type of `path` lies in the one before it; the whole box, header included.
  public func find(_ path: [String]) -> [Range<Int>]? {
    var found: [Range<Int>] = []
    var inside = 0..<bytes.count
    for type in path {
      guard let box = boxes(in: inside).first(where: { self.type($0) == type }) else { return nil }
      found.append(box)
      inside = box.lowerBound + contents(of: type)..<box.upperBound
    }
    return found
  }

  /// Puts `content` behind all that the box at `path` holds, and lets its parents grow.
  public mutating func insert(_ content: [UInt8], into path: [String]) {
    guard let boxes = find(path), let last = boxes.last else { fatalError("no \(path)") }
    for box in boxes {
      let size = UInt32(box.count + content.count)
      bytes.replaceSubrange(box.lowerBound..<box.lowerBound + 4, with: Self.number(size))
    }
    bytes.insert(contentsOf: content, at: last.upperBound)
  }

  private func boxes(in range: Range<Int>) -> [Range<Int>] {
    var boxes: [Range<Int>] = []
    var start = range.lowerBound
    while start + 8 <= range.upperBound {
      let size = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
      guard size >= 8, start + size <= range.upperBound else { break }
      boxes.append(start..<start + size)
      start += size
    }
    return boxes
  }

  private func type(_ box: Range<Int>) -> String {
    String(decoding: bytes[box.lowerBound + 4..<box.lowerBound + 8], as: UTF8.self)
  }

  /// Offset of a box's children from its start.
  private func contents(of type: String) -> Int {
    switch type {
    case "stsd": 16
    case "avc1", "hvc1", "hev1": 8 + 78
    default: 8
    }
  }
}
