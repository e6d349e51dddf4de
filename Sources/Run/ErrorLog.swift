import Foundation
import Frames
import Glibc

/// What commands say on standard error: a file without a name, of which only the end matters.
final class ErrorLog {
  let descriptor: Int32

  init() throws(Failure) {
    let path = FileManager.default.temporaryDirectory.appending(path: "bench360-ab-\(Session.make()).log").path
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw Failure(
        .output, "cannot keep what the commands say on standard error",
        cause: "'\(path)' cannot be made: \(String(cString: strerror(errno)))",
        remedy: "set TMPDIR to a folder that can be written")
    }
    unlink(path)
  }

  deinit { close(descriptor) }

  func clear() { ftruncate(descriptor, 0) }

  /// A command that talks without end shall not fill the disk.
  func limit() {
    if lseek(descriptor, 0, SEEK_END) > 64 << 20 { clear() }
  }

  /// The last line, without what could not be printed.
  var lastLine: String? {
    let end = lseek(descriptor, 0, SEEK_END)
    var bytes = [UInt8](repeating: 0, count: min(4096, Int(max(0, end))))
    let count = pread(descriptor, &bytes, bytes.count, end - off_t(bytes.count))
    let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    return text.split(whereSeparator: \.isNewline).last { !$0.allSatisfy(\.isWhitespace) }
      .map { oneLine(String($0)) }
  }
}

/// A text as a part of a sentence: one line of printable characters, at most 300 of them.
func oneLine(_ text: String) -> String {
  let printable = text.unicodeScalars.map { scalar in
    scalar.properties.generalCategory == .control ? " " : Character(scalar)
  }
  return String(printable.prefix(300)).trimmingCharacters(in: .whitespaces)
}
