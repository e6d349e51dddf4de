import FoundationEssentials
import Frames

/// A number of another program's run, as `ab --metric` names it: what the system measures of the process, or what a
/// regular expression finds in the output.
public struct CustomMetric: Hashable, Sendable {
  /// Lower-case letters, digits and underscores.
  public let name: String
  /// Empty if none was given.
  public let unit: String
  /// `low` and `high` are judged, `neutral` is shown only.
  public let better: Metric.Polarity
  public let source: Source

  public enum Source: Hashable, Sendable {
    /// Time from the start of the command to its end.
    case wall
    /// Time on processors outside the kernel, of the command and the processes that it waited for.
    case user
    /// Largest resident set of one of these processes.
    case rss
    /// The last match in the output; its first group is the number.
    case pattern(String)
  }

  /// Metrics that need no expression, in the order of the help.
  public static let builtIn = [
    CustomMetric("wall", "ms", .low, .wall), CustomMetric("user", "ms", .low, .user),
    CustomMetric("rss", "MiB", .low, .rss),
  ]

  private init(_ name: String, _ unit: String, _ better: Metric.Polarity, _ source: Source) {
    self.name = name
    self.unit = unit
    self.better = better
    self.source = source
  }

  /// `wall`, or `NAME[:UNIT][:low|:high]=REGEX`. Throws `.usage`, with a sentence about what is wrong with it.
  public init(_ argument: String) throws(Failure) {
    func refusal(_ cause: String, _ remedy: String = "write NAME:UNIT:high=REGEX or NAME:UNIT:low=REGEX") -> Failure {
      Failure(.usage, "cannot use metric '\(argument)'", cause: cause, remedy: remedy)
    }
    guard let equals = argument.firstIndex(of: "=") else {
      guard let known = Self.builtIn.first(where: { $0.name == argument }) else {
        let names = Self.builtIn.map(\.name).joined(separator: ", ")
        throw refusal("it is none of \(names), json, and has no '='")
      }
      self = known
      return
    }
    let words = argument[..<equals].split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    let pattern = String(argument[argument.index(after: equals)...])
    let name = words[0]
    guard name.wholeMatch(of: #/[a-z][a-z0-9_]*/#) != nil else {
      throw refusal("a name begins with a lower-case letter and has lower-case letters, digits and '_' only")
    }
    guard name != "json", !Self.builtIn.contains(where: { $0.name == name }) else {
      throw refusal("'\(name)' is a metric without an expression", "choose another name")
    }
    var suffixes = words.dropFirst()
    let direction = suffixes.last.flatMap(Metric.Polarity.init).flatMap { $0 == .low || $0 == .high ? $0 : nil }
    if direction != nil { suffixes.removeLast() }
    guard suffixes.count <= 1 else { throw refusal("its name has more than a unit and 'low' or 'high' behind it") }
    guard let expression = NumberPattern(pattern) else {
      throw refusal("'\(pattern)' is not a regular expression", "check its brackets; escape them with '\\' if meant")
    }
    guard expression.groups > 0 else {
      throw refusal("its expression has no group", "put parentheses around the number")
    }
    self.init(name, suffixes.first ?? "", direction ?? .neutral, .pattern(pattern))
  }
}
