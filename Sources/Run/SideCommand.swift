import Foundation
import Frames
import Glibc
import Verdict

/// One side of an `ab`: a shell command that leaves a record where it is told to.
struct SideCommand {
  /// `base` or `head`.
  let side: String
  let command: String
  let session: String
  /// Seconds.
  let timeout: Double
  let folder: RunFolder

  /// Runs the command once; the records it left. Number 0 is the warm-up.
  func run(number: Int) throws(Failure) -> [Record] {
    let place = number == 0 ? "warm-up of \(side)" : "run \(number) of \(side)"
    let output = try folder.place(side: side, number: number)
    let log = folder.log
    let ended = try start(output: output, log: log, place: place)
    // 3 is a run that was incorrect: its record says so.
    guard ended.status == 0 || ended.status == 3 else {
      throw Failure(
        .failed, "\(place) failed", cause: "'\(command)' \(ended.description)\(lastWords(log))",
        remedy: "try the command by hand")
    }
    let records = try RecordSet.load(output).records
    guard !records.isEmpty else {
      throw Failure(
        .failed, "\(place) failed",
        cause: "'\(command)' ended well but wrote no record to the '--output' appended to it",
        remedy: "give a 'bench360 run …' line without --output")
    }
    if number == 0 { try? FileManager.default.removeItem(atPath: output) }
    return records
  }

  private func start(output: String, log: String, place: String) throws(Failure) -> Ended {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "\(command) --output \(quoted(output))"]
    process.environment = ProcessInfo.processInfo.environment.merging([Session.variable: session]) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    _ = FileManager.default.createFile(atPath: log, contents: nil)
    process.standardError = FileHandle(forWritingAtPath: log) ?? .nullDevice
    do {
      try process.run()
    } catch {
      throw Failure(.failed, "\(place) failed", cause: "no shell starts: \(error.localizedDescription)")
    }
    return try wait(process, place: place)
  }

  private func wait(_ process: Process, place: String) throws(Failure) -> Ended {
    // The shell leads a group of its own, so that all below it can be told.
    let group = -process.processIdentifier
    let deadline = MonotonicTime.now.advanced(byMilliseconds: timeout * 1000)
    while process.isRunning {
      if Interrupt.isRequested {
        end(process, group, asking: SIGINT)
        throw Failure(.cancelled, "\(place) was interrupted", cause: "it was asked to stop")
      }
      if MonotonicTime.now > deadline {
        end(process, group, asking: SIGTERM)
        throw Failure(
          .timeout, "\(place) failed", cause: "'\(command)' did not end within \(Int(timeout)) s and was ended",
          remedy: "give a longer --timeout, or find out why it hangs")
      }
      usleep(5000)
    }
    return Ended(status: process.terminationStatus, isSignal: process.terminationReason == .uncaughtSignal)
  }

  /// Asks first; after five seconds it is ended.
  private func end(_ process: Process, _ group: pid_t, asking signal: Int32) {
    kill(group, signal)
    let deadline = MonotonicTime.now.advanced(byMilliseconds: 5000)
    while process.isRunning, MonotonicTime.now < deadline { usleep(5000) }
    kill(group, SIGKILL)
    process.waitUntilExit()
  }

  /// The last line of what it said on standard error.
  private func lastWords(_ log: String) -> String {
    guard let text = try? String(contentsOfFile: log, encoding: .utf8),
      let line = text.split(whereSeparator: \.isNewline).last
    else { return "" }
    return ": \(line.prefix(300))"
  }

  private func quoted(_ path: String) -> String {
    "'" + path.replacingOccurrences(of: "'", with: "'\\''") + "'"
  }
}

/// How a process ended.
private struct Ended: CustomStringConvertible {
  var status: Int32
  var isSignal: Bool

  // A shell tells of a signal that ended its command as 128 and the signal's number.
  var description: String {
    if isSignal { return "was ended by signal \(status)" }
    return status > 128 ? "was ended by signal \(status - 128)" : "ended with status \(status)"
  }
}

/// Where the records of an `ab` go.
struct RunFolder {
  private let path: String
  private let isKept: Bool

  /// Nil: a folder of its own among the temporary ones.
  init(keep: String?) throws(Failure) {
    isKept = keep != nil
    path = keep ?? FileManager.default.temporaryDirectory.appending(path: "bench360-ab-\(Session.make())").path
    do {
      for side in ["base", "head"] {
        try FileManager.default.createDirectory(atPath: path + "/\(side)", withIntermediateDirectories: true)
        guard try FileManager.default.contentsOfDirectory(atPath: path + "/\(side)").isEmpty else {
          throw Failure(
            .output, "cannot keep records in '\(path)'", cause: "its folder '\(side)' is not empty",
            remedy: "name a new folder with --keep")
        }
      }
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(
        .output, "cannot keep records in '\(path)'", cause: "the folder cannot be made",
        remedy: "name a folder that can be written with --keep")
    }
  }

  /// The file for one run's record; what an earlier try left there is removed.
  func place(side: String, number: Int) throws(Failure) -> String {
    let file = path + "/\(side)/\(String(format: "%03d", number)).json"
    try? FileManager.default.removeItem(atPath: file)
    return file
  }

  /// What a command said last on standard error; removed at the end.
  var log: String { path + "/stderr.txt" }

  func remove() {
    try? FileManager.default.removeItem(atPath: isKept ? log : path)
  }
}
