/// What a mistyped word was meant to be.
enum Suggestion {
  /// The parser's message with the nearest option in it. The parser knows neither `--help` nor letters that changed places, and takes
  /// words that share a letter for near.
  static func corrected(_ message: String) -> String {
    let pattern = #/Unknown option '(?<typed>--[^']+)'(?:\. Did you mean '(?<near>--[^']+)'\?)?/#
    guard let match = message.firstMatch(of: pattern) else { return message }
    let typed = String(match.typed)
    let known = [match.near.map(String.init), "--help", "--version"].compactMap { $0 }
    let suggestion = nearest(to: typed, of: known).map { ". Did you mean '\($0)'?" } ?? ""
    return message.replacing(match.output.0, with: "Unknown option '\(typed)'" + suggestion)
  }

  /// The nearest word, if it is at most two mistakes away, and one where words are short.
  static func nearest(to word: String, of words: [String]) -> String? {
    let near = words.min { ($0.distance(to: word), $0) < ($1.distance(to: word), $1) }
    let letters = word.drop { $0 == "-" }.count
    return near.flatMap { $0.distance(to: word) <= min(2, letters / 2) ? $0 : nil }
  }
}

extension String {
  /// The number of letters to insert, take away, replace, or exchange with their neighbour to get from one word to the
  /// other (optimal string alignment).
  fileprivate func distance(to other: String) -> Int {
    let (a, b) = (Array(self), Array(other.prefix(40)))
    var rows = [Array(Range(from: 0, to: b.count + 1))]
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var best = Swift.min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = Swift.min(best, rows[i - 1][j - 1] + 1) }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
