import Frames
import Glibc

/// Writes beside `path` and renames. Throws `Failure(.output)` and leaves what was there when that fails.
func replaceFile(at path: String, with bytes: [UInt8]) throws {
  let part = "\(path).part-\(getpid())"
  try writeFile(bytes, at: part, for: path)
  try moveIntoPlace(part, path)
}

/// Writes `part`, or removes it and throws `Failure(.output)`, which tells of `path`.
func writeFile(_ bytes: [UInt8], at part: String, for path: String) throws {
  let descriptor = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
  guard descriptor >= 0 else {
    throw Failure(
      .output, "cannot write '\(path)'", cause: String(cString: strerror(errno)),
      remedy: "check that the folder exists and is writable")
  }
  var written = 0
  while written < bytes.count {
    let count = bytes[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count < 0 && errno == EINTR { continue }
    guard count > 0 else {
      let cause = String(cString: strerror(errno))
      close(descriptor)
      unlink(part)
      throw Failure(.output, "cannot write '\(path)'", cause: cause)
    }
    written += count
  }
  guard close(descriptor) == 0 else {
    let cause = String(cString: strerror(errno))
    unlink(part)
    throw Failure(.output, "cannot write '\(path)'", cause: cause)
  }
}
