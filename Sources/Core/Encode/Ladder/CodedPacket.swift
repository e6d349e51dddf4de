internal import CFFmpeg
import Frames

/// A coded picture or a frame of coded sound, in ticks of its track's clock.
struct CodedPacket {
  /// H.264 in the byte stream format.
  var bytes: [UInt8]
  var presentation: Int64
  var decoding: Int64
  /// Decodable without the packets before it.
  var isSync: Bool

  /// Copies what the encoder made.
  init(_ packet: UnsafeMutablePointer<AVPacket>) {
    bytes = Array(UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size)))
    presentation = packet.pointee.pts
    decoding = packet.pointee.dts
    isSync = packet.pointee.flags & AV_PKT_FLAG_KEY != 0
  }

  /// A packet that libavformat and libavcodec take, for the time of the call.
  func withPacket(_ body: (UnsafeMutablePointer<AVPacket>) throws -> Void) throws {
    var owned = av_packet_alloc()
    defer { av_packet_free(&owned) }
    let packet = try allocated(owned)
    try check(av_new_packet(packet, Int32(clamping: bytes.count)), .failed, "cannot copy a packet")
    bytes.withUnsafeBytes { source in
      if let base = source.baseAddress {
        packet.pointee.data.update(from: base.assumingMemoryBound(to: UInt8.self), count: bytes.count)
      }
    }
    packet.pointee.pts = presentation
    packet.pointee.dts = decoding
    if isSync { packet.pointee.flags |= AV_PKT_FLAG_KEY }
    try body(packet)
  }
}

/// The units of H.264's byte stream format (ITU-T H.264, annex B).
enum ByteStream {
  /// What lies between start codes.
  static func units(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var starts: [(code: Int, unit: Int)] = []
    var place = 0
    while place + 3 <= bytes.count {
      // A start code is 00 00 01; the third byte rules out most places.
      if bytes[place + 2] > 1 {
        place += 3
      } else if bytes[place] == 0 && bytes[place + 1] == 0 && bytes[place + 2] == 1 {
        starts.append((place, place + 3))
        place += 3
      } else {
        place += 1
      }
    }
    return starts.indices.map { index in
      let end = index + 1 < starts.count ? starts[index + 1].code : bytes.count
      var unit = bytes[Range(from: starts[index].unit, to: end)]
      // Zero bytes before the next start code belong to that.
      while unit.last == 0 { unit.removeLast() }
      return unit
    }.filter { !$0.isEmpty }
  }

  /// `avc1.64001F` of the sequence parameter set in an encoder's extradata (RFC 6381, section 3.3).
  static func codecName(of extradata: [UInt8]) -> String? {
    guard let set = units(of: extradata).first(where: { $0[$0.startIndex] & 31 == 7 }), set.count >= 4 else {
      return nil
    }
    let digits = set.dropFirst().prefix(3).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
    return "avc1." + digits.joined()
  }
}
