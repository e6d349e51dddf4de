import FoundationEssentials
import Frames
import Glibc

/// One output stream of commands: a file without a name, of which only the end matters.
package final class CommandLog {
  let descriptor: Int32
  private static let limit = 64 << 20

  /// - Parameter stream: as the sentence of the failure calls it: `standard error`.
  package init(_ stream: String) throws(Failure) {
    let path = FileManager.default.temporaryDirectory.appending(path: "bench360-ab-\(MeasuringSession.make()).log").path
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw Failure(
        .output, "cannot keep what the commands say on \(stream)",
        cause: "'\(path)' cannot be made: \(String(cString: strerror(errno)))",
        remedy: "set TMPDIR to a folder that can be written")
    }
    unlink(path)
  }

  deinit { close(descriptor) }

  package func clear() { ftruncate(descriptor, 0) }

  /// A command that talks without end shall not fill the disk.
  package func limit() {
    if lseek(descriptor, 0, SEEK_END) > Self.limit { clear() }
  }

  /// All that is kept.
  package var data: Data { tail(Self.limit).bytes }

  /// The last `count` bytes, damaged characters replaced.
  package func text(last count: Int) -> String { String(decoding: tail(count).bytes, as: UTF8.self) }

  /// The last line, as a part of a sentence.
  package var lastLine: String? {
    let (bytes, isCut) = tail(65_536)
    var text = String(decoding: bytes, as: UTF8.self)[...]
    // Half of a word may be half of a URL, which cannot be seen to be one.
    if isCut { text = text.drop { !$0.isWhitespace } }
    return text.split(whereSeparator: \.isNewline).last { !$0.allSatisfy(\.isWhitespace) }
      .map { oneLine(String($0)) }
  }

  private func tail(_ limit: Int) -> (bytes: Data, isCut: Bool) {
    let end = Int(max(0, lseek(descriptor, 0, SEEK_END)))
    var data = Data(count: min(limit, end))
    let start = end - data.count
    var count = 0
    while count < data.count {
      let (size, place) = (data.count - count, start + count)
      let more = data.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress.map { $0 + count }, size, off_t(place))
      }
      guard more > 0 else { break }
      count += more
    }
    return (data.prefix(count), start > 0)
  }
}
