import Frames

/// A regular expression that finds a number in the output of a program. `^` and `$` match at lines.
struct NumberPattern {
  private let expression: Regex<AnyRegexOutput>
  /// How many groups it has.
  let groups: Int

  /// Nil for what is no regular expression.
  init?(_ pattern: String) {
    func made(_ pattern: String) -> Regex<AnyRegexOutput>? {
      (try? Regex(pattern))?.matchingSemantics(.unicodeScalar).anchorsMatchLineEndings()
    }
    // The same or nothing: it matches anything, so that the groups of the match can be counted.
    guard let expression = made(pattern), let match = try? made("(?:\(pattern)\n)|")?.firstMatch(in: "") else {
      return nil
    }
    (self.expression, groups) = (expression, match.output.count - 1)
  }

  /// The first group of the last match. A progress line that is written over ends at its carriage return.
  func lastMatch(in text: String) -> String? {
    let lines = text.replacing("\r", with: "\n")
    guard let group = lines.matches(of: expression).last?.output[1].substring else { return nil }
    return group.trimmed
  }
}
