import Frames
import Glibc

/// A file of this machine, open for reading until the last reference to this goes. Any thread.
package final class FileSource: ByteSource, RandomAccessBytes {
  package let path: String
  package let url: String
  package let allowedProtocols: String
  package var isRemote: Bool { false }
  package var bytes: (any RandomAccessBytes)? { self }
  private let descriptor: Int32

  /// - Parameter path: a path, or a `file://` URL.
  package init(_ path: String, interruption: Interruption) throws(Failure) {
    let location = MediaLocation(path)
    let descriptor = open(location.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw openFailure(path, -errno, FFmpegErrors(), nil, interruption) }
    (self.path, self.descriptor) = (path, descriptor)
    (url, allowedProtocols) = (location.url, location.allowedProtocols)
  }

  deinit { close(descriptor) }

  package var count: Int64 {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : Int64(-errno)
  }

  package func read(
    at offset: Int64, into buffer: UnsafeMutableRawPointer, count: Int, unless interruption: Interruption?
  ) -> Int {
    let count = pread(descriptor, buffer, count, Int(offset))
    return count >= 0 ? count : Int(-errno)
  }
}
