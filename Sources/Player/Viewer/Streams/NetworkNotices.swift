import Bench360Player
import Frames

/// When the window says that nothing is loaded, and that loading goes on. Pure.
package struct NetworkNotices: Sendable {
  private var since: (kind: NetworkTrouble.Kind, time: MonotonicTime)?
  /// The trouble that the window has named.
  package private(set) var said: NetworkTrouble.Kind?

  /// Requests that fail for a shorter time, in seconds, are made again unnoticed.
  package static let patience = 1.5

  package init() {}

  /// What to say at this refresh; nil: nothing.
  ///
  /// - Parameters:
  ///   - trouble: nil where requests bring what they ask for.
  ///   - ahead: media that is loaded and plays on, in seconds.
  package mutating func notice(
    trouble: NetworkTrouble?, ahead: Double, at now: MonotonicTime, _ words: Words = .english
  ) -> String? {
    guard let trouble else {
      defer { (since, said) = (nil, nil) }
      return said.map { words[$0 == .network ? .networkIsBack : .loadingGoesOn] }
    }
    let began = since.flatMap { $0.kind == trouble.kind ? $0.time : nil } ?? now
    since = (trouble.kind, began)
    guard said != trouble.kind, now.seconds(since: began) >= Self.patience else { return nil }
    said = trouble.kind
    let (cause, ahead) = (trouble.cause, ahead >= 1 ? Int(ahead) : nil)
    return words[
      trouble.kind == .network ? .networkLost(cause: cause, ahead: ahead) : .loadingFails(cause: cause, ahead: ahead)]
  }
}
