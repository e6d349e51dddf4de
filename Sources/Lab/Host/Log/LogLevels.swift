import Frames
public import Logging

/// How much is logged: a level for all loggers, and others for some of them; nothing by default.
///
/// Written as `debug`, as `GPU=trace`, or as `info,Media=debug,GPU=trace`: what stands last counts.
public struct LogLevels: Hashable, Sendable, CustomStringConvertible {
  /// Of loggers that are not named; nil: they are silent.
  public var all: Logger.Level?
  public var named: [String: Logger.Level] = [:]

  /// The variable that asks for it, by which child processes are told as well.
  public static let variable = "BENCH360_LOG"

  /// The loggers that there are: modules, and the libraries whose lines are handed on.
  public static let labels = [
    "FFmpeg", "Vulkan", "HTTP", "Media", "Streaming", "Decode", "GPU", "Sound", "Desktop", "Session", "Host", "Run",
    "bench360",
  ]

  /// Silent.
  public init() {}

  /// Throws `.usage`, naming levels or loggers, where `text` is anything else.
  public init(_ text: String) throws(Failure) {
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { $0.trimmed }
      guard let level = sides.last.flatMap({ Logger.Level(rawValue: $0.lowercased()) }) else {
        throw Self.refusal(
          "'\(sides.last ?? "")' is no level",
          remedy: "levels are \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      guard sides.count == 2 else {
        all = level
        continue
      }
      guard Self.labels.contains(sides[0]) else {
        throw Self.refusal(
          "there is no logger '\(sides[0])'", remedy: "there are \(Self.labels.joined(separator: ", "))")
      }
      named[sides[0]] = level
    }
  }

  private static func refusal(_ cause: String, remedy: String) -> Failure {
    Failure(.usage, "cannot log as \(variable) asks", cause: cause, remedy: remedy)
  }

  /// What the environment asks for; an empty variable asks for nothing. Throws as `init(_:)` does.
  public static func asked(by environment: [String: String]) throws(Failure) -> LogLevels {
    guard let text = environment[variable], !text.isEmpty else { return LogLevels() }
    return try LogLevels(text)
  }

  /// With lines of at least `level` from every logger.
  public func including(_ level: Logger.Level) -> LogLevels {
    var levels = self
    levels.all = min(all ?? level, level)
    levels.named = named.mapValues { min($0, level) }
    return levels
  }

  /// Nil: it is silent.
  public func level(of label: String) -> Logger.Level? { named[label] ?? all }

  public var isSilent: Bool { all == nil && named.isEmpty }

  public var description: String {
    let names = named.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    return ((all.map { [$0.rawValue] } ?? []) + names).joined(separator: ",")
  }
}
