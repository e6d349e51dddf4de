import Frames

/// State shared by a feed's two threads: queued frames, the room for more, and the next order.
final class FeedState: Sendable {
  fileprivate let state: Monitor<State>
  private let loadControl: LoadControl

  /// The decoding thread's next task.
  enum Task {
    case order(SeekOrder, id: Int)
    /// Decode the next frame, with another effort than before where one is given.
    case frame(DecodeEffort?)
  }

  fileprivate struct State: Sendable {
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
    /// The decoding thread waits for work.
    var isIdle = false
  }

  init(_ loadControl: LoadControl, loops: Bool, isParked: Bool) {
    self.loadControl = loadControl
    state = Monitor(State(loops: loops, isParked: isParked))
  }

  var queuedFrames: Int { state.read { $0.waiting.count } }
  var framesLeftOut: Int { state.read { $0.framesLeftOut } }
  var framesDiscarded: Int { state.read { $0.framesDiscarded } }
  var loops: Bool {
    get { state.read { $0.loops } }
    set { state.withoutWaking { $0.loops = newValue } }
  }

  /// Whether a frame may be decoded that was not ordered.
  private func hasRoom(_ state: State) -> Bool {
    !state.isParked && state.supply == .flowing && loadControl.allowsOneMore(over: state.backlog.load)
  }
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
    state.withoutWaking { state in
      swap(&state.waiting, &spare)
      return state.order == nil ? state.supply : .flowing
    }
  }

  func release() {
    state.withLock { $0.backlog.removeFirst() }
  }

  /// Waits for what comes next, and releases its frame at once; nil where nothing does.
  func takeNext() -> (next: FeedItem?, supply: FrameSupply) {
    waitForSomething(until: nil)
    return state.withLock { state in
      let supply = state.isStopped ? .ended : state.supply
      guard !state.waiting.isEmpty else { return (nil, supply) }
      let next = state.waiting.removeFirst()
      if next.frame != nil { state.backlog.removeFirst() }
      return (next, supply)
    }
  }

  func request(_ effort: DecodeEffort) { state.withoutWaking { $0.effort = effort } }

  func put(_ order: SeekOrder, id: Int, waits: Bool) {
    state.withLock { state in
      if case .failed = state.supply { return }
      state.discard()
      state.order = (order, id)
      state.effort = nil
      state.isParked = waits
      state.supply = .flowing
    }
  }

  func goOn() { state.withLock { $0.isParked = false } }

  func waitUntilFull() {
    state.wait { state -> Void? in
      let isFull = state.isIdle && state.order == nil && !hasRoom(state)
      return isFull || !state.isLive ? () : nil
    }
  }

  func waitForSomething(until deadline: MonotonicTime?) {
    state.wait(until: deadline) { $0.isLive && $0.waiting.isEmpty ? nil : () }
  }

  func stop() {
    state.withLock { state in
      state.isStopped = true
      state.waiting.removeAll()
    }
  }
}

// The decoding thread's side.
extension FeedState {
  /// Waits for something to do; nil once stopped.
  func next() -> Task? {
    if let task = state.withoutWaking({ task(&$0) }) { return task }
    // Wakes a thread that waits until there is no work.
    state.withLock { $0.isIdle = true }
    return state.wait { task(&$0) } ?? nil
  }

  /// Takes the next task; nil where there is none now, and a task that is nil once stopped.
  private func task(_ state: inout State) -> Task?? {
    if state.isStopped { return .some(nil) }
    var task: Task?
    if let (order, id) = state.order {
      task = .order(order, id: id)
    } else if hasRoom(state) {
      task = .frame(state.effort)
      state.effort = nil
    }
    guard let task else { return nil }
    state.isIdle = false
    return .some(task)
  }

  func put(_ queued: QueuedFrame, framesLeftOut: Int) {
    state.withLock { state in
      state.framesLeftOut = framesLeftOut
      guard !state.isStopped else { return }
      // The consumer sought while it was decoded.
      guard state.order == nil else { return state.framesDiscarded += 1 }
      state.waiting.append(.frame(state.add(queued)))
    }
  }

  /// An order was carried out; not reported where a newer one has replaced it.
  func land(_ landing: SeekLanding, framesLeftOut: Int) {
    state.withLock { state in
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
    state.withLock { state in
      if let framesLeftOut { state.framesLeftOut = framesLeftOut }
      if case .failed = supply { state.order = nil }
      if state.order == nil { state.supply = supply }
    }
  }
}
