import Synchronization

/// The validation layer's messages. Any thread may read or write.
public final class ValidationLog: Sendable {
  private let lines = Mutex<[String]>([])

  /// A broken program repeats itself every frame; this many are enough to mend it.
  private static let limit = 100

  public var messages: [String] { lines.withLock { $0 } }

  func append(_ message: String) {
    lines.withLock { if $0.count < Self.limit { $0.append(message) } }
  }
}
