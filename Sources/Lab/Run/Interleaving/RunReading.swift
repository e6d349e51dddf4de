import FoundationEssentials
import Frames
import Host
import Verdict

/// What the commands of an `ab` leave behind, and how it is compared: bench360's records (`RecordRuns`), or the numbers of
/// any program (`CustomRuns`).
package protocol RunReading {
  /// What one run measured.
  associatedtype Reading

  /// Whether standard output is kept; it is thrown away otherwise.
  var readsOutput: Bool { get }
  /// What to do about a command that fails.
  var remedy: String { get }

  /// The command as the shell runs it. `output` is a path where no file is yet.
  func line(_ command: String, output: String) -> String
  /// Variables that its processes find.
  func environment(output: String) -> [String: String]
  /// Whether a run that ends with this status has a reading.
  func isFine(status: Int32) -> Bool
  /// Throws if the run left less than it was to.
  func read(_ run: EndedRun) throws(Failure) -> Reading
  /// The readings of whole blocks.
  func compare(
    _ blocks: [(base: [Reading], head: [Reading])], names: (base: String, head: String), options: ComparisonOptions
  ) throws(Failure) -> Comparison
}

/// A run that ended as it should.
package struct EndedRun {
  /// `run 3 of base`
  var place: String
  var command: ComparedCommand
  var ended: ShellProcess.Ended
  var usage: ShellProcess.Usage
  /// The path that `RunReading.line` was given.
  var output: String
  var logs: ShellProcess.Logs
}

/// The command of one side, and the variables that it alone is given.
package struct ComparedCommand: Hashable, Sendable {
  let line: String
  /// Name → value; an empty value takes the variable away.
  let environment: [String: String]

  package init(_ line: String, environment: [String: String] = [:]) {
    // A trailing newline, as in a YAML block, would make '--output' a command of its own.
    self.line = line.trimmed
    self.environment = environment
  }

  /// The variables of the two sides, if there are any.
  func difference(from head: ComparedCommand) -> Comparison.Difference? {
    guard !environment.isEmpty || !head.environment.isEmpty else { return nil }
    func text(_ variables: [String: String]) -> String {
      let pairs = variables.sorted { $0.key < $1.key }.map { "\($0.key)=\(redactingSecrets($0.value))" }
      return pairs.isEmpty ? "as it is" : pairs.joined(separator: " ")
    }
    return Comparison.Difference(field: "environment", base: text(environment), head: text(head.environment))
  }
}
