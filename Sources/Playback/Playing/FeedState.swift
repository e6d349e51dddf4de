import Dispatch
import Frames
import Synchronization

/// State shared by a feed's two threads: queued frames, the room for more, and the next order.
final class FeedState: Sendable {
  fileprivate let state: Mutex<State>
  private let loadControl: LoadControl
  /// The decoding thread waits for work here; others wait until it has none, and for something to take, there.
  private let work = DispatchSemaphore(value: 0)
  private let full = DispatchSemaphore(value: 0)
  private let filled = DispatchSemaphore(value: 0)

  /// The decoding thread's next task.
  enum Task {
    case order(SeekOrder, id: Int)
    /// Decode the next frame, with another effort than before where one is given.
    case frame(DecodeEffort?)
  }

  fileprivate struct State {
    /// Not yet handed over.
    var waiting: [FeedItem] = []
    /// Frames that are not yet released.
    var backlog = Backlog()
    /// The number of the next frame.
    var count = 0
    /// Until it has landed.
    var order: (order: SeekOrder, id: Int)?
    var effort: DecodeEffort?
    var framesLeftOut = 0
    var framesDiscarded = 0
    var supply = FrameSupply.flowing
    var loops: Bool
    /// Only orders are decoded.
    var isParked: Bool
    var isStopped = false
    /// The decoding thread waits, and was not woken yet.
    var isIdle = false
    /// A thread waits until there is no work; until there is something to take.
    var isWatched = false
    var isAwaited = false
  }

  init(_ loadControl: LoadControl, loops: Bool, isParked: Bool) {
    self.loadControl = loadControl
    state = Mutex(State(loops: loops, isParked: isParked))
  }

  var queuedFrames: Int { state.withLock { $0.waiting.count } }
  var framesLeftOut: Int { state.withLock { $0.framesLeftOut } }
  var framesDiscarded: Int { state.withLock { $0.framesDiscarded } }
  var loops: Bool {
    get { state.withLock { $0.loops } }
    set { state.withLock { $0.loops = newValue } }
  }

  /// Changes what there is to do, and wakes the decoding thread where there is something.
  private func wake(_ change: (inout State) -> Void) {
    let wakes = state.withLock { state in
      change(&state)
      return (state.isStopped || state.order != nil || hasRoom(state)) && take(&state.isIdle)
    }
    if wakes { work.signal() }
  }

  /// Changes what there is to take, and wakes the thread that waits for it.
  private func tell(_ change: (inout State) -> Void) {
    let (isAwaited, isWatched) = state.withLock { state in
      change(&state)
      return (take(&state.isAwaited), !state.isLive && take(&state.isWatched))
    }
    if isAwaited { filled.signal() }
    if isWatched { full.signal() }
  }

  /// Whether a frame may be decoded that was not ordered.
  private func hasRoom(_ state: State) -> Bool {
    !state.isParked && state.supply == .flowing && loadControl.allowsOneMore(over: state.backlog.load)
  }
}

/// Returns the flag and clears it.
private func take(_ flag: inout Bool) -> Bool {
  defer { flag = false }
  return flag
}

extension FeedState.State {
  /// There may be more to come.
  fileprivate var isLive: Bool { !isStopped && (supply == .flowing || order != nil) }

  fileprivate mutating func add(_ queued: QueuedFrame) -> QueuedFrame {
    var queued = queued
    queued.place.index = count
    count += 1
    backlog.append(queued.frame)
    return queued
  }

  /// Discards all items not yet taken.
  fileprivate mutating func discard() {
    for item in waiting where item.frame != nil {
      backlog.removeLast()
      count -= 1
      framesDiscarded += 1
    }
    waiting.removeAll(keepingCapacity: true)
  }
}

// The consumer's side.
extension FeedState {
  func exchange(_ spare: inout [FeedItem]) -> FrameSupply {
    state.withLock { state in
      swap(&state.waiting, &spare)
      return state.order == nil ? state.supply : .flowing
    }
  }

  func release() {
    wake { $0.backlog.removeFirst() }
  }

  /// Waits for what comes next, and releases its frame at once; nil where nothing does.
  func takeNext() -> (next: FeedItem?, supply: FrameSupply) {
    waitForSomething(until: nil)
    var (next, supply) = (FeedItem?.none, FrameSupply.flowing)
    wake { state in
      supply = state.isStopped ? .ended : state.supply
      guard !state.waiting.isEmpty else { return }
      next = state.waiting.removeFirst()
      if next?.frame != nil { state.backlog.removeFirst() }
    }
    return (next, supply)
  }

  func request(_ effort: DecodeEffort) { state.withLock { $0.effort = effort } }

  func put(_ order: SeekOrder, id: Int, waits: Bool) {
    wake { state in
      if case .failed = state.supply { return }
      state.discard()
      state.order = (order, id)
      state.effort = nil
      state.isParked = waits
      state.supply = .flowing
    }
  }

  func goOn() { wake { $0.isParked = false } }

  func waitUntilFull() {
    let mustWait = state.withLock { state in
      state.isWatched = state.isLive && !state.isIdle
      return state.isWatched
    }
    if mustWait { full.wait() }
  }

  func waitForSomething(until deadline: MonotonicTime?) {
    while state.withLock({ state in
      state.isAwaited = state.isLive && state.waiting.isEmpty
      return state.isAwaited
    }) {
      guard let deadline else {
        filled.wait()
        continue
      }
      let left = deadline.nanoseconds - MonotonicTime.now.nanoseconds
      guard left > 0 else { return }
      _ = filled.wait(timeout: .now() + .nanoseconds(Int(left)))
    }
  }

  func stop() {
    tell { state in
      state.isStopped = true
      state.waiting.removeAll()
    }
    work.signal()
  }
}

// The decoding thread's side.
extension FeedState {
  /// Waits for something to do; nil once stopped.
  func next() -> Task? {
    while true {
      let (task, isOver, isWatched) = state.withLock { state -> (Task?, Bool, Bool) in
        if state.isStopped { return (nil, true, false) }
        if let (order, id) = state.order { return (.order(order, id: id), false, false) }
        if hasRoom(state) {
          defer { state.effort = nil }
          return (.frame(state.effort), false, false)
        }
        state.isIdle = true
        return (nil, false, take(&state.isWatched))
      }
      if isWatched { full.signal() }
      if task != nil || isOver { return task }
      work.wait()
    }
  }

  func put(_ queued: QueuedFrame, framesLeftOut: Int) {
    tell { state in
      state.framesLeftOut = framesLeftOut
      guard !state.isStopped else { return }
      // The consumer sought while it was decoded.
      guard state.order == nil else { return state.framesDiscarded += 1 }
      state.waiting.append(.frame(state.add(queued)))
    }
  }

  /// An order was carried out; not reported where a newer one has replaced it.
  func land(_ landing: SeekLanding, framesLeftOut: Int) {
    tell { state in
      state.framesLeftOut = framesLeftOut
      guard !state.isStopped else { return }
      guard state.order?.id == landing.id else {
        if landing.frame != nil { state.framesDiscarded += 1 }
        return
      }
      state.order = nil
      var landing = landing
      landing.frame = landing.frame.map { state.add($0) }
      state.waiting.append(.landing(landing))
    }
  }

  /// The decoder has reached the end.
  ///
  /// - Parameter framesLeftOut: in all; nil where that has not changed.
  func finish(_ supply: FrameSupply, framesLeftOut: Int? = nil) {
    tell { state in
      if let framesLeftOut { state.framesLeftOut = framesLeftOut }
      if case .failed = supply { state.order = nil }
      if state.order == nil { state.supply = supply }
    }
  }
}
