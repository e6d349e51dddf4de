import Frames
import Glibc
import Media
import Playback
import Render
import Streaming
import Synchronization

/// What a player's callers and its thread exchange: orders one way, state and events the other. Any thread.
final class PlayerDesk: Sendable {
  /// What a caller wants, to be done by the player's thread between two refreshes.
  enum Order: Sendable {
    case play
    case pause
    case seek(SeekRequest, id: Int)
    case step(Int)
    case image(SeekRequest, id: Int)
    case look(LookEvent, in: PictureSize?)
    case sound(track: Int)
    case subtitles(track: Int?)
    case quality(Int?)
    case geometry(Projection?, StereoLayout?)
    case goLive
    case skipAd
    /// To the next clip of the queue.
    case next
  }

  /// A clip to be opened, or opened again.
  struct Task: Sendable {
    var item: Player.Item
    var start: MediaTime
    var plays: Bool
    /// It was in the queue.
    var isQueued = false
    /// Of its opening, where that has begun.
    var interruption = Interruption()
    var path: String { item.path }

    /// The same, to be opened once more.
    var again: Task { Task(item: item, start: start, plays: plays) }
  }

  /// What a caller wants of all clips, and of a clip that is opened again: it stays until it is set anew.
  struct Wishes: Sendable, Equatable {
    /// 0 … 1.
    var volume: Double
    var isMuted = false
    var rate = 1.0
    var loops: Bool
    var breakRule = BreakRule.watch
    /// Of the surface, in pixels, when it was last seen; nil: as it was attached.
    var size: PictureSize?
    /// The surface is not to be seen.
    var isHidden = false
  }

  private struct Shared: Sendable {
    var orders: [Order] = []
    /// The clip that is to be shown; nil: none.
    var task: Task?
    /// Of that clip.
    var failure: Failure?
    /// The thread has not begun with it.
    var isNew = false
    var isDetached = true
    var wishes: Wishes
    var overlay: Player.Overlay?
    var metadata: Player.Metadata
    /// The clips that follow.
    var upNext: [Player.Item] = []
    var redraws = false
    var state = Player.State()

    /// Why no clip can carry out an order.
    var refusal: Failure? {
      task == nil
        ? Failure(.usage, "cannot show a place", cause: "the player has no clip", remedy: "load one") : failure
    }

    /// The first clip of the queue; it is no longer in there.
    mutating func takeNext(from start: MediaTime, plays: Bool) -> Task {
      let item = upNext.removeFirst()
      metadata = item.metadata
      return Task(item: item, start: start, plays: plays, isQueued: true)
    }
  }

  let listeners = PlayerListeners()
  let answers = PlayerAnswers()
  private let shared: Monitor<Shared>
  private let runner = Atomic<UInt>(0)

  init(_ options: Player.Options) {
    let wishes = Wishes(volume: options.volume.limited(to: 0...1), loops: options.loops)
    shared = Monitor(Shared(wishes: wishes, metadata: options.metadata))
  }

  // MARK: - Callers

  var state: Player.State { shared.read { $0.state } }

  var wishes: Wishes { shared.read { $0.wishes } }

  func wish(_ change: (inout Wishes) -> Void) {
    shared.withLock { change(&$0.wishes) }
    publish { _ in }
  }

  var overlay: Player.Overlay? {
    get { shared.read { $0.overlay } }
    set {
      shared.withLock { ($0.overlay, $0.redraws) = (newValue, true) }
    }
  }

  var metadata: Player.Metadata {
    get { shared.read { $0.metadata } }
    set { shared.withLock { $0.metadata = newValue } }
  }

  var upNext: [Player.Item] {
    get { shared.read { $0.upNext } }
    set { shared.withLock { $0.upNext = newValue } }
  }

  /// The clip that follows the one that is shown, at its end; nil: none, or that one begins again.
  var follower: Player.Item? { shared.read { $0.wishes.loops ? nil : $0.upNext.first } }

  /// The first clip of the queue takes the place of the one that is shown; false: there is none.
  func advance(from start: MediaTime) -> Bool {
    let (hasNext, task) = shared.withLock { shared -> (Bool, Task?) in
      guard !shared.upNext.isEmpty else { return (false, nil) }
      // A clip that is shown is left by its thread, which has the next one ready.
      let isShown = !shared.isDetached && shared.refusal == nil && shared.state.status != .loading
      guard !isShown else {
        shared.orders.append(.next)
        return (true, nil)
      }
      let plays = shared.isDetached ? shared.task?.plays ?? false : shared.state.isPlaying
      return (true, shared.takeNext(from: start, plays: plays))
    }
    if let task { put(task) }
    return hasNext
  }

  func redraw() { shared.withLock { $0.redraws = true } }

  /// Another clip, or none, in place of the one that is shown: that is given up at once.
  func put(_ task: Task?) {
    let before = shared.withLock { shared in
      defer { (shared.task, shared.failure, shared.isNew, shared.orders) = (task, nil, true, []) }
      return shared.task
    }
    before?.interruption.request()
    answers.giveUp()
  }

  /// Orders are forgotten with the clip that they were for. Returns why there is none to carry one out; nil where there is, or will be
  /// once a surface is attached.
  @discardableResult
  func put(_ order: Order) -> Failure? {
    let (refusal, superseded) = shared.withLock { shared -> (Failure?, [Int]) in
      if let refusal = shared.refusal { return (refusal, []) }
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
      return (nil, earlier)
    }
    for id in superseded { answers.answer(id, .superseded) }
    return refusal
  }

  /// A thread that shows the clip is about to begin. One that failed is tried again.
  func attach() {
    shared.withLock { shared in
      (shared.isDetached, shared.wishes.size, shared.wishes.isHidden) = (false, nil, false)
      guard shared.failure != nil else { return }
      (shared.task, shared.failure, shared.isNew) = (shared.task?.again, nil, true)
    }
  }

  /// The thread that shows the clip is to end.
  func detach() {
    let task = shared.withLock { shared in
      shared.isDetached = true
      return shared.task
    }
    task?.interruption.request()
    answers.giveUp()
  }

  // MARK: - The player's thread

  /// The caller is the player's thread from now on, until `leave`.
  func enter() { runner.store(UInt(pthread_self()), ordering: .relaxed) }
  func leave() { runner.store(0, ordering: .relaxed) }
  var isPlayersThread: Bool { runner.load(ordering: .relaxed) == UInt(pthread_self()) }

  /// Waits for a clip to show; nil: the thread is to end. Meanwhile the state stays what it was, but for a clip that was closed.
  func nextTask() -> Task? {
    /// How a wait ends: nil, without a clip.
    enum News {
      case detached
      case task(Task?)
    }
    while true {
      let news = shared.wait { shared -> News? in
        if shared.isDetached { return .detached }
        guard shared.isNew else { return nil }
        shared.isNew = false
        return .task(shared.task)
      }
      guard case .task(let task) = news else { return nil }
      if let task { return task }
      publish { $0 = Player.State() }
    }
  }

  /// The clip that is shown is to be left.
  var isOver: Bool { shared.read { $0.isDetached || $0.isNew } }

  /// The clip that was shown is shown again by the next thread, from where it was left.
  func keep(_ task: Task, at place: MediaTime, plays: Bool) {
    shared.withLock { shared in
      guard shared.isDetached, !shared.isNew, shared.task != nil else { return }
      (shared.task, shared.failure, shared.isNew) = (Task(item: task.item, start: place, plays: plays), nil, true)
    }
  }

  /// The clip that was shown is opened again by the same thread; nil: it was given up meanwhile.
  func renew() -> Task? {
    shared.withLock { shared in
      guard !shared.isDetached, !shared.isNew, let task = shared.task else { return nil }
      shared.task = task.again
      return shared.task
    }
  }

  /// The first clip of the queue follows the one that was shown; false: another one is to be shown, or another one is first by now.
  ///
  /// - Parameter interruption: of its opening, where that has begun.
  func follow(_ item: Player.Item, from start: MediaTime, plays: Bool, _ interruption: Interruption?) -> Bool {
    let follows = shared.withLock { shared in
      guard !shared.isDetached, !shared.isNew, shared.upNext.first == item else { return false }
      var task = shared.takeNext(from: start, plays: plays)
      if let interruption { task.interruption = interruption }
      (shared.task, shared.failure, shared.isNew, shared.orders) = (task, nil, true, [])
      return true
    }
    if follows { answers.giveUp() }
    return follows
  }

  /// The clip cannot be shown, or not on; one that was given up meanwhile is not told of.
  func fail(_ failure: Failure) {
    let isTold = shared.withLock { shared in
      guard !shared.isDetached, !shared.isNew else { return false }
      (shared.failure, shared.orders) = (failure, [])
      return true
    }
    guard isTold else { return }
    listeners.note { $0.fail(failure.kind) }
    publish { ($0.status, $0.isPlaying) = (.failed(failure), false) }
    answers.giveUp(failure)
  }

  func takeOrders() -> [Order] {
    shared.withLock { shared in
      guard !shared.orders.isEmpty else { return [] }
      defer { shared.orders.removeAll(keepingCapacity: true) }
      return shared.orders
    }
  }

  /// Whether the first order is to play, which is carried out now: ads come before the first picture.
  func takePlay() -> Bool {
    shared.withLock { shared in
      guard case .play? = shared.orders.first else { return false }
      shared.orders.removeFirst()
      return true
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
      (shared.state.sound.volume, shared.state.sound.isMuted) = (shared.wishes.volume, shared.wishes.isMuted)
      shared.state.loops = shared.wishes.loops
      return (before, shared.state)
    }
    guard before != after else { return }
    listeners.tell(before, after)
  }
}

extension Double {
  /// The nearest number of a range; its lower end for what is no number.
  func limited(to range: ClosedRange<Double>) -> Double {
    isNaN ? range.lowerBound : min(max(self, range.lowerBound), range.upperBound)
  }
}
