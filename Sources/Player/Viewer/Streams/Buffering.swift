import Bench360Player
import Frames

/// The notice while the picture stands for want of media. Pure.
package struct Buffering: Sendable {
  private var waiting: Waiting?

  package init() {}

  /// The notice; nil while pictures come, and for as long as a user does not see that they do not.
  ///
  /// - Parameters:
  ///   - isWaiting: the picture stands for want of media.
  ///   - trouble: nil where requests bring what they ask for.
  package mutating func notice(
    isWaiting: Bool, trouble: NetworkTrouble?, at now: MonotonicTime, _ words: Words = .english
  ) -> HUD.Wait? {
    guard isWaiting else {
      waiting = nil
      return nil
    }
    let waiting = waiting ?? Waiting(since: now)
    self.waiting = waiting
    guard waiting.isShown(at: now) else { return nil }
    return HUD.Wait(text: words[trouble.map(Self.text) ?? .word(.buffering)], spin: waiting.spin(at: now))
  }

  private static func text(_ trouble: NetworkTrouble) -> Phrase {
    trouble.kind == .network ? .reconnecting(cause: trouble.cause) : .tryingAgain(cause: trouble.cause)
  }
}
