import ArgumentParser
import Run

/// The child process in which `run` and `view` open a clip, so that opening can be killed. Internal.
struct OpeningCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "opening", abstract: "Open a clip and print its properties.", shouldDisplay: false)

  func run() throws {
    OpeningProcess.serve()
  }
}
