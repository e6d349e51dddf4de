internal import CFFmpeg
import Frames

/// Decrypts AES-128 in CBC mode with PKCS7 padding, as whole segments of HLS are encrypted (RFC 8216 §4.3.2.4), while they arrive.
/// One thread at a time.
package final class BlockCipher {
  private let context: OpaquePointer
  private var vector: [UInt8]
  /// Encrypted bytes of a block that is not whole.
  private var rest: [UInt8] = []
  /// The newest block, decrypted: the last one of all has the padding.
  private var held: [UInt8] = []

  package static let blockBytes = 16

  /// - Parameters:
  ///   - key: 16 bytes.
  ///   - vector: 16 bytes.
  ///
  /// Throws `.media` for other lengths, and `.failed` where there is no memory.
  package init(key: [UInt8], vector: [UInt8]) throws(Failure) {
    let attempt = "cannot decrypt a segment"
    for (name, bytes) in [("key", key), ("initialisation vector", vector)] where bytes.count != Self.blockBytes {
      throw Failure(.media, attempt, cause: "its \(name) has \(bytes.count) bytes, not 16")
    }
    guard let context = av_aes_alloc(), av_aes_init(context, key, 128, 1) >= 0 else {
      throw Failure(.failed, attempt, cause: "out of memory")
    }
    (self.context, self.vector) = (context, vector)
  }

  deinit { av_free(UnsafeMutableRawPointer(context)) }

  /// What these bytes and those before them tell; the last block waits for `finish`.
  package func decrypt(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    rest += bytes
    let count = rest.count / Self.blockBytes
    guard count > 0 else { return [] }
    var plain = [UInt8](repeating: 0, count: count * Self.blockBytes)
    av_aes_crypt(context, &plain, rest, Int32(count), &vector, 1)
    rest.removeFirst(count * Self.blockBytes)
    defer { held = Array(plain.suffix(Self.blockBytes)) }
    return held + plain.dropLast(Self.blockBytes)
  }

  /// The last bytes, without their padding; nil where the segment is no whole number of blocks or its padding is wrong: the key
  /// is another's, or the segment was cut.
  package func finish() -> [UInt8]? {
    guard rest.isEmpty, let padding = held.last.map(Int.init), (1...Self.blockBytes).contains(padding),
      held.suffix(padding).allSatisfy({ $0 == UInt8(padding) })
    else { return nil }
    return Array(held.dropLast(padding))
  }
}
