import Glibc

/// An error of a system call, by its number.
public struct SystemError: Error, Sendable, Hashable {
  public let code: Int32

  public init(_ code: Int32) { self.code = code }

  /// The error of the last failed call on this thread.
  static var last: SystemError { SystemError(errno) }

  /// In a few words, lower case.
  public var reason: String {
    switch code {
    case ENOENT: "no such file or folder"
    case EACCES, EPERM: "permission denied"
    case EISDIR: "it is a folder"
    case ENOTDIR, EEXIST: "a part of its path is not a folder"
    case ENOSPC, EDQUOT: "no space is left"
    case EROFS: "the file system is read-only"
    default: String(cString: strerror(code)).lowercased()
    }
  }
}

/// An open file, pipe or device, which is read or written from its beginning on. Any thread, one at a time.
public final class OpenFile: Sendable {
  public let descriptor: FileDescriptor

  public static let standardInput = OpenFile(FileDescriptor(owning: STDIN_FILENO))
  public static let standardOutput = OpenFile(FileDescriptor(owning: STDOUT_FILENO))
  public static let standardError = OpenFile(FileDescriptor(owning: STDERR_FILENO))

  public init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }

  public convenience init(reading path: String) throws(SystemError) { try self.init(path, O_RDONLY) }

  /// A file that exists; what it holds is written over, or kept where the file is appended to.
  public convenience init(writing path: String, appends: Bool = false) throws(SystemError) {
    try self.init(path, O_WRONLY | (appends ? O_APPEND : 0))
  }

  private convenience init(_ path: String, _ flags: Int32) throws(SystemError) {
    let number = open(path, flags | O_CLOEXEC)
    guard number >= 0 else { throw .last }
    self.init(FileDescriptor(owning: number))
  }

  /// All bytes up to the end, but at most `limit`.
  public func read(upTo limit: Int = .max) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: min(limit, 1 << 16))
    while bytes.count < limit {
      let count = Glibc.read(descriptor.rawValue, &piece, min(piece.count, limit - bytes.count))
      if count == 0 { break }
      guard count > 0 else {
        if errno == EINTR { continue }
        throw .last
      }
      bytes += piece[..<count]
    }
    return bytes
  }

  /// All of them.
  public func write(_ bytes: some Sequence<UInt8>) throws(SystemError) {
    let done: Result<Void, SystemError>? = bytes.withContiguousStorageIfAvailable { buffer in
      Result { () throws(SystemError) in try put(UnsafeRawBufferPointer(buffer)) }
    }
    guard let done else { return try write(Array(bytes)) }
    try done.get()
  }

  private func put(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    var place = 0
    while place < bytes.count {
      let count = Glibc.write(descriptor.rawValue, bytes.baseAddress?.advanced(by: place), bytes.count - place)
      guard count >= 0 else {
        if errno == EINTR { continue }
        throw .last
      }
      place += count
    }
  }

  /// Ends its use before the last reference is gone.
  public func close() {
    let number = descriptor.release()
    if number >= 0 { Glibc.close(number) }
  }
}
