internal import CFFmpeg
import Frames
import TestPicture

/// The keys of a ladder, which follow from its seed: they protect nothing, they are there to be tested with.
struct LadderEncryption {
  let scheme: LadderSpecification.Encryption
  private let seed: UInt64

  init?(_ specification: LadderSpecification) {
    guard let scheme = specification.encryption else { return nil }
    self.scheme = scheme
    seed = specification.clip.seed
  }

  static let licence = "clearkey.json"

  /// Of samples; nil where whole segments are encrypted.
  var commonScheme: CommonEncryption.Scheme? {
    switch scheme {
    case .aes128: nil
    case .clearKey: .counter
    case .clearKeyPattern: .pattern
    }
  }

  var keyIdentifier: [UInt8] { bytes(0x4B_4944) }

  /// Key `number` of 16 bytes. ClearKey has one.
  func key(_ number: Int) -> [UInt8] { bytes(0x4B_4559 + UInt64(number) << 32) }

  /// The initialization vector that goes with key `number`.
  func vector(_ number: Int) -> [UInt8] { bytes(0x4956 + UInt64(number) << 32) }

  /// The key of a segment. AES-128 alone.
  func keyNumber(ofSegment index: Int) -> Int {
    if case .aes128(let rotation?) = scheme { index / rotation } else { 0 }
  }

  static func keyFile(_ number: Int) -> String { "keys/\(number).key" }

  /// A whole segment, or nothing changed unless the scheme is AES-128.
  func encrypt(_ bytes: [UInt8], segment index: Int) -> [UInt8] {
    guard case .aes128 = scheme else { return bytes }
    let number = keyNumber(ofSegment: index)
    // PKCS #7: as many bytes as are missing, each of that value; a whole block where none is.
    let missing = 16 - bytes.count % 16
    let padded = bytes + [UInt8](repeating: UInt8(missing), count: missing)
    return aesCBC(padded, key: key(number), vector: vector(number))
  }

  /// A tag of a media playlist; nil unless a new key begins with this segment. Key files lie beside the playlist's
  /// folder.
  func keyTag(beforeSegment index: Int) -> String? {
    guard case .aes128 = scheme else { return nil }
    let number = keyNumber(ofSegment: index)
    guard index == 0 || keyNumber(ofSegment: index - 1) != number else { return nil }
    return "#EXT-X-KEY:METHOD=AES-128,URI=\"../\(Self.keyFile(number))\",IV=0x\(hexadecimal(vector(number)))"
  }

  /// A W3C ClearKey licence ("License Format", section 9.1.4 of Encrypted Media Extensions).
  var licenceText: String {
    #"{"keys":[{"kty":"oct","k":"\#(base64URL(key(0)))","kid":"\#(base64URL(keyIdentifier))"}],"type":"temporary"}"#
      + "\n"
  }

  /// What goes into the index, for that many segments.
  func facts(segments: Int) -> LadderIndex.Encryption {
    switch scheme {
    case .clearKey, .clearKeyPattern:
      return LadderIndex.Encryption(
        scheme: scheme == .clearKey ? .clearKey : .clearKeyPattern, files: [Self.licence], keys: [hexadecimal(key(0))],
        keyIdentifier: hexadecimal(keyIdentifier))
    case .aes128(let rotation):
      let numbers = ClosedRange(from: 0, through: keyNumber(ofSegment: max(0, segments - 1)))
      return LadderIndex.Encryption(
        scheme: .aes128, files: numbers.map(Self.keyFile), keys: numbers.map { hexadecimal(key($0)) },
        rotation: rotation)
    }
  }

  private func bytes(_ purpose: UInt64) -> [UInt8] {
    var random = SplitMix64(seed: seed &+ purpose &* 0x9E6C_63D0_876A_3F6B)
    return (0..<2).flatMap { _ in Boxes.bytes(random.next()) }
  }
}

/// `bytes` is a whole number of blocks.
private func aesCBC(_ bytes: [UInt8], key: [UInt8], vector: [UInt8]) -> [UInt8] {
  let cipher = av_aes_alloc()
  defer { av_free(UnsafeMutableRawPointer(cipher)) }
  guard av_aes_init(cipher, key, 128, 0) >= 0 else { preconditionFailure("a key has 16 bytes") }
  var chain = vector
  return [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, count in
    av_aes_crypt(cipher, buffer.baseAddress, bytes, Int32(bytes.count / 16), &chain, 0)
    count = bytes.count
  }
}

func hexadecimal(_ bytes: [UInt8]) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

/// RFC 4648, section 5, without padding.
func base64URL(_ bytes: [UInt8]) -> String {
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
  var text = ""
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[Range(from: start, to: min(start + 3, bytes.count))]
    let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
    for place in Range(from: 0, to: group.count + 1) { text.append(alphabet[bits >> (18 - 6 * place) & 63]) }
  }
  return text
}
