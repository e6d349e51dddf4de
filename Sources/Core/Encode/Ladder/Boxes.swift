/// Boxes of ISO/IEC 14496-12 as bytes: a size, a type, a payload.
enum Boxes {
  static func box(_ type: String, _ payload: [UInt8]) -> [UInt8] {
    bytes(UInt32(8 + payload.count)) + Array(type.utf8) + payload
  }

  /// A box with a version and 24 flags before its payload.
  static func fullBox(_ type: String, version: UInt8 = 0, flags: UInt32 = 0, _ payload: [UInt8]) -> [UInt8] {
    box(type, bytes(UInt32(version) << 24 | flags) + payload)
  }

  /// Big-endian, as everything in these files.
  static func bytes<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }

  /// Replaces the payload of the first box on a path from the outermost type inwards; boxes around it are resized. The
  /// bytes as they are where there is no such box.
  static func replacing(
    _ path: ArraySlice<String>, in bytes: [UInt8], by change: ([UInt8]) -> [UInt8]
  ) -> [UInt8] {
    guard let type = path.first else { return change(bytes) }
    var result: [UInt8] = []
    var isDone = false
    for child in children(of: bytes) {
      if !isDone && child.type == type {
        isDone = true
        result += box(type, replacing(path.dropFirst(), in: Array(bytes[child.range].dropFirst(8)), by: change))
      } else {
        result += bytes[child.range]
      }
    }
    return result
  }

  /// The header of a file of one track with an edit list that hides the track's first `ticks`; as it is for 0.
  static func hiding(_ ticks: Int64, in header: [UInt8]) -> [UInt8] {
    guard ticks > 0 else { return header }
    // One edit, of unknown length, from the first shown picture on.
    let entry = bytes(UInt32(1)) + bytes(UInt32(0)) + bytes(UInt32(clamping: ticks)) + bytes(UInt32(1 << 16))
    let edits = box("edts", fullBox("elst", entry))
    return replacing(["moov", "trak"], in: header) { track in
      children(of: track).flatMap { track[$0.range] + ($0.type == "tkhd" ? edits : []) }
    }
  }

  /// The boxes that follow each other in `bytes`, up to one that is not whole.
  static func children(of bytes: [UInt8]) -> [(type: String, range: Range<Int>)] {
    var found: [(type: String, range: Range<Int>)] = []
    var place = 0
    while place + 8 <= bytes.count {
      let size = bytes[Range(from: place, to: place + 4)].reduce(0) { $0 << 8 | Int($1) }
      guard size >= 8, size <= bytes.count - place else { break }
      found.append(
        (
          String(decoding: bytes[Range(from: place + 4, to: place + 8)], as: UTF8.self),
          Range(from: place, to: place + size)
        ))
      place += size
    }
    return found
  }
}
