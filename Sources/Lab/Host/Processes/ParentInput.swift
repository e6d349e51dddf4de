import FoundationEssentials
import Glibc

/// What a parent sends to this process on standard input: one JSON value a line. One thread.
package enum ParentInput {
  /// The next value, which is waited for; nil where none comes any more, what comes is none, or `shouldStop` says so.
  package static func next<Value: Decodable>(
    _ type: Value.Type, unless shouldStop: () -> Bool = { false }
  ) -> Value? {
    guard let line = line(unless: shouldStop) else { return nil }
    return try? JSONDecoder().decode(type, from: line)
  }

  /// The bytes up to the end of a line, or of the input. A parent sends the next line once it has heard of this one's effect, so that no
  /// more than one is there.
  package static func line(unless shouldStop: () -> Bool = { false }) -> Data? {
    var line = Data()
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while !shouldStop() {
      var descriptor = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      guard poll(&descriptor, 1, 100) != 0 else { continue }
      let count = read(STDIN_FILENO, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return line.isEmpty ? nil : line }
      line.append(contentsOf: bytes.prefix(count))
      if line.last == UInt8(ascii: "\n") { return line }
    }
    return nil
  }
}
