import Foundation
import Glibc

/// Standard output carries the answer, standard error the progress and the warnings.
enum Console {
  static let hasTerminalOutput = isatty(STDOUT_FILENO) == 1
  static let hasTerminalError = isatty(STDERR_FILENO) == 1

  /// Colour belongs on terminals, and not where `NO_COLOR` says otherwise.
  static var usesColor: Bool {
    let environment = ProcessInfo.processInfo.environment
    return hasTerminalOutput && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
  }

  /// Whether the locale's characters are UTF-8, by the first of its variables that is set, as POSIX orders them.
  static var showsUnicode: Bool {
    let environment = ProcessInfo.processInfo.environment
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    return locale.lowercased().replacingOccurrences(of: "-", with: "").contains("utf8")
  }

  /// Ends the program when nobody reads any more (`bench360 probe … | head -3`): there is nobody left to tell.
  static func print(_ text: String, terminator: String = "\n") {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data((text + terminator).utf8))
    } catch {
      exit(1)
    }
  }

  static func error(_ message: String) {
    clearProgress()
    report("bench360: \(message)\n")
  }

  static func note(_ text: String) {
    clearProgress()
    report(text + "\n")
  }

  /// One line that replaces itself; nothing when standard error is not a terminal.
  static func progress(_ text: String, _ fraction: Double) {
    guard hasTerminalError else { return }
    let cells = 24
    let full = Int((fraction * Double(cells)).rounded())
    let bar = String(repeating: "█", count: full) + String(repeating: "░", count: cells - full)
    let line = "\(bar) \(Int(fraction * 100)) %  \(text)".prefix(100)
    report("\r\u{1B}[K\(line)")
  }

  static func clearProgress() {
    guard hasTerminalError else { return }
    report("\r\u{1B}[K")
  }

  private static func report(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}
