import Frames

/// Bytes in memory. A playlist among them opens no file and no URL. Any thread.
package final class MemorySource: ByteSource, RandomAccessBytes {
  package let path: String
  package var url: String { path }
  package var allowedProtocols: String { "data" }
  package var isRemote: Bool { false }
  package var bytes: (any RandomAccessBytes)? { self }
  private let held: [UInt8]

  /// - Parameter name: of the input, in messages; libavformat also guesses formats by its ending.
  package init(_ bytes: [UInt8], name: String) { (held, path) = (bytes, name) }

  package var count: Int64 { Int64(held.count) }

  package func read(
    at offset: Int64, into buffer: UnsafeMutableRawPointer, count: Int, unless interruption: Interruption?
  ) -> Int {
    guard offset >= 0, offset < Int64(held.count) else { return 0 }
    let count = min(count, held.count - Int(offset))
    held.withUnsafeBytes { source in
      guard let base = source.baseAddress else { return }
      buffer.copyMemory(from: base + Int(offset), byteCount: count)
    }
    return count
  }
}
