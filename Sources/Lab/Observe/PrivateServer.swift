import FoundationEssentials
import Frames
import Glibc
import Host

/// A folder of this process's own, removed with its contents at the end.
final class PrivateFolder: Sendable {
  let path: String

  /// - Parameters:
  ///   - attempt: begins the sentence of the failure where no folder can be made.
  ///   - parents: the first of them that can be written is used; each ends with a slash.
  init(_ attempt: String, in parents: [String] = [temporaryFolder]) throws(Failure) {
    for parent in parents {
      var template = Array((parent + "bench360-observe-XXXXXX").utf8CString)
      guard mkdtemp(&template) != nil else { continue }
      path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
      return
    }
    throw Failure(
      .output, attempt, cause: "no folder can be made in \(parents.map { "'\($0)'" }.joined(separator: " or "))",
      remedy: "set TMPDIR to a folder that can be written")
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// A server that this process keeps. It ends with this process, also when that is killed: a shell script runs it, and ends it at the end of
/// its own input, a pipe that this process keeps open.
final class PrivateServer: Sendable {
  /// The line that the script printed when the server was ready; empty if the script ended without one.
  let firstLine: String
  private let shell: pid_t
  private let lifeline: FileDescriptor
  /// Removed after the server has ended.
  private let folder: PrivateFolder

  /// Blocks until the script has printed a line, or has ended.
  ///
  /// - Parameters:
  ///   - script: for `sh`. It finds the folder's path as `$1`, then `arguments`.
  init(_ script: String, _ arguments: [String] = [], in folder: PrivateFolder) throws(SystemError) {
    let input = try Spawn.pipe()
    defer { close(input.reading) }
    lifeline = FileDescriptor(owning: input.writing)
    let output = try Spawn.pipe()
    defer { close(output.reading) }
    do {
      defer { close(output.writing) }
      shell = try Spawn.start(
        "/bin/sh", ["/bin/sh", "-c", script, "sh", folder.path] + arguments,
        environment: ProcessInfo.processInfo.environment,
        Spawn.Streams(input: input.reading, output: output.writing), .ownSession)
    }
    self.folder = folder
    var line = ""
    var byte: UInt8 = 0
    while read(output.reading, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.unicodeScalars.append(.init(byte)) }
    firstLine = line
  }

  deinit {
    close(lifeline.release())
    var status: Int32 = 0
    while waitpid(shell, &status, 0) < 0, errno == EINTR {}
  }
}
