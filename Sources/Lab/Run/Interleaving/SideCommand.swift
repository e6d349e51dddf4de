import FoundationEssentials
import Frames
import Glibc
import Host
import Verdict

/// One side of an `ab`: a shell command of which each run leaves a reading.
struct SideCommand<Runs: RunReading> {
  /// `base` or `head`.
  let side: String
  private let command: ComparedCommand
  private let runs: Runs
  /// Seconds.
  private let timeout: Double
  private let folder: RunFolder
  private let logs: ShellProcess.Logs

  init(
    side: String, command: ComparedCommand, runs: Runs, timeout: Double, folder: RunFolder, logs: ShellProcess.Logs
  ) {
    self.side = side
    self.command = command
    self.runs = runs
    self.timeout = timeout
    self.folder = folder
    self.logs = logs
  }

  /// Runs the command once; returns what it measured, nothing of a failed run. Number 0 is the warm-up.
  func run(number: Int) throws(Failure) -> Runs.Reading {
    let place = number == 0 ? "warm-up of \(side)" : "run \(number) of \(side)"
    let output = folder.file(side: side, number: number)
    // Left by an earlier attempt.
    folder.remove(output)
    do throws(Failure) {
      let reading = try run(place: place, output: output)
      if number == 0 { folder.remove(output) }
      return reading
    } catch {
      folder.remove(output)
      throw error
    }
  }

  private func run(place: String, output: String) throws(Failure) -> Runs.Reading {
    let process = try start(output: output, place: place)
    let result = Result { () throws(Failure) in try wait(for: process, place: place) }
    // Ends processes that a command leaves running, because they would disturb the other side's run.
    let usage = process.endAll()
    let ended = try result.get()
    guard !ended.isSignal, runs.isFine(status: ended.status) else {
      throw Failure(
        .failed, "\(place) failed",
        cause: "'\(oneLine(command.line))' \(ended)\(logs.error.lastLine.map { ": \($0)" } ?? "")",
        remedy: runs.remedy)
    }
    return try runs.read(
      EndedRun(place: place, command: command, ended: ended, usage: usage, output: output, logs: logs))
  }

  private func start(output: String, place: String) throws(Failure) -> ShellProcess {
    logs.error.clear()
    logs.output?.clear()
    do throws(SystemError) {
      return try ShellProcess(
        runs.line(command.line, output: output),
        changes: command.environment.merging(runs.environment(output: output)) { $1 }, logs: logs)
    } catch {
      throw Failure(
        .failed, "\(place) failed", cause: "no shell starts: \(error.reason)")
    }
  }

  private func wait(for process: ShellProcess, place: String) throws(Failure) -> ShellProcess.Ended {
    let deadline = MonotonicTime.now.advanced(byMilliseconds: timeout * 1000)
    while true {
      if let ended = process.ended() { return ended }
      if Interrupt.isRequested {
        stop(process, SIGINT)
        throw Failure(.cancelled, "\(place) was interrupted", cause: "it was asked to stop")
      }
      if MonotonicTime.now > deadline {
        stop(process, SIGTERM)
        throw Failure(
          .timeout, "\(place) failed",
          cause: "'\(oneLine(command.line))' did not end within \(Int(timeout.rounded(.up))) s and was ended",
          remedy: "give a longer --timeout, or find out why it hangs")
      }
      limitLogs()
      usleep(5000)
    }
  }

  /// Sends the signal, and waits up to five seconds.
  private func stop(_ process: ShellProcess, _ signal: Int32) {
    process.ask(signal)
    let deadline = MonotonicTime.now.advanced(byMilliseconds: 5000)
    while process.ended() == nil, MonotonicTime.now < deadline {
      limitLogs()
      usleep(5000)
    }
  }

  private func limitLogs() {
    logs.error.limit()
    logs.output?.limit()
  }
}
