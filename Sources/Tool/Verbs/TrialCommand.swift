import ArgumentParser
import Frames
import Run

/// The child process that `run` starts for every trial. Internal.
struct TrialCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trial", abstract: "Measure once, in this process.", shouldDisplay: false)

  @Option(help: "CLOCK_MONOTONIC in nanoseconds just before this process was spawned.")
  var spawned: Int64?

  func run() throws {
    TrialMain.run(spawned: spawned.map { MonotonicTime(nanoseconds: $0) })
  }
}
