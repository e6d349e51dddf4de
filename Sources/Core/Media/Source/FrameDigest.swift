internal import CFFmpeg

/// A checksum by FFmpeg's name of it (`MD5`, `SHA256`, `CRC32` …), as its framehash files have it. One thread at a time.
public final class FrameDigest {
  private var context: OpaquePointer?

  /// Nil for a name that libavutil does not know, and when memory is out.
  public init?(_ name: String) {
    guard av_hash_alloc(&context, name) >= 0, context != nil else { return nil }
  }

  deinit { av_hash_freep(&context) }

  /// The checksum of these bytes, in lower-case hexadecimal.
  public func hexadecimal(of bytes: [UInt8]) -> String {
    av_hash_init(context)
    av_hash_update(context, bytes, bytes.count)
    var text = [UInt8](repeating: 0, count: 2 * Int(AV_HASH_MAX_SIZE) + 4)
    av_hash_final_hex(context, &text, Int32(text.count))
    return String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
  }
}
