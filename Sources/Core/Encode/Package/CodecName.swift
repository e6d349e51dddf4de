/// The names of codecs in playlists and manifests: RFC 6381, and for each codec the specification of its place in MP4.
enum CodecName {
  /// Of the one track of an initialization segment; nil for a codec that is not in this table.
  static func of(header: [UInt8]) -> String? {
    for (type, name) in rows {
      guard let place = header.firstRange(of: Array(type.utf8)) else { continue }
      // No configuration reaches the end of a header.
      let bytes = Array(header[place.upperBound...].prefix(64))
      if bytes.count == 64, let text = name(bytes) { return text }
    }
    return nil
  }

  /// The box that configures the decoder, and the name from the bytes after its type.
  private static let rows: [(type: String, name: @Sendable ([UInt8]) -> String?)] = [
    ("avcC", { "avc1." + hexadecimal(Array($0[1...3])).uppercased() }), ("hvcC", hevc), ("av1C", av1),
    ("vpcC", { "vp09." + [$0[4], $0[5], $0[6] >> 4].map { twoDigits($0) }.joined(separator: ".") }),
    ("esds", aac), ("dOps", { _ in "opus" }), ("dfLa", { _ in "fLaC" }),
  ]

  /// ISO/IEC 14496-15, annex E.
  private static func hevc(_ bytes: [UInt8]) -> String? {
    let space = ["", "A", "B", "C"][Int(bytes[1] >> 6)]
    let flags = bytes[2...5].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let reversed = (0..<32).reduce(UInt32(0)) { (bits: UInt32, place: Int) in bits << 1 | flags >> UInt32(place) & 1 }
    var constraints = bytes[6...11]
    while constraints.last == 0 { constraints.removeLast() }
    let tail = constraints.map { "." + String($0, radix: 16, uppercase: true) }.joined()
    return "hvc1.\(space)\(bytes[1] & 31).\(String(reversed, radix: 16, uppercase: true))"
      + ".\(bytes[1] >> 5 & 1 == 1 ? "H" : "L")\(bytes[12])\(tail)"
  }

  /// AV1 in ISO base media, section 5.
  private static func av1(_ bytes: [UInt8]) -> String? {
    let depth: UInt8 = bytes[2] & 0x40 == 0 ? 8 : bytes[2] & 0x20 == 0 ? 10 : 12
    return "av01.\(bytes[1] >> 5).\(twoDigits(bytes[1] & 31))\(bytes[2] & 0x80 == 0 ? "M" : "H").\(twoDigits(depth))"
  }

  /// The audio object type of ISO/IEC 14496-3, in the first bits of the decoder's configuration.
  private static func aac(_ bytes: [UInt8]) -> String? {
    // libavformat writes lengths as four bytes.
    bytes.dropLast(2).firstRange(of: [5, 0x80, 0x80, 0x80]).map { "mp4a.40.\(bytes[$0.upperBound + 1] >> 3)" }
  }

  private static func twoDigits(_ number: UInt8) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
