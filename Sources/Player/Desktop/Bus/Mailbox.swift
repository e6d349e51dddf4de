internal import CDBus
import Frames
import Glibc
import Synchronization

/// What the player and the thread of the bus leave for each other. Any thread.
final class Mailbox: Sendable {
  private struct Content {
    var state = PlayerState()
    /// A place that clients are to be told of.
    var jump: MediaTime?
    var requests: [PlayerRequest] = []
    var isStopped = false
  }

  private let content = Mutex(Content())
  /// Readable where there is news for the thread; below 0 where the system gives none.
  let news: Int32

  /// Requests that the player has not taken: further ones are refused.
  static let limit = 64

  init() { news = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC)) }

  deinit { if news >= 0 { _ = Glibc.close(news) } }

  private func wake() {
    var one = UInt64(1)
    _ = Glibc.write(news, &one, 8)
  }

  // MARK: The player

  /// - Parameters:
  ///   - jump: the place moved otherwise than by playing.
  func tell(_ state: PlayerState, jump: Bool) {
    let isNews = content.withLock { content in
      // The place alone is read when a client asks.
      var before = content.state
      before.place = state.place
      content.state = state
      if jump { content.jump = state.place }
      return jump || before != state
    }
    if isNews { wake() }
  }

  func takeRequests() -> [PlayerRequest] {
    content.withLock { content in
      defer { content.requests = [] }
      return content.requests
    }
  }

  func stop() {
    content.withLock { $0.isStopped = true }
    wake()
  }

  // MARK: The bus

  var isStopped: Bool { content.withLock { $0.isStopped } }

  /// The state, and the place that clients are to be told of, once.
  func takeNews() -> (state: PlayerState, jump: MediaTime?) {
    var count = UInt64(0)
    _ = Glibc.read(news, &count, 8)
    return content.withLock { content in
      defer { content.jump = nil }
      return (content.state, content.jump)
    }
  }

  var state: PlayerState { content.withLock { $0.state } }

  /// False where too many wait.
  func post(_ request: PlayerRequest) -> Bool {
    content.withLock { content in
      guard content.requests.count < Self.limit else { return false }
      content.requests.append(request)
      return true
    }
  }

  /// Waits for news, at most `seconds`.
  func wait(seconds: Double) {
    var polled = pollfd(fd: news, events: Int16(POLLIN), revents: 0)
    _ = poll(&polled, 1, Int32(saturating: seconds * 1000))
  }
}
