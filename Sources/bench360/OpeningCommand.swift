import ArgumentParser
import Run

/// What `run` and `view` start to open a clip where opening can be ended. Not for people.
struct OpeningCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "opening", abstract: "Open a clip and tell what it is.", shouldDisplay: false)

  func run() throws {
    OpeningProcess.serve()
  }
}
