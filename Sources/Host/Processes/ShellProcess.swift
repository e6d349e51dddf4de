import Foundation
import Frames
import Glibc

/// A shell command that nobody talks to: no input, no terminal, standard output thrown away, standard error in a log.
///
/// Ends when the shell does, whatever the command left running; `Foundation.Process` would wait for that as well. Used by
/// one thread.
package struct ShellProcess {
  /// The shell's, and that of its session and group.
  private let id: pid_t
  private let session: String

  /// How it ended.
  package struct Ended: CustomStringConvertible {
    package var status: Int32
    package var isSignal: Bool

    // A shell tells of a signal that ended its command as 128 and the signal's number.
    package var description: String {
      if isSignal { return "was ended by signal \(status)" }
      return status > 128 ? "was ended by signal \(status - 128)" : "ended with status \(status)"
    }
  }

  /// Starts `command`, whose processes know by `MeasuringSession.variable` that they belong to `session`.
  ///
  /// Throws the error number of what failed.
  package init(_ command: String, session: String, log: ErrorLog) throws(POSIXError) {
    let environment = ProcessInfo.processInfo.environment.merging([MeasuringSession.variable: session]) { $1 }
    id = try Spawn.start(
      "/bin/sh", ["/bin/sh", "-c", command], environment: environment, Spawn.Streams(error: log.descriptor), .ownSession
    )
    self.session = session
  }

  /// How it ended, or nil while it runs. To be asked until it has ended, and not again.
  package func ended() -> Ended? {
    var status: Int32 = 0
    guard waitpid(id, &status, WNOHANG) == id else { return nil }
    let signal = status & 0x7F
    return signal == 0 ? Ended(status: (status >> 8) & 0xFF, isSignal: false) : Ended(status: signal, isSignal: true)
  }

  /// Asks the shell and what runs in its group to stop.
  package func ask(_ signal: Int32) {
    kill(-id, signal)
    // One that is stopped hears nothing before it goes on.
    kill(-id, SIGCONT)
  }

  /// Ends the shell, if it still runs, and all that it ever started.
  package func endAll() {
    let deadline = MonotonicTime.now.advanced(byMilliseconds: 1000)
    while endOnce(), MonotonicTime.now < deadline { usleep(1000) }
    var status: Int32 = 0
    waitpid(id, &status, WNOHANG)
  }

  /// One pass over all processes, since a group is left as easily as a parent is; whether any had to be ended.
  private func endOnce() -> Bool {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    let ended = names.compactMap { pid_t($0) }.filter { $0 != getpid() && isOurs($0) && kill($0, SIGKILL) == 0 }
    return !ended.isEmpty
  }

  /// A process that has ended has neither environment nor, when nobody waited for it yet, anything to end.
  private func isOurs(_ process: pid_t) -> Bool {
    let folder = "/proc/\(process)"
    if let environment = FileManager.default.contents(atPath: folder + "/environ"),
      environment.firstRange(of: Data("\(MeasuringSession.variable)=\(session)\0".utf8)) != nil
    {
      return true
    }
    guard getsid(process) == id, let stat = FileManager.default.contents(atPath: folder + "/stat") else { return false }
    return stat.firstRange(of: Data(") Z ".utf8)) == nil
  }
}
