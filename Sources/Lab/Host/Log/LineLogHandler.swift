import Frames
import Glibc
public import Logging

/// Writes each event as one line: `4711.215034 [Media] debug opened container=matroska process=311`.
///
/// The number is the instant on CLOCK_MONOTONIC in seconds, the clock of traces and of all processes of a run. Texts neither
/// steer a terminal nor hold secrets of URLs; values with white space are quoted; keys are in order.
public struct LineLogHandler: LogHandler {
  public var metadata: Logger.Metadata = [:]
  public var metadataProvider: Logger.MetadataProvider?
  public var logLevel: Logger.Level
  private let label: String
  private let write: @Sendable (String) -> Void

  /// - Parameter write: takes a line with its newline, on the thread that logs; several may at once.
  public init(label: String, level: Logger.Level, write: @escaping @Sendable (String) -> Void) {
    (self.label, logLevel, self.write) = (label, level, write)
  }

  public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  public func log(event: LogEvent) {
    var line = "\(Self.seconds(.now)) [\(label)] \(event.level) \(redactingSecrets(event.message.description))"
    let values = metadata.merging(metadataProvider?.get() ?? [:]) { $1 }.merging(event.metadata ?? [:]) { $1 }
    for (key, value) in values.sorted(by: { $0.key < $1.key }) { line += " \(key)=\(Self.quoted(value.description))" }
    if let error = event.error { line += " error=\(Self.quoted("\(error)"))" }
    write(printable("\(line) process=\(getpid())") + "\n")
  }

  /// With six decimals: `4711.000034`.
  package static func seconds(_ instant: MonotonicTime) -> String {
    let fraction = String(instant.nanoseconds % 1_000_000_000 / 1000)
    return "\(instant.nanoseconds / 1_000_000_000)." + String(repeating: "0", count: 6 - fraction.count) + fraction
  }

  /// One word, for scripts that read lines.
  private static func quoted(_ value: String) -> String {
    let value = redactingSecrets(ofArgument: value)
    guard value.isEmpty || value.contains(where: { $0.isWhitespace || $0 == "\"" }) else { return value }
    return "\"" + value.replacing("\"", with: "'") + "\""
  }
}
