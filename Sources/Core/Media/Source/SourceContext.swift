package import CFFmpeg
import Frames
import Glibc

/// libavformat's way to read bytes: a position in them, a buffer, and an error once reading is interrupted.
///
/// Must outlive the format context that reads by it. One thread at a time.
package final class SourceContext {
  package private(set) var context: UnsafeMutablePointer<AVIOContext>?
  private let bytes: any RandomAccessBytes
  private let interruption: Interruption
  private var position: Int64 = 0

  /// As large as libavformat's own for files; longer reads bypass it.
  private static let bufferSize = 1 << 15

  /// Nil: out of memory.
  package init?(_ bytes: any RandomAccessBytes, interruption: Interruption) {
    (self.bytes, self.interruption) = (bytes, interruption)
    guard let buffer = av_malloc(Self.bufferSize) else { return nil }
    context = avio_alloc_context(
      buffer.assumingMemoryBound(to: UInt8.self), Int32(Self.bufferSize), 0, Unmanaged.passUnretained(self).toOpaque(),
      { opaque, buffer, count in
        guard let opaque, let buffer else { return bench_averror_einval() }
        return Unmanaged<SourceContext>.fromOpaque(opaque).takeUnretainedValue().read(into: buffer, Int(count))
      }, nil,
      { opaque, offset, whence in
        guard let opaque else { return Int64(bench_averror_einval()) }
        return Unmanaged<SourceContext>.fromOpaque(opaque).takeUnretainedValue().seek(offset, whence)
      })
    guard let context else {
      av_free(buffer)
      return nil
    }
    if !bytes.isSeekable { context.pointee.seekable = 0 }
  }

  deinit {
    // libavformat may have replaced the buffer.
    if let buffer = context?.pointee.buffer { av_free(buffer) }
    avio_context_free(&context)
  }

  private func read(into buffer: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int32 {
    guard !interruption.shouldStop else { return bench_averror_exit() }
    let count = bytes.read(
      at: position, into: UnsafeMutableRawPointer(buffer), count: count, unless: interruption)
    guard count != 0 else { return bench_averror_eof() }
    if count > 0 { position += Int64(count) }
    return Int32(clamping: count)
  }

  /// As in a file, a place behind the end is allowed: reading there gives nothing.
  private func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
    if whence & AVSEEK_SIZE != 0 { return bytes.count }
    let base: Int64
    switch whence & ~AVSEEK_FORCE {
    case SEEK_SET: base = 0
    case SEEK_CUR: base = position
    case SEEK_END: base = bytes.count
    default: return Int64(bench_averror_einval())
    }
    let (place, overflow) = base.addingReportingOverflow(offset)
    guard base >= 0, !overflow, place >= 0 else { return Int64(bench_averror_einval()) }
    position = place
    return place
  }
}
