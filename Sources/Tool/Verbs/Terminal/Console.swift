import FoundationEssentials
import Frames
import Glibc
import Verdict

/// Standard output carries the answer, standard error the progress and the warnings.
///
/// Texts never steer the terminal (`printable`), and standard error holds no secrets of
/// URLs (`redactingSecrets`). The caller makes names in lines printable first: newlines are kept here.
enum Console {
  static let hasTerminalOutput = isatty(STDOUT_FILENO) == 1
  static let hasTerminalError = isatty(STDERR_FILENO) == 1

  /// Colour is for terminals, unless `NO_COLOR` is set.
  static var usesColor: Bool {
    let environment = ProcessInfo.processInfo.environment
    return hasTerminalOutput && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
  }

  /// The width of standard output: the terminal's, else 80.
  static var columns: Int {
    var size = winsize()
    guard hasTerminalOutput, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col >= 40 else { return 80 }
    return min(Int(size.ws_col), 100)
  }

  /// Whether the locale's character set is UTF-8, by the first of its variables that is set, as POSIX orders them.
  static var showsUnicode: Bool {
    let environment = ProcessInfo.processInfo.environment
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    return locale.lowercased().replacing("-", with: "").contains("utf8")
  }

  /// Whether an environment names a display to open windows on.
  static func hasDisplay(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> Bool {
    ["DISPLAY", "WAYLAND_DISPLAY"].contains { !(environment[$0] ?? "").isEmpty }
  }

  /// Ends the program with 1 if standard output cannot be written: silently if its reader has exited
  /// (`bench360 probe … | head -3`), else with one sentence.
  static func print(_ text: String, terminator: String = "\n") {
    do {
      try write(text + terminator)
    } catch {
      end(error)
    }
  }

  /// Ends the program after an error of `write` or `put`.
  static func end(_ error: any Error) -> Never {
    if let failure = error as? Failure { Console.error(failure.description) }
    Glibc._exit(ExitStatus.failure.rawValue)
  }

  /// Writes the whole text to standard output; newlines are kept, and colours if they are in use.
  ///
  /// Throws a `Failure` with the reason of a failed write, or `ExitStatus.failure` if its reader has exited.
  static func write(_ text: String) throws {
    try put(usesColor ? keepingColors(text) : printable(text, keepsLines: true))
  }

  /// Writes one of the program's own texts, such as a completion script, unchanged. Throws as `write(_:)` does.
  static func put(_ text: String) throws {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count >= 0 {
        bytes = bytes.dropFirst(count)
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        poll(&output, 1, -1)
      case EPIPE: throw ExitStatus.failure
      case let code:
        throw Failure(
          .output, "cannot write standard output", cause: String(cString: strerror(code)).lowercased(),
          remedy: "the answer is not complete: make room, or send it elsewhere")
      }
    }
  }

  static func error(_ message: String) {
    clearProgress()
    report("bench360: \(printable(redactingSecrets(message)))\n")
  }

  static func note(_ text: String) {
    clearProgress()
    report(printable(redactingSecrets(text)) + "\n")
  }

  /// Writes a line of the log, printable and without secrets already, in one write, beside child processes' logs.
  static func log(_ line: String) {
    clearProgress()
    report(line)
  }

  /// A message in lines, as the argument parser has it.
  static func message(_ text: String) { report(printable(redactingSecrets(text), keepsLines: true) + "\n") }

  /// One line that replaces itself; no output if standard error is not a terminal.
  static func progress(_ text: String, _ fraction: Double) {
    guard hasTerminalError else { return }
    let cells = 24
    let full = Int((fraction * Double(cells)).rounded())
    let bar = String(repeating: "█", count: full) + String(repeating: "░", count: cells - full)
    let line = "\(bar) \(Int(fraction * 100)) %  \(printable(redactingSecrets(text)))".prefix(100)
    report("\r\u{1B}[K\(line)")
  }

  static func clearProgress() {
    guard hasTerminalError else { return }
    report("\r\u{1B}[K")
  }

  /// Only the colours of `TerminalStyle` pass as escape sequences.
  private static func keepingColors(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let color = rest.firstMatch(of: /\u{1B}\[[0-9]{1,2}m/) {
      result += printable(String(rest[..<color.range.lowerBound]), keepsLines: true) + color.output
      rest = rest[color.range.upperBound...]
    }
    return result + printable(String(rest), keepsLines: true)
  }

  private static func report(_ text: String) {
    try? OpenFile.standardError.write(text.utf8)
  }
}
