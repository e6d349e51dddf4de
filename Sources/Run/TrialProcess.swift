import Foundation
import Frames
import Glibc

/// The parent's side of a trial: spawns it, follows its events, ends it when it hangs.
struct TrialProcess {
  /// Told what the trial is doing and how far it is, from 0 to 1.
  var onProgress: (_ stage: String, _ fraction: Double) -> Void = { _, _ in }
  /// Variables that the trial's process finds otherwise than this one.
  var environment: [String: String] = [:]

  /// Runs one trial to its end.
  ///
  /// Throws its failure; `.timeout` when it made no progress for the request's time-out and was ended; `.failed` when
  /// it crashed. After Ctrl-C the trial is asked to stop and gives what it has.
  func run(_ request: TrialRequest) throws(Failure) -> TrialOutcome {
    let child = try Child(request, environment)
    defer { child.end() }
    var stage = "start"
    var deadline = MonotonicTime.now.advanced(byMilliseconds: request.settings.timeout * 1000)
    var isAsked = false
    while true {
      if Interrupt.isRequested, !isAsked {
        isAsked = true
        child.ask()
        deadline = MonotonicTime.now.advanced(byMilliseconds: 5000)
      }
      guard let events = child.events(withinMilliseconds: 100) else {
        // Early on the trial does not listen yet: it just ends.
        if Interrupt.isRequested { throw Failure(.cancelled, describe(request), cause: "it was interrupted") }
        throw child.crash(request, stage: stage)
      }
      if !events.isEmpty, !isAsked {
        deadline = MonotonicTime.now.advanced(byMilliseconds: request.settings.timeout * 1000)
      }
      for event in events {
        switch event {
        case .stage(let name):
          stage = name
          // What was measured is still being written: that is not hanging.
          if isAsked, name == TraceLog.writing { deadline = MonotonicTime.now.advanced(byMilliseconds: 5000) }
          onProgress(name, 0)
        case .progress(let fraction): onProgress(stage, fraction)
        case .finished(let outcome):
          child.hasFinished = true
          return outcome
        case .failed(let description): throw description.failure
        }
      }
      if MonotonicTime.now > deadline {
        if isAsked { throw Failure(.cancelled, describe(request), cause: "it did not stop when asked to") }
        let seconds = Int(request.settings.timeout.rounded(.up))
        throw Failure(
          .timeout, describe(request), cause: "it made no progress for \(seconds) s in stage '\(stage)' and was ended",
          remedy: "give a longer --timeout if this machine is slow; else '\(stage)' hangs")
      }
    }
  }
}

private func describe(_ request: TrialRequest) -> String {
  "cannot finish scenario '\(request.scenario)' on '\(request.input)'"
}

/// A fresh process of this program, and the pipe it talks through.
private final class Child {
  private let process = Process()
  private let output: FileHandle
  private var pending = Data()
  /// It has told all it had to tell.
  var hasFinished = false

  init(_ request: TrialRequest, _ environment: [String: String]) throws(Failure) {
    let input = Pipe()
    let output = Pipe()
    self.output = output.fileHandleForReading
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    if !environment.isEmpty {
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    }
    process.standardInput = input
    process.standardOutput = output
    do {
      let data = try JSONEncoder().encode(request)
      process.arguments = ["trial", "--spawned", String(MonotonicTime.now.nanoseconds)]
      try process.run()
      try input.fileHandleForWriting.write(contentsOf: data)
      try input.fileHandleForWriting.close()
    } catch {
      throw Failure(.failed, describe(request), cause: "its process does not start: \(error.localizedDescription)")
    }
  }

  /// Asks the trial to stop and give what it has.
  func ask() {
    if process.isRunning { kill(process.processIdentifier, SIGINT) }
  }

  /// Makes sure that nothing is left of it. One that has told its results is given time to put things away.
  func end() {
    let deadline = MonotonicTime.now.advanced(byMilliseconds: hasFinished ? 2000 : 0)
    while process.isRunning, MonotonicTime.now < deadline { usleep(2000) }
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  /// Events that arrive in time; empty when none do, nil when the process has closed its output.
  func events(withinMilliseconds milliseconds: Int32) -> [TrialEvent]? {
    var descriptor = pollfd(fd: output.fileDescriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&descriptor, 1, milliseconds) > 0 else { return [] }
    let data = output.availableData
    guard !data.isEmpty else { return nil }
    pending.append(data)
    var events: [TrialEvent] = []
    while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
      let line = pending[pending.startIndex..<end]
      pending = Data(pending[pending.index(after: end)...])
      if let event = try? JSONDecoder().decode(TrialEvent.self, from: line) { events.append(event) }
    }
    return events
  }

  func crash(_ request: TrialRequest, stage: String) -> Failure {
    process.waitUntilExit()
    let status = process.terminationStatus
    let how =
      process.terminationReason == .uncaughtSignal
      ? "its process was ended by signal \(status)" : "its process ended with status \(status)"
    return Failure(
      .failed, describe(request), cause: "\(how) in stage '\(stage)'",
      remedy: "this is a bug in bench360, FFmpeg or the driver: try --upload copy, or another --device")
  }
}
