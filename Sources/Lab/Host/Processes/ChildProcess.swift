import FoundationEssentials
import Frames
import Glibc
import Logging

/// A fresh process of this program that does one thing for its parent: it reads a request on standard input and writes
/// events, one JSON object a line, on standard output. One thread at a time.
package final class ChildProcess<Event: Decodable> {
  private let id: pid_t
  private let output: Int32
  private var pending = Data()
  /// Where the child reads; nil: closed.
  private var input: OpenFile?
  private var ended: Int32?
  /// The child has reported all its results.
  package var hasFinished = false

  /// - Parameters:
  ///   - arguments: of this program, a hidden verb first; asked for just before the process is spawned.
  ///   - isAddressedLater: `send` tells it more than the request.
  ///   - attempt: begins the sentence of the failure that is thrown where no process starts.
  package init(
    _ arguments: @autoclosure () -> [String], request: some Encodable, environment: [String: String] = [:],
    isAddressedLater: Bool = false, attempt: String
  ) throws(Failure) {
    do {
      let data = try JSONEncoder().encode(request)
      var verb = ""
      let input = try Spawn.pipe()
      defer { close(input.reading) }
      let output: (reading: Int32, writing: Int32)
      do {
        output = try Spawn.pipe()
      } catch {
        close(input.writing)
        throw error
      }
      defer { close(output.writing) }
      self.output = output.reading
      do {
        let arguments = arguments()
        verb = arguments.first ?? ""
        id = try Spawn.start(
          "/proc/self/exe", [CommandLine.arguments.first ?? "bench360"] + arguments,
          environment: ProcessInfo.processInfo.environment.merging(Diagnostics.environment) { $1 }
            .merging(environment) { $1 },
          Spawn.Streams(input: input.reading, output: output.writing), .ownGroup)
      } catch {
        close(input.writing)
        close(output.reading)
        throw error
      }
      let file = OpenFile(FileDescriptor(owning: input.writing))
      // One that ends before it has read everything tells why by how it ends.
      try? file.write(data + [UInt8(ascii: "\n")])
      if isAddressedLater { self.input = file } else { file.close() }
      hostLog.debug("started a process", metadata: ["id": "\(id)", "verb": "\(verb)"])
    } catch {
      let cause = (error as? SystemError)?.reason ?? "\(error)"
      hostLog.debug("no process starts", metadata: ["cause": "\(cause)"])
      throw Failure(
        .failed, attempt, cause: "no process could be started for it: \(cause)",
        remedy: "end other programs, or raise the limits of processes and open files (ulimit -u, ulimit -n)")
    }
  }

  deinit {
    end()
    close(output)
  }

  /// Sends the last thing it is told: a line.
  package func send(_ value: some Encodable) {
    guard let data = try? JSONEncoder().encode(value) else { return }
    try? input?.write(data + [UInt8(ascii: "\n")])
    input = nil
  }

  /// Asks it to stop and to report its results so far.
  package func ask() {
    guard isRunning else { return }
    hostLog.debug("ask a process to stop", metadata: ["id": "\(id)"])
    kill(id, SIGINT)
  }

  /// Ends it and waits for its end. A process that has reported its results gets time to clean up first.
  package func end() {
    let deadline = MonotonicTime.now.advanced(
      byMilliseconds: !hasFinished ? 0 : Interrupt.isRequested ? 100 : 2000)
    while isRunning, MonotonicTime.now < deadline { usleep(2000) }
    if isRunning {
      hostLog.debug("kill a process", metadata: ["id": "\(id)", "finished": "\(hasFinished)"])
      kill(id, SIGKILL)
    }
    wait()
  }

  /// Events that arrive in time; empty when none do, nil when the process has closed its output.
  package func events(withinMilliseconds milliseconds: Int32) -> [Event]? {
    var descriptor = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    guard poll(&descriptor, 1, milliseconds) > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(output, &bytes, bytes.count)
    guard count > 0 else { return count < 0 && errno == EINTR ? [] : nil }
    pending.append(contentsOf: bytes.prefix(count))
    var events: [Event] = []
    while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
      let line = pending[Range(from: pending.startIndex, to: end)]
      pending = Data(pending[pending.index(after: end)...])
      if let event = try? JSONDecoder().decode(Event.self, from: line) { events.append(event) }
    }
    return events
  }

  /// How it ended without telling anything, as a failure. Waits for its end.
  package func crash(_ attempt: String, stage: String) -> Failure {
    wait()
    let status = ended ?? 0
    let signal = status & 0x7F
    if signal == SIGKILL {
      return Failure(
        .failed, attempt, cause: "its process was killed (signal 9) in stage '\(stage)'",
        remedy:
          "the kernel does that where memory runs out ('dmesg' tells): free memory, or measure a smaller clip or view")
    }
    let how =
      signal != 0
      ? "its process was ended by signal \(signal)" : "its process ended with status \((status >> 8) & 0xFF)"
    return Failure(
      .failed, attempt, cause: "\(how) in stage '\(stage)'",
      remedy: "this is a bug in bench360, FFmpeg or the driver: try --upload copy, or another --device")
  }

  private var isRunning: Bool {
    reap(WNOHANG)
    return ended == nil
  }

  private func wait() { reap(0) }

  private func reap(_ options: Int32) {
    guard ended == nil else { return }
    var status: Int32 = 0
    var found = waitpid(id, &status, options)
    while found < 0, errno == EINTR { found = waitpid(id, &status, options) }
    // Reaped elsewhere, it has ended all the same.
    guard found != 0 else { return }
    ended = found == id ? status : 0
    hostLog.debug("a process ended", metadata: ["id": "\(id)", "status": "\(ended ?? 0)"])
  }
}
