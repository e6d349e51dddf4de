import Frames
import Synchronization

/// Callers that wait for the end of a seek, or for a picture. Any thread.
final class PlayerAnswers: Sendable {
  typealias ImageResult = Result<PlayerImage, Failure>

  private enum Waiting {
    case seek(CheckedContinuation<Player.SeekOutcome, Never>)
    case image(CheckedContinuation<ImageResult, Never>)
  }

  private struct Shared {
    var last = 0
    var waiting: [Int: Waiting] = [:]
  }

  private let shared = Mutex(Shared())

  /// The number of another order.
  func number() -> Int {
    shared.withLock {
      $0.last += 1
      return $0.last
    }
  }

  func wait(_ id: Int, _ caller: CheckedContinuation<Player.SeekOutcome, Never>) {
    shared.withLock { $0.waiting[id] = .seek(caller) }
  }

  func wait(_ id: Int, _ caller: CheckedContinuation<ImageResult, Never>) {
    shared.withLock { $0.waiting[id] = .image(caller) }
  }

  func answer(_ id: Int, _ outcome: Player.SeekOutcome) {
    guard case .seek(let caller) = take(id) else { return }
    caller.resume(returning: outcome)
  }

  func answer(_ id: Int, _ image: ImageResult) {
    guard case .image(let caller) = take(id) else { return }
    caller.resume(returning: image)
  }

  /// No one is answered any more: the clip is left, or has failed.
  func giveUp(_ failure: Failure? = nil) {
    let waiting = shared.withLock { shared in
      defer { shared.waiting = [:] }
      return shared.waiting.values
    }
    for caller in waiting {
      switch caller {
      case .seek(let caller): caller.resume(returning: failure == nil ? .superseded : .missed)
      case .image(let caller): caller.resume(returning: .failure(failure ?? Self.left))
      }
    }
  }

  private static let left = Failure(
    .cancelled, "cannot take a picture", cause: "the clip was left", remedy: "load it again")

  private func take(_ id: Int) -> Waiting? { shared.withLock { $0.waiting.removeValue(forKey: id) } }
}
