import ArgumentParser
import FoundationEssentials

/// A verb with more options than a screen holds. `--help` lists those of daily use; `--help-all` and the manual list all.
protocol HasDailyHelp: Verb {
  /// The groups of the screen: a title, and the options by long name, each with a text that fits on its line.
  static var dailyOptions: [(title: String, options: KeyValuePairs<String, String>)] { get }
  /// The paragraphs behind the options, without the exit codes.
  static var dailyNotes: String { get }
}

/// The option of verbs that have a daily help. It never reaches them: `Invocation.wholeHelp` is looked at first.
struct WholeHelpOption: ParsableArguments {
  @Flag(help: "List all options.")
  var helpAll = false
}

/// A verb's help for the terminal: an example first, then how to call it, its options, and the rest.
///
/// The first paragraph of a verb's `discussion` is its example, indented; the other paragraphs follow the options. Lines
/// that do not fit continue below the column where their text began.
struct HelpText {
  private var sections: String

  /// The options of daily use, where the verb names them; else all.
  init(daily verb: any ParsableCommand.Type) {
    self.init(verb)
    guard let daily = verb as? any HasDailyHelp.Type else { return }
    let (head, labels) = Self.split(sections)
    func row(_ name: String, _ text: String) -> String {
      let label = "  " + (labels[name] ?? "--" + name)
      let gap = Self.textColumn - label.count
      return label
        + (gap > 0 ? String(repeating: " ", count: gap) : "\n" + String(repeating: " ", count: Self.textColumn)) + text
    }
    func group(_ title: String, _ options: KeyValuePairs<String, String>) -> String {
      ([title.uppercased() + ":"] + options.map(row)).joined(separator: "\n")
    }
    let codes = verb.configuration.discussion.components(separatedBy: "\n\n").last ?? ""
    let more: KeyValuePairs = [
      "verbose": "Print more, and log what is done.", "help": "Show this page.",
      "help-all": "List all \(labels.count) options.",
    ]
    let groups = daily.dailyOptions.map(group) + [group("Options", more)]
    sections = ([head] + groups + ["NOTES:\n" + daily.dailyNotes, codes]).joined(separator: "\n\n")
  }

  /// The text before the options, and the label of each option by its long name: `-o, --output <file>`.
  private static func split(_ text: String) -> (head: String, labels: [String: String]) {
    var (head, labels): ([Substring], [String: String]) = ([], [:])
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if let match = line.prefixMatch(of: #/  (?<label>(?:-[a-z], )?--(?<name>[a-z0-9-]+)(?: <[^>]*>)?)/#) {
        labels[String(match.name)] = String(match.label)
      } else if labels.isEmpty {
        head.append(line)
      }
    }
    // Its last line is the title of the first group.
    return (head.dropLast().joined(separator: "\n").trimmingSuffix(while: \.isNewline), labels)
  }

  /// All options.
  ///
  /// - Parameter verb: the command whose help it is, the root for the program's own.
  init(_ verb: any ParsableCommand.Type) {
    // Wide enough that the parser wraps no line.
    let text = Bench360.helpMessage(for: verb, columns: 100_000)
    let discussion = verb.configuration.discussion
    guard let end = discussion.firstRange(of: "\n\n"), let place = text.firstRange(of: discussion) else {
      sections = text
      return
    }
    let example = discussion[..<end.lowerBound]
    let rest = discussion[end.upperBound...]
    var short = text
    short.replaceSubrange(place, with: example)
    sections = short.trimmingSuffix(while: \.isNewline) + "\n\nNOTES:\n" + rest
  }

  func wrapped(to columns: Int) -> String {
    sections.split(separator: "\n", omittingEmptySubsequences: false)
      .map { Self.wrapped(String($0), to: columns) }.joined(separator: "\n")
  }

  /// Where the parser begins the texts of options.
  private static let textColumn = 26

  /// The column where the text of a line begins: behind the last wide gap that leaves it half of the width.
  private static func indent(of line: String, columns: Int) -> Int {
    let leading = line.prefix { $0 == " " }.count
    // A label that just fills its column has one space behind it.
    let (last, first) = (line.dropFirst(textColumn - 1).first, line.dropFirst(textColumn).first)
    let fills = leading == 2 && last == " " && first != " " && !line.prefix(textColumn - 1).dropFirst(2).contains("  ")
    if fills, line.dropFirst(2).first == "-", textColumn <= columns / 2 { return textColumn }
    guard let label = line.dropFirst(leading).firstRange(of: "  ") else { return min(leading, columns / 2) }
    let text = line[label.lowerBound...].firstIndex { $0 != " " } ?? line.endIndex
    let column = line.distance(from: line.startIndex, to: text)
    return column <= columns / 2 ? column : min(leading, columns / 2)
  }

  private static func wrapped(_ line: String, to columns: Int) -> String {
    guard line.count > columns else { return line }
    let indent = indent(of: line, columns: columns)
    var lines: [String] = []
    var current = String(line.prefix(indent))
    var isEmpty = true
    for word in line.dropFirst(indent).split(separator: " ", omittingEmptySubsequences: false) {
      if !isEmpty, current.count + 1 + word.count > columns {
        lines.append(current.trimmingSuffix { $0 == " " })
        current = String(repeating: " ", count: indent)
        isEmpty = true
      }
      if isEmpty, word.isEmpty { continue }
      current += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    return (lines + [current]).joined(separator: "\n")
  }
}

extension String {
  fileprivate func trimmingSuffix(while isLeftOut: (Character) -> Bool) -> String {
    String(reversed().drop(while: isLeftOut).reversed())
  }
}
