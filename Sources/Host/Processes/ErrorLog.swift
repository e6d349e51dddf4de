import Foundation
import Frames
import Glibc

/// The standard error of commands: a file without a name, of which only the end matters.
package final class ErrorLog {
  let descriptor: Int32

  package init() throws(Failure) {
    let path = FileManager.default.temporaryDirectory.appending(path: "bench360-ab-\(MeasuringSession.make()).log").path
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

  package func clear() { ftruncate(descriptor, 0) }

  /// A command that talks without end shall not fill the disk.
  package func limit() {
    if lseek(descriptor, 0, SEEK_END) > 64 << 20 { clear() }
  }

  /// The last line, as a part of a sentence.
  package var lastLine: String? {
    let end = lseek(descriptor, 0, SEEK_END)
    var bytes = [UInt8](repeating: 0, count: min(65_536, Int(max(0, end))))
    let count = pread(descriptor, &bytes, bytes.count, end - off_t(bytes.count))
    var text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)[...]
    // Half of a word may be half of a URL, which cannot be seen to be one.
    if end > bytes.count { text = text.drop { !$0.isWhitespace } }
    return text.split(whereSeparator: \.isNewline).last { !$0.allSatisfy(\.isWhitespace) }
      .map { oneLine(String($0)) }
  }
}
