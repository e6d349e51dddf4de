import Foundation
import Frames
import Glibc

/// A shell command that reads no input and has no terminal: standard output is thrown away, standard error goes to a log.
///
/// Ends when the shell does, though the command may leave processes running; `Foundation.Process` would wait for them
/// too. Used by one thread, one command at a time (`Descendants`).
package struct ShellProcess {
  /// The shell's, and that of its session and group. Its own until `endAll`, since nothing waits for it before.
  private let id: pid_t
  private let descendants: Descendants

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
    descendants = Descendants()
    id = try Spawn.start(
      "/bin/sh", ["/bin/sh", "-c", command], environment: environment, Spawn.Streams(error: log.descriptor), .ownSession
    )
    hostLog.debug("started a command", metadata: ["id": "\(id)"])
  }

  /// How it ended, or nil while it runs.
  package func ended() -> Ended? {
    descendants.reap(allBut: id)
    var info = siginfo_t()
    guard waitid(P_PID, id_t(id), &info, WEXITED | WNOHANG | WNOWAIT) == 0, info._sifields._sigchld.si_pid == id else {
      return nil
    }
    return Ended(status: info._sifields._sigchld.si_status, isSignal: info.si_code != CLD_EXITED)
  }

  /// Asks the shell and what runs in its group to stop.
  package func ask(_ signal: Int32) {
    kill(-id, signal)
    // One that is stopped hears nothing before it goes on.
    kill(-id, SIGCONT)
  }

  /// Ends the shell, if it still runs, and all that it ever started; nothing of it can be asked afterwards.
  package func endAll() {
    kill(-id, SIGKILL)
    descendants.end(withinMilliseconds: 1000)
    hostLog.debug("a command has ended with all it started", metadata: ["id": "\(id)"])
  }
}
