internal import CFFmpeg

/// How many frames the packets of a video hold, and how many pictures they tell a decoder to give out: VP8, VP9 and AV1 have frames that are
/// coded for others to refer to, some of which are shown later. A value.
struct CodedFrames: Hashable {
  private(set) var coded = 0
  private var shown = 0
  /// Coded frames that are never shown.
  var hidden: Int { max(0, coded - shown) }
  /// Of AV1's sequence header: a still picture without a frame header of its own.
  private var isReducedStill = false

  /// False for a codec of which packets are not looked into.
  static func knows(_ codec: AVCodecID) -> Bool {
    [AV_CODEC_ID_VP8, AV_CODEC_ID_VP9, AV_CODEC_ID_AV1].contains(codec)
  }

  /// Adds a packet's; a damaged one counts as far as it can be read.
  mutating func add(_ packet: UnsafePointer<AVPacket>, of codec: AVCodecID) {
    guard let data = packet.pointee.data, packet.pointee.size > 0 else { return }
    let bytes = UnsafeBufferPointer(start: data, count: Int(packet.pointee.size))
    switch codec {
    case AV_CODEC_ID_VP8: count(isShown: bytes[0] >> 4 & 1 == 1)
    case AV_CODEC_ID_VP9: addVP9(bytes[...])
    case AV_CODEC_ID_AV1: addAV1(bytes[...])
    default: break
    }
  }

  private mutating func count(isShown: Bool) {
    coded += 1
    if isShown { shown += 1 }
  }

  // MARK: - VP9: "VP9 Bitstream & Decoding Process Specification", annex B and 6.2.

  private mutating func addVP9(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
    guard let sizes = Self.superframe(bytes) else { return addVP9Frame(bytes) }
    var rest = bytes
    for size in sizes where size <= rest.count {
      addVP9Frame(rest.prefix(size))
      rest = rest.dropFirst(size)
    }
  }

  /// The sizes of a superframe's frames, from the index at its end; nil: it is none.
  private static func superframe(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> [Int]? {
    guard let marker = bytes.last, marker & 0xe0 == 0xc0 else { return nil }
    let (frames, width) = (Int(marker & 7) + 1, Int(marker >> 3 & 3) + 1)
    let index = bytes.suffix(2 + frames * width)
    guard index.count == 2 + frames * width, index.first == marker else { return nil }
    let sizes = index.dropFirst()
    return (0..<frames).map { frame in
      (0..<width).reduce(0) { $0 | Int(sizes[sizes.startIndex + frame * width + $1]) << (8 * $1) }
    }
  }

  private mutating func addVP9Frame(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
    guard let first = bytes.first, first >> 6 == 2 else { return }
    // Two bits of marker, two of profile, one reserved with profile 3, then show_existing_frame, frame_type, show_frame.
    let shift: UInt8 = first >> 4 & 3 == 3 ? 1 : 0
    guard first >> (3 - shift) & 1 == 0 else { return shown += 1 }
    count(isShown: first >> (1 - shift) & 1 == 1)
  }

  // MARK: - AV1: "AV1 Bitstream & Decoding Process Specification", 5.3 to 5.9.

  private enum OBU {
    static let (sequenceHeader, frameHeader, frame): (UInt8, UInt8, UInt8) = (1, 3, 6)
  }

  private mutating func addAV1(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
    var rest = bytes
    while let header = rest.first, header >> 7 == 0 {
      let hasExtension = header & 4 != 0
      rest = rest.dropFirst(hasExtension ? 2 : 1)
      var size = rest.count
      if header & 2 != 0 {
        guard let coded = Self.leb128(&rest), coded <= rest.count else { return }
        size = coded
      }
      addOBU(header >> 3 & 15, rest.prefix(size))
      rest = rest.dropFirst(size)
    }
  }

  private mutating func addOBU(_ type: UInt8, _ payload: Slice<UnsafeBufferPointer<UInt8>>) {
    guard let first = payload.first else { return }
    switch type {
    // Three bits of profile, still_picture, reduced_still_picture_header.
    case OBU.sequenceHeader: isReducedStill = first >> 3 & 1 == 1
    case OBU.frameHeader, OBU.frame:
      if isReducedStill { return count(isShown: true) }
      // show_existing_frame, two bits of frame_type, show_frame.
      guard first >> 7 == 0 else { return shown += 1 }
      count(isShown: first >> 4 & 1 == 1)
    default: break
    }
  }

  /// Takes a number of at most eight bytes off the front; nil: it is none.
  private static func leb128(_ bytes: inout Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
    var value = 0
    for place in 0..<8 {
      guard let byte = bytes.popFirst() else { return nil }
      value |= Int(byte & 0x7f) << (7 * place)
      if byte & 0x80 == 0 { return value }
    }
    return nil
  }
}
