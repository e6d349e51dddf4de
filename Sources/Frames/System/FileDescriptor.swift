import Glibc
import Synchronization

/// A file descriptor with one owner: closed with its last reference, unless it was given away.
public final class FileDescriptor: Sendable {
  private let number: Atomic<Int32>

  /// Takes `number` over.
  public init(owning number: Int32) {
    self.number = Atomic(number)
  }

  /// A descriptor of its own for what `number` stands for, which stays the caller's; nil when there is no such thing, or
  /// the process has too many.
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

  /// Valid as long as this is alive, for which `withExtendedLifetime` cares, and was not given away; -1 afterwards.
  public var rawValue: Int32 { number.load(ordering: .relaxed) }

  /// Another descriptor of the same thing.
  public func duplicate() -> FileDescriptor? { FileDescriptor(duplicating: rawValue) }

  /// Gives it away: whoever gets the number closes it. -1 the second time.
  public func release() -> Int32 { number.exchange(-1, ordering: .relaxed) }

  /// Tells the things behind two descriptors apart, as long as both are open; nil when the kernel tells nothing of it.
  ///
  /// Linux gives each dma-buf a number of its own since 5.3.
  public var identity: UInt64? {
    var status = stat()
    return fstat(rawValue, &status) == 0 ? UInt64(status.st_ino) : nil
  }

  /// Bytes behind it; nil for what has no size.
  public var byteCount: Int? {
    let end = lseek(rawValue, 0, SEEK_END)
    return end >= 0 ? Int(end) : nil
  }
}
