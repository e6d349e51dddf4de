import FoundationEssentials
import Frames
import Glibc

/// A program of the system that is asked something: what it prints is read, what it complains of is not. It is killed with its owner. One
/// thread at a time.
package final class ToolProcess {
  private let id: pid_t
  private let output: FileDescriptor

  /// Nil where it does not start.
  ///
  /// - Parameter path: of the program; `arguments` begin behind its name.
  package init?(_ path: String, _ arguments: [String]) {
    guard let pipe = try? Spawn.pipe(), let silence = try? OpenFile(writing: "/dev/null") else { return nil }
    output = FileDescriptor(owning: pipe.reading)
    defer { close(pipe.writing) }
    let streams = Spawn.Streams(output: pipe.writing, error: silence.descriptor.rawValue)
    guard
      let id = try? Spawn.start(
        path, [path] + arguments, environment: ProcessInfo.processInfo.environment, streams, .ownGroup)
    else { return nil }
    self.id = id
  }

  deinit {
    kill(id, SIGKILL)
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
  }

  /// The text that it prints next. Empty if none comes in time, nil once its output is closed.
  package func text(withinMilliseconds milliseconds: Int) -> String? {
    var waiting = pollfd(fd: output.rawValue, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, Int32(clamping: milliseconds)) > 0 else { return "" }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(output.rawValue, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }
}
