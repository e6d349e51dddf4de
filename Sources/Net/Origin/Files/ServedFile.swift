import Frames
import Glibc
import NIOCore

/// An open regular file, as it was when a request named it. Any thread; closed with the last reference.
final class ServedFile: Sendable {
  let size: Int64
  /// The instant of its last change, in nanoseconds since 1970.
  let modifiedNanoseconds: Int64
  private let descriptor: Frames.FileDescriptor

  /// Takes ownership of the descriptor; nil where it is no regular file.
  init?(owning descriptor: Frames.FileDescriptor) {
    var status = stat()
    guard fstat(descriptor.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.descriptor = descriptor
    size = Int64(status.st_size)
    let (seconds, overflow) = Int64(status.st_mtim.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    modifiedNanoseconds = overflow ? 0 : seconds + Int64(status.st_mtim.tv_nsec)
  }

  var modifiedSeconds: Int64 { modifiedNanoseconds / 1_000_000_000 }

  /// A strong validator: a file that is written again gets another.
  var entityTag: String {
    "\"\(String(size, radix: 16))-\(String(modifiedNanoseconds, radix: 16))\""
  }

  /// The bytes from there on: `count`, or fewer at the end of the file. Blocks: never on an event loop.
  ///
  /// Throws `IOError` where reading fails.
  func read(at offset: Int64, count: Int) throws -> ByteBuffer {
    var buffer = ByteBufferAllocator().buffer(capacity: count)
    while buffer.readableBytes < count {
      let place = offset + Int64(buffer.readableBytes)
      let left = count - buffer.readableBytes
      var status = 0
      buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: left) { bytes in
        status = pread(descriptor.rawValue, bytes.baseAddress, left, off_t(place))
        return max(0, status)
      }
      if status == 0 { break }
      guard status > 0 || errno == EINTR else { throw IOError(errnoCode: errno, reason: "pread") }
    }
    return buffer
  }
}
