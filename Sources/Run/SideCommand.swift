import Foundation
import Frames
import Glibc
import Host
import Verdict

/// One side of an `ab`: a shell command that writes a record to a given path.
struct SideCommand {
  /// `base` or `head`.
  let side: String
  private let command: String
  private let session: String
  /// Seconds.
  private let timeout: Double
  private let folder: RunFolder
  private let log: ErrorLog

  init(side: String, command: String, session: String, timeout: Double, folder: RunFolder, log: ErrorLog) {
    self.side = side
    // A trailing newline, as in a YAML block, would make '--output' a command of its own.
    self.command = command.trimmingCharacters(in: .whitespacesAndNewlines)
    self.session = session
    self.timeout = timeout
    self.folder = folder
    self.log = log
  }

  /// Runs the command once; returns the records it wrote, none of a failed run. Number 0 is the warm-up.
  func run(number: Int) throws(Failure) -> [Record] {
    let place = number == 0 ? "warm-up of \(side)" : "run \(number) of \(side)"
    let output = folder.file(side: side, number: number)
    // Left by an earlier attempt.
    folder.remove(output)
    do throws(Failure) {
      let records = try run(place: place, output: output)
      if number == 0 { folder.remove(output) }
      return records
    } catch {
      folder.remove(output)
      throw error
    }
  }

  private func run(place: String, output: String) throws(Failure) -> [Record] {
    let ended = try wait(for: start(output: output, place: place), place: place)
    // 3 is a run with wrong pictures: its record says so.
    guard ended.status == 0 || ended.status == 3, !ended.isSignal else {
      throw Failure(
        .failed, "\(place) failed",
        cause: "'\(oneLine(command))' \(ended)\(log.lastLine.map { ": \($0)" } ?? "")",
        remedy: "it must be a 'bench360 run …' line, for '--output FILE' is appended to it: try it by hand")
    }
    let records = try RecordSet.load(output).records
    guard !records.isEmpty else {
      throw Failure(
        .failed, "\(place) failed",
        cause: "'\(oneLine(command))' \(ended) but wrote no record to the '--output' appended to it",
        remedy: "give a 'bench360 run …' line without --output")
    }
    return records
  }

  private func start(output: String, place: String) throws(Failure) -> ShellProcess {
    log.clear()
    do throws(POSIXError) {
      return try ShellProcess("\(command) --output \(quoted(output))", session: session, log: log)
    } catch {
      throw Failure(
        .failed, "\(place) failed", cause: "no shell starts: \(String(cString: strerror(error.code.rawValue)))")
    }
  }

  /// Ends processes that a command leaves running, because they would disturb the other side's run.
  private func wait(for process: ShellProcess, place: String) throws(Failure) -> ShellProcess.Ended {
    defer { process.endAll() }
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
          cause: "'\(oneLine(command))' did not end within \(Int(timeout.rounded(.up))) s and was ended",
          remedy: "give a longer --timeout, or find out why it hangs")
      }
      log.limit()
      usleep(5000)
    }
  }

  /// Sends the signal, and waits up to five seconds.
  private func stop(_ process: ShellProcess, _ signal: Int32) {
    process.ask(signal)
    let deadline = MonotonicTime.now.advanced(byMilliseconds: 5000)
    while process.ended() == nil, MonotonicTime.now < deadline {
      log.limit()
      usleep(5000)
    }
  }

  private func quoted(_ path: String) -> String {
    "'" + path.replacingOccurrences(of: "'", with: "'\\''") + "'"
  }
}

/// Where the records of an `ab` go.
struct RunFolder {
  private let path: String
  private let isKept: Bool

  /// Nil: a folder of its own among the temporary ones.
  init(keep: String?) throws(Failure) {
    isKept = keep != nil
    // Absolute, for a command may begin with 'cd'.
    let folder = keep.map { URL(filePath: $0).absoluteURL }
    path =
      (folder ?? FileManager.default.temporaryDirectory.appending(path: "bench360-ab-\(MeasuringSession.make())")).path
    let manager = FileManager.default
    do {
      for side in ["base", "head"] {
        let names = try? manager.contentsOfDirectory(atPath: path + "/\(side)")
        guard (names ?? []).isEmpty else {
          throw Failure(
            .output, "cannot keep records in '\(path)'", cause: "its folder '\(side)' is not empty",
            remedy: "name a new folder with --keep")
        }
      }
      for side in ["base", "head"] {
        try manager.createDirectory(atPath: path + "/\(side)", withIntermediateDirectories: true)
      }
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(
        .output, "cannot keep records in '\(path)'", cause: "the folder cannot be made",
        remedy: "name a folder that can be written with --keep")
    }
  }

  /// The file for one run's record; with several inputs it is a folder.
  func file(side: String, number: Int) -> String {
    path + "/\(side)/\(String(format: "%03d", number)).json"
  }

  func remove(_ file: String) {
    try? FileManager.default.removeItem(atPath: file)
  }

  /// At the end.
  func remove() {
    if !isKept { remove(path) }
  }
}
