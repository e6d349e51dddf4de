import Decode
import Frames
import Media
import Synchronization

/// A file's bytes under a name that no file has, with counts of what is read: what opens the name again finds nothing. Any thread.
package final class CountingSource: ByteSource, RandomAccessBytes {
  package let path: String
  package var url: String { path }
  package var allowedProtocols: String { "data" }
  package var isRemote: Bool { false }
  package var bytes: (any RandomAccessBytes)? { self }
  private let held: MemorySource
  private let counts = Mutex((bytes: 0, reads: 0))

  /// - Parameter path: of the file.
  package init(_ path: String) throws {
    self.path = "not-there/" + (path.split(separator: "/").last ?? "")
    let bytes = try readBytes(path, byteLimit: 1 << 30, interruption: Interruption())
    held = MemorySource(bytes, name: self.path)
  }

  package var count: Int64 { held.count }

  package func read(
    at offset: Int64, into buffer: UnsafeMutableRawPointer, count: Int, unless interruption: Interruption?
  ) -> Int {
    let count = held.read(at: offset, into: buffer, count: count)
    counts.withLock { $0 = ($0.bytes + max(0, count), $0.reads + 1) }
    return count
  }

  /// Bytes that were read since the last call.
  package func takeByteCount() -> Int {
    counts.withLock { counts in
      defer { counts = (0, 0) }
      return counts.bytes
    }
  }
}
