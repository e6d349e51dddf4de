import Decode
import Frames
import Media

/// Decodes ahead on a thread of its own and carries out seeks: for a player that must never wait (`drain`), and for a
/// consumer that takes frames as fast as they come (`next`).
///
/// One consuming thread. Frames come in order, each with its place on the timeline; an error comes after the frames before
/// it. Frames count as load until they are released.
public final class FrameFeed: FrameSource {
  private let shared: FeedState
  private let interruption: Interruption
  private let thread: WorkerThread?
  /// What is exchanged for what waits: neither is allocated again.
  private var spare: [FeedItem] = []
  private var isStopped = false

  /// Where decoding begins.
  public enum Start: Sendable {
    /// With the first frame, as soon as it can be had: a person waits for it.
    case soon
    /// With the first frame, when the decoder gives it: throughput is measured.
    case inOrder
    /// With the first order.
    case ordered
  }

  /// - Parameters:
  ///   - reader: used by the feed alone from now on.
  ///   - interruption: the one the reader was opened with; `stop` requests it.
  ///   - loops: start over at the end of the clip; the timeline goes on.
  public init(
    reader: any FrameReading, interruption: Interruption, loadControl: LoadControl = LoadControl(), loops: Bool = false,
    start: Start = .soon
  ) {
    let shared = FeedState(loadControl, loops: loops, isParked: start == .ordered)
    let decoding = Decoding(reader: reader, interruption, showsFirstSoon: start != .inOrder)
    do throws(Failure) {
      thread = try WorkerThread { decoding.serve(shared) }
    } catch {
      thread = nil
      shared.finish(.failed(error))
    }
    self.shared = shared
    self.interruption = interruption
  }

  deinit {
    stop()
  }

  public func drain(_ take: (FeedItem) -> Void) -> FrameSupply {
    let supply = shared.exchange(&spare)
    for item in spare { take(item) }
    spare.removeAll(keepingCapacity: true)
    return supply
  }

  /// The next frame; waits for it, and releases it at once. Nil at the end of the clip, and once stopped. Not to be mixed with
  /// orders.
  ///
  /// Throws what decoding failed with, after the frames before it.
  public func next() throws(Failure) -> VideoFrame? {
    let (next, supply) = shared.takeNext()
    if next == nil, case .failed(let failure) = supply { throw failure }
    return next?.frame?.frame
  }

  /// Frames that wait to be taken.
  public var queuedFrames: Int { shared.queuedFrames }

  public func release() { shared.release() }

  public func request(_ effort: DecodeEffort) { shared.request(effort) }

  public func go(_ order: SeekOrder, id: Int, waits: Bool) {
    shared.put(order, id: id, waits: waits)
    interruption.supersede()
  }

  public func goOn() { shared.goOn() }

  public var framesLeftOut: Int { shared.framesLeftOut }

  public var framesDiscarded: Int { shared.framesDiscarded }

  /// Whether it starts over at the end of the clip.
  public var loops: Bool {
    get { shared.loops }
    set { shared.loops = newValue }
  }

  /// Waits until it has decoded as far ahead as it may, or can go no further: before playing begins.
  public func fill() { shared.waitUntilFull() }

  /// Waits until an item can be taken, or none will come, or until `deadline`.
  public func wait(until deadline: MonotonicTime? = nil) { shared.waitForSomething(until: deadline) }

  /// Ends decoding and waits for the thread; frames already handed out stay valid.
  public func stop() {
    guard !isStopped else { return }
    isStopped = true
    interruption.request()
    shared.stop()
    thread?.join()
  }
}

/// The decoding thread's own; only that thread touches it.
private final class Decoding: @unchecked Sendable {
  private let reader: any FrameReading
  private let interruption: Interruption
  private var timeline = Timeline()
  private var passage = Timeline.Passage.onward
  /// The next frame is the clip's first, and wanted as soon as it can be had.
  private var showsFirstSoon: Bool

  init(reader: any FrameReading, _ interruption: Interruption, showsFirstSoon: Bool) {
    (self.reader, self.interruption, self.showsFirstSoon) = (reader, interruption, showsFirstSoon)
  }

  func serve(_ shared: FeedState) {
    while let task = shared.next() {
      do throws(Failure) {
        try carryOut(task, shared)
      } catch {
        // An order came while the reader waited for media: it is the next task.
        if error.kind == .cancelled, interruption.isSuperseded, !interruption.shouldStop { continue }
        return shared.finish(.failed(error))
      }
    }
  }

  private func carryOut(_ task: FeedState.Task, _ shared: FeedState) throws(Failure) {
    switch task {
    case .order(let order, let id):
      interruption.follow()
      try land(order, id, shared)
    case .frame(let effort):
      if let effort { try apply(effort) }
      try decode(shared)
    }
  }

  private func decode(_ shared: FeedState) throws(Failure) {
    let frame = try showsFirstSoon ? reader.first() : reader.next()
    showsFirstSoon = false
    if let frame {
      shared.put(placed(frame), framesLeftOut: reader.framesLeftOut)
    } else if shared.loops {
      try reader.rewind()
      passage = .restart
    } else {
      shared.finish(reader.prematureEnd.map { .endedEarly($0) } ?? .ended, framesLeftOut: reader.framesLeftOut)
    }
  }

  private func land(_ order: SeekOrder, _ id: Int, _ shared: FeedState) throws(Failure) {
    let before = reader.framesDecoded
    showsFirstSoon = false
    reader.skipsNonReferences = false
    let frame =
      switch order {
      case .seek(let request): try reader.seek(request)
      case .before(let time): try reader.previous(to: time)
      case .next: try reader.next()
      }
    if order != .next { passage = .jump }
    shared.land(
      SeekLanding(id: id, frame: frame.map(placed), framesDecoded: reader.framesDecoded - before),
      framesLeftOut: reader.framesLeftOut)
  }

  private func apply(_ effort: DecodeEffort) throws(Failure) {
    reader.skipsNonReferences = effort != .everything
    guard case .syncSample(let place) = effort else { return }
    try reader.leap(toSyncSampleAfter: timeline.stamp(at: place))
    passage = .leap
  }

  private func placed(_ frame: VideoFrame) -> QueuedFrame {
    var frame = frame
    frame.timing.queued = .now
    let time = timeline.place(of: frame.presentationTime, duration: frame.duration, passage)
    passage = .onward
    return QueuedFrame(place: PacedFrame(index: 0, time: time, duration: frame.duration), frame: frame)
  }
}

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

/// Decoded frames on their way to a player. One thread uses it, and never waits for it.
public protocol FrameSource: AnyObject {
  /// Hands over the items decoded since the last call, oldest first.
  func drain(_ take: (FeedItem) -> Void) -> FrameSupply
  /// Releases the oldest frame handed over and not yet released: it was shown, or never will be.
  func release()
  /// Decodes with this effort from the next frame on.
  func request(_ effort: DecodeEffort)
  /// Seeks: discards items not yet handed over; the next item is this order's landing. An order replaced by a newer one
  /// does not land.
  ///
  /// - Parameter waits: nothing behind the landing is decoded before `goOn`.
  func go(_ order: SeekOrder, id: Int, waits: Bool)
  /// Decodes ahead from where it is.
  func goOn()
  /// Frames that were left out to save effort.
  var framesLeftOut: Int { get }
  /// Frames that were decoded and discarded because of a seek.
  var framesDiscarded: Int { get }
}

/// Where to go in a clip. Times are the file's, as frames have them: not the timeline's.
public enum SeekOrder: Sendable, Hashable {
  case seek(SeekRequest)
  /// The frame after the one that came last.
  case next
  /// The frame before the one of this time.
  case before(MediaTime)
}

/// An item for the player.
public enum FeedItem: Sendable {
  case frame(QueuedFrame)
  case landing(SeekLanding)

  public var frame: QueuedFrame? {
    switch self {
    case .frame(let frame): frame
    case .landing(let landing): landing.frame
    }
  }
}

/// The result of an order.
public struct SeekLanding: Sendable {
  /// The number that was given to the order.
  public var id: Int
  /// Nil where the clip has none: beside its ends, and before a file's that ends too early.
  public var frame: QueuedFrame?
  /// Frames that came out of the decoder for it.
  public var framesDecoded: Int

  public init(id: Int, frame: QueuedFrame?, framesDecoded: Int) {
    self.id = id
    self.frame = frame
    self.framesDecoded = framesDecoded
  }
}

/// Whether there are frames to come.
public enum FrameSupply: Sendable, Hashable {
  case flowing
  /// The frames handed over are the last.
  case ended
  /// So they are, but the clip should have more: the file is truncated, or its server broke off. The failure tells; other places
  /// can still be sought.
  case endedEarly(Failure)
  case failed(Failure)
}

/// A decoded frame and its place on the timeline.
public struct QueuedFrame: Sendable {
  public var place: PacedFrame
  public var frame: VideoFrame

  public init(place: PacedFrame, frame: VideoFrame) {
    self.place = place
    self.frame = frame
  }
}
