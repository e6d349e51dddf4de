import FoundationEssentials

/// Runs made in one go on one machine: records that share a session can be compared without regard to other changes.
package enum MeasuringSession {
  /// The variable through which `ab` tells its runs that they belong together.
  package static let variable = "BENCH360_SESSION"

  /// The session that this process belongs to: the one it was told of, or its own.
  package static let current = inherited ?? make()

  /// Set by the parent process, which then has warmed the machine up as well.
  package static var inherited: String? {
    ProcessInfo.processInfo.environment[variable].flatMap { $0.isEmpty ? nil : $0 }
  }

  package static func make() -> String { UUID().uuidString.lowercased() }
}
