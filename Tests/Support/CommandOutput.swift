import Foundation

/// A program's output and exit status.
public struct CommandOutput: Sendable {
  public var status: Int32
  public var output: Data
  public var errors: String
  public var text: String { String(decoding: output, as: UTF8.self) }

  public init(status: Int32, output: Data, errors: String) {
    self.status = status
    self.output = output
    self.errors = errors
  }

  /// Runs a program to its end with no standard input; both outputs are read while it runs.
  ///
  /// - Parameters:
  ///   - program: an absolute path, or a name to look up on the PATH.
  ///   - environment: differences from this process's environment.
  public static func of(
    _ program: String, _ arguments: [String], input: Data? = nil, environment: [String: String] = [:],
    folder: String? = nil
  ) throws -> CommandOutput {
    let process = Process()
    process.executableURL = URL(filePath: program.hasPrefix("/") ? program : "/usr/bin/env")
    process.arguments = program.hasPrefix("/") ? arguments : [program] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    if let folder { process.currentDirectoryURL = URL(filePath: folder) }
    let (standardInput, standardOutput, standardError) = (Pipe(), Pipe(), Pipe())
    process.standardInput = standardInput
    process.standardOutput = standardOutput
    process.standardError = standardError
    try process.run()
    write(input ?? Data(), to: standardInput.fileHandleForWriting)
    let errors = Reader(standardError.fileHandleForReading)
    let output = standardOutput.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return CommandOutput(
      status: process.terminationStatus, output: output, errors: String(decoding: errors.wait(), as: UTF8.self))
  }

  /// Writes all and closes the pipe, on a thread of its own: a program may answer before it has read everything.
  ///
  /// Foundation's own writing copies the rest for each piece that a pipe takes.
  private static func write(_ input: Data, to handle: FileHandle) {
    Thread.detachNewThread {
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGPIPE)
      pthread_sigmask(SIG_BLOCK, &signals, nil)
      input.withUnsafeBytes { bytes in
        var rest = bytes[...]
        while !rest.isEmpty {
          let count = Glibc.write(handle.fileDescriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
          guard count > 0 || errno == EINTR else { return }
          rest = rest.dropFirst(max(0, count))
        }
      }
      try? handle.close()
    }
  }

  /// Reads one pipe on a thread of its own, so that neither side can block the other.
  private final class Reader: @unchecked Sendable {
    private var data = Data()
    private let done = DispatchSemaphore(value: 0)

    init(_ handle: FileHandle) {
      Thread.detachNewThread { [self] in
        data = handle.readDataToEndOfFile()
        done.signal()
      }
    }

    func wait() -> Data {
      done.wait()
      return data
    }
  }
}
