/// An event that lies in a segment, in a box of its own (`emsg`, ISO/IEC 23009-1 §5.10.3.3). A value.
package struct EventMessage: Sendable, Hashable {
  package enum Place: Sendable, Hashable {
    /// Behind the segment's first picture, in ticks: version 0.
    case behindStart(UInt32)
    /// By the segment's own time stamps, in ticks: version 1.
    case stamp(UInt64)
  }

  /// `scheme_id_uri`, `value`.
  package var scheme: String
  package var value: String
  /// Ticks per second, at least 1.
  package var timescale: UInt32
  package var place: Place
  /// In ticks; nil: not known.
  package var duration: UInt32?
  package var id: UInt32
  package var data: [UInt8]

  /// The longest box that is read, and the longest of its texts, in bytes.
  private static let byteLimit = 65_536
  private static let textLimit = 1_024
  /// Of a segment: boxes that are looked at, and events that are given.
  private static let boxLimit = 10_000
  private static let countLimit = 256

  /// The events of a segment, in their order, as far as its boxes are whole; empty for what is no MP4.
  package static func all(in bytes: ArraySlice<UInt8>) -> [EventMessage] {
    var events: [EventMessage] = []
    var rest = bytes
    for _ in 0..<boxLimit where rest.count >= 8 && events.count < countLimit {
      var reader = MessageReader(rest)
      guard let short = reader.number(4), reader.skip(4),
        let size = short == 1 ? reader.number(8) : short == 0 ? UInt64(rest.count) : short, size <= UInt64(rest.count),
        size >= UInt64(reader.position - rest.startIndex)
      else { break }
      let end = rest.startIndex + Int(size)
      if rest.dropFirst(4).prefix(4).elementsEqual("emsg".utf8), size <= UInt64(byteLimit),
        let event = EventMessage(rest[Range(from: reader.position, to: end)])
      {
        events.append(event)
      }
      rest = rest[end...]
    }
    return events
  }

  /// - Parameter payload: of the box; nil for one that is cut, or of another version.
  private init?(_ payload: ArraySlice<UInt8>) {
    var reader = MessageReader(payload)
    guard let version = reader.number(1), reader.skip(3) else { return nil }
    var texts: (String, String)?
    func readTexts(_ reader: inout MessageReader) -> (String, String)? {
      guard let scheme = reader.text(limit: Self.textLimit) else { return nil }
      return reader.text(limit: Self.textLimit).map { (scheme, $0) }
    }
    if version == 0 { texts = readTexts(&reader) }
    guard version <= 1, version == 1 || texts != nil, let scale = reader.number(4), scale > 0,
      let ticks = reader.number(version == 0 ? 4 : 8), let length = reader.number(4), let number = reader.number(4)
    else { return nil }
    if version == 1 { texts = readTexts(&reader) }
    guard let texts else { return nil }
    (scheme, value) = texts
    (timescale, id) = (UInt32(scale), UInt32(number))
    place = version == 0 ? .behindStart(UInt32(ticks)) : .stamp(ticks)
    duration = length == UInt64(UInt32.max) ? nil : UInt32(length)
    data = Array(payload[reader.position...])
  }
}

/// Reads big-endian numbers and texts of boxes; nothing behind the end.
private struct MessageReader {
  private let bytes: ArraySlice<UInt8>
  private(set) var position: Int

  init(_ bytes: ArraySlice<UInt8>) { (self.bytes, position) = (bytes, bytes.startIndex) }

  /// At most 8 bytes.
  mutating func number(_ count: Int) -> UInt64? {
    guard bytes.endIndex - position >= count else { return nil }
    defer { position += count }
    return bytes[Range(from: position, to: position + count)].reduce(0) { $0 << 8 | UInt64($1) }
  }

  mutating func skip(_ count: Int) -> Bool {
    guard bytes.endIndex - position >= count else { return false }
    position += count
    return true
  }

  /// Up to a zero.
  mutating func text(limit: Int) -> String? {
    let text = bytes[position...].prefix(limit + 1).prefix { $0 != 0 }
    guard text.endIndex < bytes.endIndex, text.count <= limit else { return nil }
    position = text.endIndex + 1
    return String(decoding: text, as: UTF8.self)
  }
}
