import Decode
import Dispatch
import Frames
import Synchronization

/// Seeks and steps on a thread of its own: decoding never blocks the hand.
///
/// One thread orders and takes what came of it, in order; after an error there is nothing more to take.
public final class SeekThread {
  public enum Order: Sendable, Hashable {
    case seek(SeekRequest)
    /// One frame on from the one that was landed on last, or back.
    case stepForward, stepBack
  }

  /// What came of an order.
  public struct Landing: Sendable {
    /// The number that was given to the order.
    public var id: Int
    /// Nil where the clip has none: beside its ends, and before a file's that ends too early.
    public var frame: VideoFrame?
    /// Frames that came out of the decoder for it.
    public var framesDecoded: Int
  }

  private let shared = Shared()
  private let interruption: Interruption
  private let thread: WorkerThread
  private var isStopped = false

  /// - Parameters:
  ///   - reader: used by no one else from now on.
  ///   - interruption: the one the reader was opened with; `stop` requests it.
  public init(reader: FrameReader, interruption: Interruption) {
    let seeking = Seeking(reader: reader)
    thread = WorkerThread { [shared] in seeking.serve(shared) }
    self.interruption = interruption
  }

  deinit {
    stop()
  }

  /// Never waits.
  public func send(_ order: Order, id: Int) { shared.put(order, id: id) }

  /// Waits for the oldest landing that was not taken; nil when there is none by `deadline`, or once it was stopped.
  public func take(until deadline: MonotonicTime? = nil) throws(Failure) -> Landing? {
    try shared.take(until: deadline)?.get()
  }

  /// Ends seeking and waits for the thread; frames already handed out stay valid.
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
  typealias Numbered = (id: Int, order: SeekThread.Order)

  private let state = Mutex(State())
  /// The seeking thread waits for orders here, whoever wants a landing for one there.
  private let ordered = DispatchSemaphore(value: 0)
  private let landed = DispatchSemaphore(value: 0)

  private struct State {
    var orders: [Numbered] = []
    var landings: [Result<SeekThread.Landing, Failure>] = []
    var isStopped = false
  }

  func put(_ order: SeekThread.Order, id: Int) {
    state.withLock { $0.orders.append((id, order)) }
    ordered.signal()
  }

  /// Waits; nil once stopped.
  func next() -> Numbered? {
    while true {
      let (isStopped, order) = state.withLock { state -> (Bool, Numbered?) in
        (state.isStopped, state.isStopped || state.orders.isEmpty ? nil : state.orders.removeFirst())
      }
      if isStopped { return nil }
      if let order { return order }
      ordered.wait()
    }
  }

  func put(_ landing: Result<SeekThread.Landing, Failure>) {
    state.withLock { $0.landings.append(landing) }
    landed.signal()
  }

  func take(until deadline: MonotonicTime?) -> Result<SeekThread.Landing, Failure>? {
    while true {
      let (isStopped, landing) = state.withLock { state in
        (state.isStopped, state.landings.isEmpty ? nil : state.landings.removeFirst())
      }
      if landing != nil || isStopped { return landing }
      guard let deadline else {
        landed.wait()
        continue
      }
      let left = deadline.nanoseconds - MonotonicTime.now.nanoseconds
      guard left > 0 else { return nil }
      _ = landed.wait(timeout: .now() + .nanoseconds(Int(left)))
    }
  }

  func stop() {
    state.withLock { $0.isStopped = true }
    ordered.signal()
    landed.signal()
  }
}

/// The seeking thread's own; only that thread touches it.
private final class Seeking: @unchecked Sendable {
  private let reader: FrameReader

  init(reader: FrameReader) {
    self.reader = reader
  }

  func serve(_ shared: Shared) {
    do throws(Failure) {
      while let (id, order) = shared.next() {
        let before = reader.framesDecoded
        let frame = try serve(order)
        shared.put(.success(.init(id: id, frame: frame, framesDecoded: reader.framesDecoded - before)))
      }
    } catch {
      shared.put(.failure(error))
      shared.stop()
    }
  }

  private func serve(_ order: SeekThread.Order) throws(Failure) -> VideoFrame? {
    switch order {
    case .seek(let request): try reader.seek(request)
    case .stepForward: try reader.next()
    case .stepBack: try reader.previous()
    }
  }
}
