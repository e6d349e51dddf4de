import Frames

/// The boxes of an ISO base media file (MP4, QuickTime): their headers, and payloads on demand.
///
/// Made for hostile files: no box reaches out of its parent, all headers together count against a budget, payloads are
/// read up to a limit, and nothing here recurses. One owner, one thread.
struct BoxFile: ~Copyable {
  /// A box without its header: four letters, and where its payload lies in the file.
  struct Box {
    let type: UInt32
    let payload: Range<Int64>

    func has(_ letters: StaticString) -> Bool { type == fourLetters(letters) }
  }

  private let source: any RandomAccessBytes
  let whole: Range<Int64>
  private let interruption: Interruption?
  private var headersLeft = 20_000

  /// Nil when there are no bytes, or they cannot be read at any offset.
  ///
  /// - Parameter interruption: ends waiting for bytes: none follow then.
  init?(_ source: any RandomAccessBytes, unless interruption: Interruption? = nil) {
    let size = source.count
    guard size > 0, source.isSeekable else { return nil }
    (self.source, self.interruption) = (source, interruption)
    whole = 0..<size
  }

  /// The first box of that type in `range`.
  mutating func first(_ letters: StaticString, in range: Range<Int64>?) -> Box? {
    guard var rest = range else { return nil }
    while let box = next(&rest) {
      if box.has(letters) { return box }
    }
    return nil
  }

  /// The boxes that fill `range`, in their order.
  mutating func boxes(in range: Range<Int64>) -> [Box] {
    var boxes: [Box] = []
    var rest = range
    while let box = next(&rest) { boxes.append(box) }
    return boxes
  }

  /// The first box of `rest`, which is moved behind it; nil where no sound header follows.
  private mutating func next(_ rest: inout Range<Int64>) -> Box? {
    guard rest.count >= 8, headersLeft > 0 else { return nil }
    headersLeft -= 1
    let header = bytes(rest, limit: 16)
    guard header.count >= 8 else { return nil }
    var length: Int64 = 8
    var size = UInt64(header.bigEndian(at: 0))
    if size == 1 {
      guard header.count >= 16 else { return nil }
      length = 16
      size = UInt64(header.bigEndian(at: 8)) << 32 | UInt64(header.bigEndian(at: 12))
    } else if size == 0 {
      // It goes on to the end of what holds it.
      size = UInt64(rest.count)
    }
    guard size >= UInt64(length) else { return nil }
    let end = rest.lowerBound + Int64(min(size, UInt64(rest.count)))
    let payload = Range(from: rest.lowerBound + length, to: end)
    rest = Range(from: end, to: rest.upperBound)
    return Box(type: header.bigEndian(at: 4), payload: payload)
  }

  /// The bytes of `range`, at most `limit` of them, fewer where the file ends.
  func bytes(_ range: Range<Int64>, limit: Int) -> [UInt8] {
    let wanted = Int(min(Int64(range.count), Int64(limit)))
    guard wanted > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
      guard let base = buffer.baseAddress else { return }
      while count < wanted, interruption?.shouldStop != true {
        let place = range.lowerBound + Int64(count)
        let more = source.read(at: place, into: base + count, count: wanted - count, unless: interruption)
        guard more > 0 else { break }
        count += more
      }
    }
  }
}

/// A box's type as the number it is stored as.
func fourLetters(_ letters: StaticString) -> UInt32 {
  letters.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
}

extension [UInt8] {
  /// Four bytes as a number; 0 where they are not there.
  func bigEndian(at offset: Int) -> UInt32 {
    guard offset >= 0, offset + 4 <= count else { return 0 }
    return self[Range(from: offset, to: offset + 4)].reduce(0) { $0 << 8 | UInt32($1) }
  }
}
