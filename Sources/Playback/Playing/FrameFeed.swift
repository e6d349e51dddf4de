import Decode
import Dispatch
import Frames
import Synchronization

/// Decodes ahead on a thread of its own, for a player that must never wait.
///
/// One consuming thread. Frames come in order, each with its place on the timeline; an error comes after the frames before
/// it. Frames count against the look-ahead until they are released.
public final class FrameFeed: FrameSource {
  private let shared: Shared
  private let interruption: Interruption
  private let thread: WorkerThread
  /// What is exchanged for what waits: neither is allocated again.
  private var spare: [FedFrame] = []
  private var isStopped = false

  /// - Parameters:
  ///   - reader: used by no one else from now on.
  ///   - interruption: the one the reader was opened with; `stop` requests it.
  ///   - loops: start over at the end of the clip; the timeline goes on.
  public init(
    reader: FrameReader, interruption: Interruption, lookAhead: LookAhead = LookAhead(), loops: Bool = false
  ) {
    let shared = Shared(lookAhead)
    let decoding = Decoding(reader: reader, loops: loops)
    thread = WorkerThread { decoding.fill(shared) }
    self.shared = shared
    self.interruption = interruption
  }

  deinit {
    stop()
  }

  public func drain(_ take: (FedFrame) -> Void) -> FrameSupply {
    let supply = shared.exchange(&spare)
    for frame in spare { take(frame) }
    spare.removeAll(keepingCapacity: true)
    return supply
  }

  public func release() { shared.release() }

  public func request(_ effort: DecodeEffort) { shared.state.withLock { $0.effort = effort } }

  public var framesLeftOut: Int { shared.state.withLock { $0.framesLeftOut } }

  /// Waits until it has decoded as far ahead as it may, or can go no further: before playing begins.
  public func fill() { shared.waitUntilFull() }

  /// Ends decoding and waits for the thread; frames already handed out stay valid.
  public func stop() {
    guard !isStopped else { return }
    isStopped = true
    interruption.request()
    shared.stop()
    thread.join()
  }
}

/// What the two threads share.
private final class Shared: Sendable {
  let state = Mutex(State())
  private let lookAhead: LookAhead
  /// The decoding thread waits for room here, whoever waits until there is none there.
  private let room = DispatchSemaphore(value: 0)
  private let full = DispatchSemaphore(value: 0)

  struct State {
    /// Decoded and not yet handed over.
    var waiting: [FedFrame] = []
    /// Bytes of the frames that are not yet released, oldest first, and their sum.
    var sizes: [Int] = []
    var bytes = 0
    var effort: DecodeEffort?
    var framesLeftOut = 0
    var supply = FrameSupply.flowing
    var isStopped = false
    var waitsForRoom = false
    var isWatched = false

    func hasRoom(_ lookAhead: LookAhead) -> Bool {
      lookAhead.allows(frames: sizes.count, bytes: bytes, next: sizes.last ?? 0)
    }
  }

  init(_ lookAhead: LookAhead) {
    self.lookAhead = lookAhead
  }

  func exchange(_ spare: inout [FedFrame]) -> FrameSupply {
    state.withLock { state in
      swap(&state.waiting, &spare)
      return state.supply
    }
  }

  func release() {
    let wakes = state.withLock { state in
      guard !state.sizes.isEmpty else { return false }
      state.bytes -= state.sizes.removeFirst()
      guard state.waitsForRoom, state.hasRoom(lookAhead) else { return false }
      state.waitsForRoom = false
      return true
    }
    if wakes { room.signal() }
  }

  func stop() {
    state.withLock { state in
      state.isStopped = true
      state.waiting.removeAll()
    }
    room.signal()
  }

  func waitUntilFull() {
    let isFull = state.withLock { state in
      let isFull = state.waitsForRoom || state.supply != .flowing
      state.isWatched = !isFull
      return isFull
    }
    if !isFull { full.wait() }
  }

  /// Waits for room; false once stopped.
  func waitForRoom() -> Bool {
    while true {
      let (isStopped, mustWait, isWatched) = state.withLock { state -> (Bool, Bool, Bool) in
        state.waitsForRoom = !state.hasRoom(lookAhead)
        let isWatched = state.isWatched && state.waitsForRoom
        if isWatched { state.isWatched = false }
        return (state.isStopped, state.waitsForRoom, isWatched)
      }
      if isWatched { full.signal() }
      guard mustWait, !isStopped else { return !isStopped }
      room.wait()
    }
  }

  /// What was asked for since the last call.
  func takeEffort() -> DecodeEffort? {
    state.withLock { state in
      defer { state.effort = nil }
      return state.effort
    }
  }

  func put(_ frame: FedFrame, framesLeftOut: Int) {
    let size = frame.frame.byteCount
    state.withLock { state in
      state.framesLeftOut = framesLeftOut
      guard !state.isStopped else { return }
      state.waiting.append(frame)
      state.sizes.append(size)
      state.bytes += size
    }
  }

  func finish(_ supply: FrameSupply) {
    let isWatched = state.withLock { state in
      state.supply = supply
      defer { state.isWatched = false }
      return state.isWatched
    }
    if isWatched { full.signal() }
  }
}

/// The decoding thread's own; only that thread touches it.
private final class Decoding: @unchecked Sendable {
  private let reader: FrameReader
  private let loops: Bool
  private var timeline = Timeline()
  private var count = 0
  private var isRestart = false
  private var isLeap = false

  init(reader: FrameReader, loops: Bool) {
    self.reader = reader
    self.loops = loops
  }

  func fill(_ shared: Shared) {
    do throws(Failure) {
      while shared.waitForRoom() {
        if let effort = shared.takeEffort() { try apply(effort) }
        if let frame = try reader.next() {
          shared.put(placed(frame), framesLeftOut: reader.framesLeftOut)
        } else if loops {
          try reader.rewind()
          isRestart = true
        } else {
          return shared.finish(.ended)
        }
      }
    } catch {
      shared.finish(.failed(error))
    }
  }

  private func apply(_ effort: DecodeEffort) throws(Failure) {
    reader.skipsNonReferences = effort != .everything
    guard case .syncSample(let place) = effort else { return }
    try reader.leap(toSyncSampleAfter: timeline.stamp(at: place))
    isLeap = true
  }

  private func placed(_ frame: VideoFrame) -> FedFrame {
    var frame = frame
    frame.timing.queued = .now
    let time = timeline.place(
      of: frame.presentationTime, duration: frame.duration, isRestart: isRestart, isLeap: isLeap)
    (isRestart, isLeap) = (false, false)
    defer { count += 1 }
    return FedFrame(place: PacedFrame(index: count, time: time, duration: frame.duration), frame: frame)
  }
}
