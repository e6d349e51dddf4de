internal import CFFmpeg
import Frames
import Glibc

/// SHA-256 of a file's bytes in hexadecimal; nil for URLs and for files that cannot be read.
public func sha256(ofFile path: String) -> String? {
  guard !MediaLocation(path).isRemote, let file = fopen(path, "rb"), let context = av_sha_alloc() else { return nil }
  defer {
    fclose(file)
    av_free(UnsafeMutableRawPointer(context))
  }
  av_sha_init(context, 256)
  var buffer = [UInt8](repeating: 0, count: 1 << 20)
  while true {
    let count = fread(&buffer, 1, buffer.count, file)
    guard count > 0 else { break }
    av_sha_update(context, buffer, count)
  }
  guard ferror(file) == 0 else { return nil }
  return finish(context)
}

/// SHA-256 of bytes in hexadecimal; nil when memory is out.
public func sha256(of bytes: [UInt8]) -> String? {
  guard let context = av_sha_alloc() else { return nil }
  defer { av_free(UnsafeMutableRawPointer(context)) }
  av_sha_init(context, 256)
  av_sha_update(context, bytes, bytes.count)
  return finish(context)
}

/// SHA-256 of bytes that come one after the other. One thread.
package final class Digest {
  private let context: OpaquePointer
  /// Bytes so far.
  package private(set) var count: Int64 = 0

  /// Nil when memory is out.
  package init?() {
    guard let context = av_sha_alloc() else { return nil }
    self.context = context
    av_sha_init(context, 256)
  }

  deinit { av_free(UnsafeMutableRawPointer(context)) }

  package func add(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress else { return }
    av_sha_update(context, base.assumingMemoryBound(to: UInt8.self), bytes.count)
    count += Int64(bytes.count)
  }

  /// Ends it: nothing may be added afterwards.
  package var hexadecimal: String { finish(context) }
}

private func finish(_ context: OpaquePointer) -> String {
  var digest = [UInt8](repeating: 0, count: 32)
  av_sha_final(context, &digest)
  return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

/// FFmpeg's versions, of the headers this was compiled with and of the libraries it runs with.
public enum FFmpegVersion {
  public static var runtime: String {
    string(av_version_info()) ?? "unknown"
  }

  /// libavcodec's, for FFmpeg's headers do not carry the release's name.
  public static var compiled: String {
    let version = bench_compiled_avcodec()
    return "libavcodec \(version >> 16).\(version >> 8 & 255).\(version & 255)"
  }
}
