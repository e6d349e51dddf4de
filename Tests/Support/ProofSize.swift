import Foundation

/// How much a proof does: little in each run of the tests, and as much as an environment variable says for a command below
/// `Benchmarks`.
public enum ProofSize {
  /// The number that the variable holds; `usual` where it is not set.
  public static func count(_ name: String, usual: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? usual
  }

  /// Whether a command below `Benchmarks` runs the proof, alone in this process.
  public static func isSet(_ name: String) -> Bool { ProcessInfo.processInfo.environment[name] != nil }
}
