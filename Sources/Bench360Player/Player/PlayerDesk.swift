import Dispatch
import Frames
import Glibc
import Media
import Playback
import Render
import Synchronization

/// What a player's callers and its thread exchange: orders one way, state and events the other. Any thread.
final class PlayerDesk: Sendable {
  /// What a caller wants, to be done by the player's thread between two refreshes.
  enum Order: Sendable {
    case play
    case pause
    case rate(Double)
    case loops(Bool)
    case seek(SeekRequest, id: Int)
    case step(Int)
    case image(SeekRequest, id: Int)
    case look(LookEvent, in: PictureSize?)
    case sound(track: Int)
    case subtitles(track: Int?)
    case quality(Int?)
    case geometry(Projection?, StereoLayout?)
    case goLive
    case resize(width: Int, height: Int)
  }

  /// A clip to be opened, or opened again.
  struct Task: Sendable {
    var path: String
    var start: MediaTime
    var plays: Bool
    let interruption = Interruption()
  }

  struct Volume: Sendable, Equatable {
    var level: Double
    var isMuted = false
  }

  private struct Shared {
    var orders: [Order] = []
    /// The clip that is to be shown; nil: none.
    var task: Task?
    /// The thread has not begun with it.
    var isNew = false
    var isDetached = true
    var volume: Volume
    var overlay: Player.Overlay?
    var metadata: Player.Metadata
    var redraws = false
    var state = Player.State()
  }

  let listeners = PlayerListeners()
  let answers = PlayerAnswers()
  private let shared: Mutex<Shared>
  private let runner = Atomic<UInt>(0)
  /// Rung for a thread that waits for a clip.
  private let bell = DispatchSemaphore(value: 0)

  init(_ options: Player.Options) {
    shared = Mutex(Shared(volume: Volume(level: options.volume), metadata: options.metadata))
  }

  // MARK: - Callers

  var state: Player.State { shared.withLock { $0.state } }

  var volume: Volume {
    get { shared.withLock { $0.volume } }
    set {
      shared.withLock { $0.volume = newValue }
      publish { _ in }
    }
  }

  var overlay: Player.Overlay? {
    get { shared.withLock { $0.overlay } }
    set {
      shared.withLock { ($0.overlay, $0.redraws) = (newValue, true) }
    }
  }

  var metadata: Player.Metadata {
    get { shared.withLock { $0.metadata } }
    set { shared.withLock { $0.metadata = newValue } }
  }

  var hasClip: Bool { shared.withLock { $0.task != nil } }

  func redraw() { shared.withLock { $0.redraws = true } }

  /// Another clip, or none, in place of the one that is shown: that is given up at once.
  func put(_ task: Task?) {
    let before = shared.withLock { shared in
      defer { (shared.task, shared.isNew, shared.orders) = (task, true, []) }
      return shared.task
    }
    before?.interruption.request()
    answers.giveUp()
    bell.signal()
  }

  /// Orders that no clip can carry out any more are forgotten with it.
  func put(_ order: Order) {
    let superseded = shared.withLock { shared in
      var earlier: [Int] = []
      // Of the places that a hand drags through only the last one is looked at.
      if case .seek = order {
        shared.orders.removeAll {
          guard case .seek(_, let id) = $0 else { return false }
          earlier.append(id)
          return true
        }
      }
      shared.orders.append(order)
      return earlier
    }
    for id in superseded { answers.answer(id, .superseded) }
  }

  /// The thread that shows the clip is to end, or one is about to begin.
  func detach(_ isDetached: Bool) {
    let task = shared.withLock { shared in
      shared.isDetached = isDetached
      return isDetached ? shared.task : nil
    }
    task?.interruption.request()
    if isDetached { answers.giveUp() }
    bell.signal()
  }

  // MARK: - The player's thread

  /// The caller is the player's thread from now on, until `leave`.
  func enter() { runner.store(UInt(pthread_self()), ordering: .relaxed) }
  func leave() { runner.store(0, ordering: .relaxed) }
  var isPlayersThread: Bool { runner.load(ordering: .relaxed) == UInt(pthread_self()) }

  /// Waits for a clip to show; nil: the thread is to end. Meanwhile the state stays what it was, but for a clip that was closed.
  func nextTask() -> Task? {
    while true {
      let (ends, isNew, task) = shared.withLock { shared in
        defer { if !shared.isDetached { shared.isNew = false } }
        return (shared.isDetached, shared.isNew, shared.task)
      }
      if ends { return nil }
      if isNew, let task { return task }
      if isNew { publish { $0 = Player.State() } }
      bell.wait()
    }
  }

  /// The clip that is shown is to be left.
  var isOver: Bool { shared.withLock { $0.isDetached || $0.isNew } }

  /// The clip that was shown is shown again by the next thread, from where it was left.
  func keep(_ task: Task, at place: MediaTime, plays: Bool) {
    shared.withLock { shared in
      guard shared.isDetached, !shared.isNew, shared.task != nil else { return }
      (shared.task, shared.isNew) = (Task(path: task.path, start: place, plays: plays), true)
    }
  }

  func takeOrders() -> [Order] {
    shared.withLock { shared in
      guard !shared.orders.isEmpty else { return [] }
      defer { shared.orders.removeAll(keepingCapacity: true) }
      return shared.orders
    }
  }

  func takeRedraws() -> Bool {
    shared.withLock { shared in
      defer { shared.redraws = false }
      return shared.redraws
    }
  }

  /// Changes the state, and tells who listens if it is another one then.
  func publish(_ change: (inout Player.State) -> Void) {
    let (before, after) = shared.withLock { shared in
      let before = shared.state
      change(&shared.state)
      (shared.state.sound.volume, shared.state.sound.isMuted) = (shared.volume.level, shared.volume.isMuted)
      return (before, shared.state)
    }
    guard before != after else { return }
    listeners.tell(before, after)
  }
}
