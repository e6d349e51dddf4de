import ArgumentParser
import Glibc

extension Bench360 {
  /// Ends the program with what the parser of arguments has to say: help and scripts on standard output, where a failed write
  /// is told; mistakes on standard error, without what could steer the terminal and without secrets of URLs.
  ///
  /// Takes the place of ArgumentParser's own, which leaves both out.
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
