import FoundationEssentials
import Frames
import Glibc

/// A shell command that reads no input and has no terminal. Its output streams go to logs, or are thrown away.
///
/// Ends when the shell does, though the command may leave processes running; `Foundation.Process` would wait for them
/// too. Used by one thread, one command at a time (`Descendants`).
package struct ShellProcess {
  /// The shell's, and that of its session and group. Its own until `endAll`, since nothing waits for it before.
  private let id: pid_t
  private let descendants: Descendants
  private let began: MonotonicTime
  private let ending: EndStamp
  /// MiB: a started process inherits the peak of the program that starts it, and reports no smaller one.
  private let ownPeak: Double

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

  /// What the shell and the processes that it waited for used.
  package struct Usage {
    /// Start of the shell → its end.
    package var wallMilliseconds: Double
    /// Time on processors outside the kernel.
    package var userMilliseconds: Double
    /// Time on processors in the kernel.
    package var systemMilliseconds: Double
    /// Largest resident set of one of them; nil where it is below this program's own.
    package var peakMiB: Double?
  }

  /// Where the output goes; nil is `/dev/null`.
  package struct Logs {
    package var output: CommandLog?
    package var error: CommandLog

    package init(output: CommandLog?, error: CommandLog) {
      self.output = output
      self.error = error
    }
  }

  /// Starts `command` in this process's environment with `changes`, where an empty value takes the variable away.
  ///
  /// Throws the error number of what failed.
  package init(_ command: String, changes: [String: String], logs: Logs) throws(SystemError) {
    let environment = ProcessInfo.processInfo.environment.merging(changes) { $1 }
      .filter { !($0.value.isEmpty && changes[$0.key] != nil) }
    descendants = Descendants()
    // Before the start: a file that this process reads afterwards would be among the descriptors that the command sees.
    ownPeak = peakResidentMebibytes() ?? 0
    began = .now
    id = try Spawn.start(
      "/bin/sh", ["/bin/sh", "-c", command], environment: environment,
      Spawn.Streams(output: logs.output?.descriptor, error: logs.error.descriptor), .ownSession)
    ending = EndStamp(of: id)
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
  @discardableResult
  package func endAll() -> Usage {
    kill(-id, SIGKILL)
    let ended = ending.instant() ?? .now
    var (status, used) = (Int32(0), rusage())
    wait4(id, &status, WNOHANG, &used)
    descendants.end(withinMilliseconds: 1000)
    hostLog.debug("a command has ended with all it started", metadata: ["id": "\(id)"])
    let peak = Double(used.ru_maxrss) / 1024
    return Usage(
      wallMilliseconds: ended.milliseconds(since: began),
      userMilliseconds: Double(used.ru_utime.tv_sec) * 1000 + Double(used.ru_utime.tv_usec) / 1000,
      systemMilliseconds: Double(used.ru_stime.tv_sec) * 1000 + Double(used.ru_stime.tv_usec) / 1000,
      peakMiB: peak > ownPeak ? peak : nil)
  }
}
