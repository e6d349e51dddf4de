import Frames

/// When the window says that the network is lost, and that it is back. Pure.
package struct NetworkNotices: Sendable {
  private var since: MonotonicTime?
  /// The network was said to be lost.
  package private(set) var isLost = false

  /// Requests that fail for a shorter time, in seconds, are made again unnoticed.
  package static let patience = 1.5

  package init() {}

  /// What to say at this refresh; nil: nothing.
  ///
  /// - Parameters:
  ///   - trouble: why the last request failed; nil where servers answer.
  ///   - ahead: media that is loaded and plays on, in seconds.
  package mutating func notice(trouble: String?, ahead: Double, at now: MonotonicTime) -> String? {
    guard let trouble else {
      defer { (since, isLost) = (nil, false) }
      return isLost ? "The network is back" : nil
    }
    let began = since ?? now
    since = began
    guard !isLost, now.seconds(since: began) >= Self.patience else { return nil }
    isLost = true
    let rest = ahead >= 1 ? ": \(Int(ahead)) s are loaded ahead" : ""
    return "The network is lost (\(trouble))\(rest)"
  }
}
