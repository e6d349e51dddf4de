import Glibc
import Synchronization

/// An owned file descriptor: closed with the last reference, unless it was released. Any thread.
public final class FileDescriptor: Sendable {
  private let number: Atomic<Int32>

  /// Takes ownership of `number`.
  public init(owning number: Int32) {
    self.number = Atomic(number)
  }

  /// A duplicate of `number`, which stays the caller's; nil when `number` is not open or the process has reached its
  /// limit of descriptors.
  public convenience init?(duplicating number: Int32) {
    guard number >= 0 else { return nil }
    let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { return nil }
    self.init(owning: copy)
  }

  deinit {
    let number = number.load(ordering: .relaxed)
    if number >= 0 { close(number) }
  }

  /// Valid while this object is alive (use `withExtendedLifetime`) and was not released; -1 after `release`.
  public var rawValue: Int32 { number.load(ordering: .relaxed) }

  /// A duplicate; nil as for `init(duplicating:)`.
  public func duplicate() -> FileDescriptor? { FileDescriptor(duplicating: rawValue) }

  /// Gives up ownership: the caller closes the returned number. -1 on the second call.
  public func release() -> Int32 { number.exchange(-1, ordering: .relaxed) }

  /// Identifies the open object, while a descriptor of it stays open; nil when the kernel reports none.
  ///
  /// Linux gives each dma-buf its own inode number since 5.3.
  public var identity: UInt64? {
    var status = stat()
    return fstat(rawValue, &status) == 0 ? UInt64(status.st_ino) : nil
  }

  /// Size of the object in bytes; nil where it has no size.
  public var byteCount: Int? {
    let end = lseek(rawValue, 0, SEEK_END)
    return end >= 0 ? Int(end) : nil
  }
}
