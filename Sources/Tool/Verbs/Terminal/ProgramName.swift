import FoundationEssentials
import Glibc
import Run

/// How a user types this program in a shell.
enum ProgramName {
  private static let name = "bench360"

  /// A word of a shell: `bench360`, if `PATH` leads to this program by that name; else what it was started by.
  static var shown: String {
    shown(startedAs: CommandLine.arguments.first ?? name, path: ProcessInfo.processInfo.environment["PATH"] ?? "") {
      areSame($0, "/proc/self/exe")
    }
  }

  /// - Parameters:
  ///   - started: the first argument of the process. Without a slash the shell has found it on `PATH`.
  ///   - path: the variable.
  ///   - isThis: whether a file is this program.
  private static func shown(startedAs started: String, path: String, isThis: (String) -> Bool) -> String {
    let first = path.split(separator: ":", omittingEmptySubsequences: false)
      .map { ($0.isEmpty ? "." : $0) + "/" + name }.first { access($0, X_OK) == 0 }
    if let first, isThis(first) { return name }
    return started.isEmpty ? name : shellQuoted(started)
  }

  private static func areSame(_ one: String, _ other: String) -> Bool {
    var (first, second) = (stat(), stat())
    return stat(one, &first) == 0 && stat(other, &second) == 0 && first.st_dev == second.st_dev
      && first.st_ino == second.st_ino
  }
}
