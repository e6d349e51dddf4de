import Foundation
import Glibc
import Support
import Testing

/// A run in progress, whose trials can be seen and disturbed.
final class RunningProgram {
  private let process = Process()
  private let output: URL
  private let errors: URL

  /// - Parameter isDetached: started by nohup, which has a terminal's going ignored.
  init(
    _ arguments: [String], in folder: String, environment: [String: String] = [:], isDetached: Bool = false,
    input: Pipe? = nil
  ) throws {
    output = URL(filePath: folder + "/stdout")
    errors = URL(filePath: folder + "/stderr")
    for url in [output, errors] { try Data().write(to: url) }
    // Threads of tests block signals, and a child inherits that: the program hears them all the same.
    process.executableURL = URL(filePath: isDetached ? "/usr/bin/env" : TestFolders.program)
    process.arguments = (isDetached ? ["--ignore-signal=HUP", TestFolders.program] : []) + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(Program.home(folder)) { $1 }
      .merging(["BENCH360_LOG": "Host=debug"]) { $1 }.merging(environment) { $1 }
    process.currentDirectoryURL = URL(filePath: folder)
    if let input { process.standardInput = input } else { process.standardInput = FileHandle.nullDevice }
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
  }

  /// Waits until trial `number` has started, the warm-up being 0, and has worked for that long. Returns its process, which may have ended
  /// since.
  ///
  /// - Parameter ticks: hundredths of a second of processor time, of all its threads. A test whose trials are short asks for none.
  func trial(_ number: Int, ticks: Int = 20) throws -> pid_t {
    try wait {
      let started = startedTrials(in: try errorText())
      guard started.count > number else { return false }
      let hasWorked = ticks == 0 || Self.processorTicks(started[number]) >= ticks
      try #require(hasWorked || started.count == number + 1, "trial \(number) ended before it had worked for so long")
      return hasWorked
    }
    return startedTrials(in: try errorText())[number]
  }

  /// Waits until that process has worked for that many hundredths of a second.
  func wait(for process: pid_t, ticks: Int) throws {
    try wait { Self.processorTicks(process) >= ticks }
  }

  /// Waits for the trial that starts next after that report on standard error.
  func trial(following report: String) throws -> pid_t {
    var trial: pid_t?
    try wait {
      let text = try errorText()
      guard let report = text.range(of: report) else { return false }
      trial = startedTrials(in: text[report.upperBound...]).first
      return trial != nil
    }
    return try #require(trial)
  }

  /// The processes of the trials that the program's log names, in order. No trial is too short to be in it. Trials that a trial starts, as
  /// those of density do, are not among them.
  private func startedTrials(in text: some StringProtocol) -> [pid_t] {
    String(text).matches(of: #/started a process id=([0-9]+) verb=trial process=([0-9]+)/#)
      .filter { pid_t($0.2) == identifier }.compactMap { pid_t($0.1) }
  }

  private func errorText() throws -> String { try String(contentsOf: errors, encoding: .utf8) }

  /// Looks until it is so, as long as the program runs.
  private func wait(until isSo: () throws -> Bool) throws {
    let wasSeen = try Patience.until {
      if try isSo() { return true }
      try #require(process.isRunning, "it ended: \((try? errorText()) ?? "")")
      return false
    }
    guard wasSeen else { throw NotSeen() }
  }

  /// Waits until it, or a process that it started, has worked for so many hundredths of a second.
  func waitUntilBusy(ticks: Int) throws {
    try wait { ([process.processIdentifier] + allChildren()).contains { Self.processorTicks($0) >= ticks } }
  }

  /// Waits until it holds a file open that has no name any more.
  func waitUntilItHoldsANamelessFile() throws {
    let folder = "/proc/\(process.processIdentifier)/fd/"
    try wait {
      let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      let targets = files.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: folder + $0) }
      return targets.contains { $0.hasSuffix("(deleted)") }
    }
  }

  struct NotSeen: Error {}

  /// Waits until the program, or what it started, has written that file.
  func wait(for file: String) throws {
    try wait { FileManager.default.fileExists(atPath: file) }
  }

  /// Waits until it has complained of that.
  func wait(forError text: String) throws {
    try wait { try errorText().contains(text) }
  }

  var isRunning: Bool { process.isRunning }
  var identifier: pid_t { process.processIdentifier }

  func interrupt(_ signal: Int32 = SIGINT) { Glibc.kill(process.processIdentifier, signal) }

  /// As a power cut of its own: it can put nothing away.
  func kill() { Glibc.kill(process.processIdentifier, SIGKILL) }

  /// How it ended, and how many trials it started. Its errors are without the log.
  func waitForTrials() throws -> (CommandOutput, trials: Int) {
    process.waitUntilExit()
    let text = try errorText()
    let errors = text.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.contains(" [Host] debug ") }
    return (
      CommandOutput(
        status: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus,
        output: try Data(contentsOf: output), errors: errors.joined(separator: "\n")),
      startedTrials(in: text).count
    )
  }

  /// How it ended.
  func wait() throws -> CommandOutput { try waitForTrials().0 }

  private func allChildren() -> [pid_t] { Self.children(of: process.processIdentifier) }

  /// The processes that one has started and that have not been waited for.
  static func children(of parent: pid_t) -> [pid_t] {
    let path = "/proc/\(parent)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return threads.flatMap { thread in
      ((try? String(contentsOfFile: "\(path)/\(thread)/children", encoding: .utf8)) ?? "").split(separator: " ")
        .compactMap { pid_t($0) }
    }
  }

  /// Whether it still does something; one that has ended has no command line.
  static func isRunning(_ process: pid_t) -> Bool {
    (try? Data(contentsOf: URL(filePath: "/proc/\(process)/cmdline")).isEmpty) == false
  }

  /// User time so far, in hundredths of a second.
  static func processorTicks(_ child: pid_t) -> Int {
    let status = (try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8)) ?? ""
    let fields = status.split(separator: " ")
    return fields.count > 13 ? Int(fields[13]) ?? 0 : 0
  }

  deinit {
    if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) }
  }
}

extension CommandLineTests {
  @Suite struct InterruptTests {
    private static func longRun(_ clip: String, _ scenario: String) -> [String] {
      [
        "run", clip, "--scenario", scenario, "--trials", "2", "--duration", "600", "--size", "160x90", "-o",
        "record.json", "--timeout", "60",
      ]
    }

    private static func isAlive(_ process: pid_t) -> Bool { kill(process, 0) == 0 }

    /// Ctrl-C, a polite kill, and a terminal that goes away and says so twice.
    @Test(arguments: [[SIGINT], [SIGTERM], [SIGHUP, SIGHUP]])
    func controlCKeepsWhatWasMeasured(signals: [Int32]) throws {
      try Program.withClip { folder, clip in
        let running = try RunningProgram(Self.longRun(clip, "decode,pipeline"), in: folder)
        let trial = try running.trial(1)
        for signal in signals { running.interrupt(signal) }
        let result = try running.wait()
        #expect(result.status == 130, "\(result.errors)")
        #expect(result.errors.contains("interrupted: the measurements so far are kept"))
        #expect(result.text.contains("decode_fps") && result.text.contains("incomplete"))
        #expect(!Self.isAlive(trial))
        let record = try RecordText(file: folder + "/record.json")
        #expect(record.isComplete == false && record.warningCodes.contains("interrupted"))
        #expect(record.trials.contains { $0["complete"] as? Bool == false })
        if PythonJudge.hasJSONSchema {
          #expect(try PythonJudge.schemaRefusals([folder + "/record.json"]).isEmpty)
        }
      }
    }

    @Test func underNohupItOutlivesItsTerminal() throws {
      try Program.withClip { folder, clip in
        let running = try RunningProgram(Self.longRun(clip, "decode"), in: folder, isDetached: true)
        let trial = try running.trial(1)
        running.interrupt(SIGHUP)
        kill(trial, SIGHUP)
        try running.wait(for: trial, ticks: RunningProgram.processorTicks(trial) + 20)
        running.interrupt()
        #expect(try running.wait().status == 130)
      }
    }

    /// The warm-up plays for a second. An interrupt that comes later shows nothing, and is repeated.
    @Test func controlCBeforeAnythingIsMeasuredLeavesNoRecord() throws {
      for _ in 0..<20 {
        let wasInTime = try Program.withClip { folder, clip in
          let running = try RunningProgram(Self.longRun(clip, "play"), in: folder)
          _ = try running.trial(0, ticks: 0)
          running.interrupt()
          let (result, trials) = try running.waitForTrials()
          // A trial that does not listen yet is ended by the signal: that is no crash.
          #expect(result.status == 130, "\(result.errors)")
          #expect(!result.errors.contains("this is a bug"))
          guard trials == 1 else { return false }
          #expect(!(try names(in: folder)).contains("record.json"))
          return true
        }
        if wasInTime { return }
      }
      Issue.record("no interrupt came before the first trial")
    }

    @Test func aHungTrialIsEndedAndItsStageNamed() throws {
      try Program.withClip { folder, clip in
        let running = try RunningProgram(
          ["run", clip, "--scenario", "decode,play", "--trials", "1", "--duration", "20", "--size", "160x90"]
            + ["-o", "record.json", "--timeout", "2"], in: folder)
        let trial = try running.trial(2, ticks: 1)
        kill(trial, SIGSTOP)
        let result = try running.wait()
        #expect(result.status == 1, "\(result.errors)")
        let told = result.errorLines.filter { $0.hasPrefix("bench360: ") }
        #expect(told.count == 1)
        for word in ["'play'", "'\(clip)'", "no progress for 2 s", "in stage '", "--timeout"] {
          #expect(told.first?.contains(word) == true, "\(result.errors)")
        }
        #expect(!Self.isAlive(trial))
        // Earlier measurements are not lost.
        let record = try RecordText(file: folder + "/record.json")
        #expect(record.isComplete == false && record.scenarioNames == ["decode"])
        #expect(record.warningCodes.contains("ended_early"))
      }
    }

    /// The finished trials are written in the five seconds that a run has for that.
    @Test func controlCDoesNotWaitForATrialThatHangs() throws {
      try Program.withClip { folder, clip in
        let running = try RunningProgram(
          ["run", clip, "--scenario", "decode,play", "--trials", "1", "--duration", "20", "--size", "160x90"]
            + ["-o", "record.json", "--timeout", "3600"], in: folder)
        let trial = try running.trial(2, ticks: 1)
        kill(trial, SIGSTOP)
        running.interrupt()
        let result = try running.wait()
        #expect(result.status == 130, "\(result.errors)")
        #expect(result.errors.contains("bench360: interrupted: the measurements so far are kept"), "\(result.errors)")
        #expect(!Self.isAlive(trial))
        let record = try RecordText(file: folder + "/record.json")
        #expect(record.isComplete == false && record.scenarioNames == ["decode"], "\(record.warningCodes)")
      }
    }

    /// Else it would play on for its ten minutes, and disturb the next measurement.
    @Test func aTrialWithoutAReaderEnds() throws {
      try Program.withClip { folder, clip in
        let running = try RunningProgram(Self.longRun(clip, "play") + ["--stress", "cpu"], in: folder)
        let trial = try running.trial(1)
        running.kill()
        let hasEnded = Patience.until { !Self.isAlive(trial) }
        #expect(hasEnded)
        if !hasEnded { kill(trial, SIGKILL) }
      }
    }

    @Test func aTrialThatCrashesIsNamed() throws {
      try Program.withClip { folder, clip in
        let running = try RunningProgram(Self.longRun(clip, "decode"), in: folder)
        kill(try running.trial(1), SIGKILL)
        let result = try running.wait()
        result.expectRefusal(saying: ["'decode'", "'\(clip)'", "was killed (signal 9)", "in stage 'decode'", "memory"])
        #expect(!(try names(in: folder)).contains("record.json"))
      }
    }
  }

  @Suite struct TerminalTests {
    private static let escape = "\u{1B}["

    @Test func nothingPipedHoldsEscapeCodes() throws {
      try Program.withClip { folder, clip in
        for format in ["table", "markdown"] {
          let result = try Program.run(
            Program.shortRun(clip) + ["--format", format, "-o", "x.json"], in: folder,
            environment: ["TERM": "xterm-256color"])
          #expect(!result.text.contains("\u{1B}") && !result.errors.contains("\u{1B}"))
          #expect(!result.errors.contains("\r"), "progress belongs on terminals")
        }
      }
    }

    /// `script` gives the program a terminal.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"), "script(1) is not installed"))
    func colourIsForTerminalsThatWantIt() throws {
      try Program.withClip { folder, clip in
        let command = ([TestFolders.program] + Program.shortRun(clip) + ["-o", "x.json"]).joined(separator: " ")
        func onTerminal(_ environment: [String: String]) throws -> String {
          try CommandOutput.of(
            "/usr/bin/script", ["-qec", command, "/dev/null"],
            environment: Program.environment(folder).merging(["TERM": "xterm"]) { $1 }.merging(environment) { $1 },
            folder: folder
          ).text
        }
        let bold = Self.escape + "1m"
        #expect(try onTerminal(["NO_COLOR": ""]).contains(bold))
        let plain = try onTerminal(["NO_COLOR": "1"])
        #expect(plain.contains("ttff_ms") && !plain.contains(bold))
        #expect(!(try onTerminal(["TERM": "dumb", "NO_COLOR": ""])).contains(bold))
      }
    }
  }
}
