import ArgumentParser
import Decode
import FoundationEssentials
import Frames
import Glibc
import Host
import Logging
import Media
import Run
import Verdict

/// The command line of the program: its verbs, and what all of them do at the start and at the end.
package struct Bench360: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "bench360",
    abstract: "Measures how well this machine turns compressed video, flat or 360°, into pixels on time.",
    discussion: """
        bench360 clip.mp4              shows the clip in a window; without a display, measures it
        bench360 run clip.mp4          measures, answers in a sentence, and keeps a record
        bench360 report record.json    writes a page with charts
        bench360 doctor                lists what on this machine spoils numbers, and what helps

      Each verb has an example and its exit codes in its help. 64 is a usage error for all of them.
      """,
    version: version,
    subcommands: [
      RunCommand.self, ObserveCommand.self, ABCommand.self, CompareCommand.self, MergeCommand.self, ReportCommand.self,
      HistoryCommand.self,
      ExportCommand.self,
      AbrCommand.self,
      ViewCommand.self, SnapshotCommand.self, ThumbnailsCommand.self, ProbeCommand.self,
      DevicesCommand.self, DoctorCommand.self, GenerateCommand.self, ServeCommand.self, DownloadCommand.self,
      DownloadsCommand.self,
      TrialCommand.self,
      OpeningCommand.self,
      PictureCommand.self,
    ])

  private static var version: String {
    "bench360 \(BuildInfo.version) (\(BuildInfo.record.commit.prefix(12))\(BuildInfo.record.dirty == true ? ", modified" : ""))"
  }

  package init() {}

  /// Why the parser refuses a command line, which is not run; nil where it does not. Help and the version are not refused.
  ///
  /// - Parameter words: without the program's name.
  package static func refusal(of words: [String], environment: [String: String]) -> String? {
    do {
      _ = try parseAsRoot(Invocation(words: words, environment: environment).completed())
      return nil
    } catch {
      return exitCode(for: error).isSuccess ? nil : fullMessage(for: error)
    }
  }

  /// Runs the program's command line. Every verb ends here: messages on standard error, the documented exit code.
  package static func main() {
    FreedMemory.returnsLargeBlocks()
    Interruption.prepareToStopEverything()
    Interrupt.install(stopping: { Interruption.stopEverything() })
    let words = Array(CommandLine.arguments.dropFirst())
    do {
      let invocation = Invocation(words: words, environment: ProcessInfo.processInfo.environment)
      if let verb = invocation.wholeHelp { exit(withWholeHelpOf: verb) }
      var command = try parseAsRoot(invocation.completed())
      try command.startLog()
      watch(command)
      try command.run()
      programLog.debug("ended")
    } catch let failure as Failure {
      logEnd("\(failure.kind)")
      Console.error(failure.description)
      end(flushing: ExitStatus(after: failure, isInterrupted: Interrupt.isRequested).rawValue)
    } catch let code as ExitStatus {
      logEnd("\(code)")
      end(flushing: code.rawValue)
    } catch {
      exit(withError: error, words: words)
    }
  }

  /// Children report to their parents; the viewer continues with other clips for as long as it can.
  private static func watch(_ command: ParsableCommand) {
    guard !(command is TrialCommand), !(command is OpeningCommand) else { return }
    let endsOverdueCalls = !(command is ViewCommand)
    Watchdog.start(
      wait: { MediaWatch.waitForCalls(endsOverdueCalls: endsOverdueCalls) },
      overdue: { MediaWatch.overdue(endsOverdueCalls: endsOverdueCalls) }
    ) {
      Console.error($0.description)
    }
  }

  private static func logEnd(_ kind: String) {
    if let signal = Interrupt.signal { programLog.notice("interrupted", metadata: ["signal": "\(signal)"]) }
    programLog.debug("ends early", metadata: ["kind": "\(kind)"])
  }

  private static func end(flushing status: Int32) -> Never {
    fflush(nil)
    // Exit handlers of unloaded drivers must not run.
    Glibc._exit(status)
  }
}
