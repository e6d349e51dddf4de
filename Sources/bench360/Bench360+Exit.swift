import ArgumentParser
import Glibc

extension Bench360 {
  /// Ends the program with the argument parser's output: help and scripts on standard output, where a failed write
  /// is reported; mistakes on standard error, without terminal escape sequences and without secrets of URLs.
  ///
  /// Replaces ArgumentParser's own function, which does neither.
  static func exit(withError error: any Error) -> Never {
    let text = fullMessage(for: error)
    let code = exitCode(for: error)
    if !text.isEmpty {
      do {
        if code.isSuccess { try Console.put(text + "\n") } else { Console.message(text) }
      } catch {
        Console.end(error)
      }
    }
    Glibc.exit(code.rawValue)
  }
}
