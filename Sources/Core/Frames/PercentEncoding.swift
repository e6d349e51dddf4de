// URLs: RFC 3986, 2.1.
extension String {
  /// `%41` becomes `A`; all other text stays.
  package var withoutPercentEncoding: String {
    guard contains("%") else { return self }
    func value(_ digit: UInt8) -> UInt8? {
      switch digit {
      case 0x30...0x39: digit - 0x30
      case 0x41...0x46: digit - 0x37
      case 0x61...0x66: digit - 0x57
      default: nil
      }
    }
    let source = Array(utf8)
    var bytes: [UInt8] = []
    var position = 0
    while position < source.count {
      if source[position] == 0x25, position + 2 < source.count, let high = value(source[position + 1]),
        let low = value(source[position + 2])
      {
        bytes.append(high << 4 | low)
        position += 3
      } else {
        bytes.append(source[position])
        position += 1
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Bytes other than letters, digits, `-._~` and those of `others` as `%41`.
  package func percentEncoded(keeping others: String = "") -> String {
    utf8.map { byte in
      let scalar = Unicode.Scalar(byte)
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~": return "\(scalar)"
      case _ where others.utf8.contains(byte): return "\(scalar)"
      default: return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }.joined()
  }
}
