import FoundationEssentials
import Frames
import Glibc

/// The bytes of a record's file, which is untrusted: a regular file up to a limit in MiB.
package enum RecordBytes {
  /// Raises the limit: a whole number of MiB.
  static let limitVariable = "BENCH360_RECORD_LIMIT"
  /// MiB. Parsing takes a few times as much memory; the largest records of a day's measuring are far smaller.
  static let usualLimit = 256

  /// MiB; the usual limit if the variable holds no positive number.
  package static func limit(_ environment: [String: String]) -> Int {
    guard let limit = environment[limitVariable].flatMap({ Int($0) }), limit > 0 else { return usualLimit }
    return min(limit, 1 << 30)
  }

  /// Throws `.input` for a path that is no regular file, without waiting for a pipe; for a file that is too large,
  /// before reading it; and for one that cannot be read.
  package static func load(
    _ path: String, environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(Failure) -> Data {
    func failure(_ cause: String, _ remedy: String = "give a JSON record that 'bench360 run --output' wrote") -> Failure
    {
      Failure(.input, "cannot read record '\(path)'", cause: cause, remedy: remedy)
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure(reason(errno)) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(reason(errno)) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw failure(status.st_mode & S_IFMT == S_IFDIR ? "it is a folder" : "it is not a regular file")
    }
    let (size, limit) = (Int(status.st_size), limit(environment))
    guard size <= limit << 20 else {
      throw failure(
        "it has \(size >> 20) MiB, more than the limit of \(limit) MiB",
        "give a smaller record, or set \(limitVariable) to more MiB")
    }
    var data = Data(count: size)
    var count = 0
    while count < size {
      let more = data.withUnsafeMutableBytes { bytes in
        read(descriptor, bytes.baseAddress.map { $0 + count }, size - count)
      }
      if more < 0, errno == EINTR { continue }
      guard more >= 0 else { throw failure(reason(errno)) }
      if more == 0 { break }
      count += more
    }
    return data.prefix(count)
  }

  private static func reason(_ code: Int32) -> String {
    switch code {
    case ENOENT: "no such file or folder"
    case EACCES, EPERM: "permission denied"
    case ENOTDIR: "a part of its path is not a folder"
    default: String(cString: strerror(code))
    }
  }
}
