import Frames

/// One request between its two threads: the consumer's and the client's. Any thread.
final class Exchange: Sendable {
  let number: Int
  let request: HTTPRequest
  let delivery: BodyDelivery
  let queued = MonotonicTime.now
  private let monitor: Monitor<State>

  private struct State {
    var head: ResponseHead?
    /// Of a streamed body.
    let ring: BodyRing?
    /// Of a collected one.
    var collected: [UInt8] = []
    var decodedBytes: Int64 = 0
    /// libcurl keeps bytes back until there is room.
    var isPaused = false
    var isCancelled = false
    var problem: HTTPProblem?
    /// Once it has ended.
    var record: RequestRecord?
  }

  init(_ number: Int, _ request: HTTPRequest, _ delivery: BodyDelivery) {
    (self.number, self.request, self.delivery) = (number, request, delivery)
    switch delivery {
    case .collected: monitor = Monitor(State(ring: nil))
    case .streamed(let capacity):
      monitor = Monitor(State(ring: BodyRing(capacity: max(BodyDelivery.leastCapacity, capacity))))
    }
  }
}

// The client's side.
extension Exchange {
  enum Reception {
    case taken
    /// No room: to be offered again after the consumer has asked for it.
    case paused
    /// More than the limit.
    case tooLong
  }

  func begin(_ head: ResponseHead) {
    monitor.withLock { state in
      state.head = head
      if case .collected(let limit) = delivery, let length = head.contentLength {
        state.collected.reserveCapacity(Int(min(length, Int64(limit))))
      }
    }
  }

  func receive(_ bytes: UnsafeRawBufferPointer) -> Reception {
    monitor.withLock { state in
      if state.isCancelled { return .taken }
      if let ring = state.ring {
        guard ring.append(bytes) else {
          state.isPaused = true
          return .paused
        }
      } else if case .collected(let limit) = delivery {
        guard bytes.count <= limit - state.collected.count else { return .tooLong }
        state.collected.append(contentsOf: bytes)
      }
      state.decodedBytes += Int64(bytes.count)
      return .taken
    }
  }

  /// Bytes that the consumer was given or can take.
  var decodedBytes: Int64 { monitor.read { $0.decodedBytes } }

  func end(_ problem: HTTPProblem?, _ record: RequestRecord) {
    monitor.withLock { state in
      state.problem = state.isCancelled ? .cancelled : problem
      state.record = record
    }
  }
}

// The consumer's side.
extension Exchange {
  /// True for the first call only, and where it has not ended before.
  func cancel() -> Bool {
    monitor.withLock { state in
      guard !state.isCancelled, state.record == nil else { return false }
      state.isCancelled = true
      return true
    }
  }

  private static func look<Value>(
    _ state: inout State, _ value: (inout State) -> Value?
  ) -> Result<Value, HTTPProblem>? {
    if state.isCancelled { return .failure(.cancelled) }
    if let value = value(&state) { return .success(value) }
    return state.problem.map { .failure($0) }
  }

  /// Nil where the interruption came first.
  func head(unless interruption: Interruption?) -> Result<ResponseHead, HTTPProblem>? {
    monitor.wait(unless: interruption) { Self.look(&$0) { $0.head } }
  }

  /// Bytes of the body, and whether the client is to go on; 0 bytes: the body has ended. Nil where the interruption came
  /// first.
  func read(
    into target: UnsafeMutableRawBufferPointer, unless interruption: Interruption?
  ) -> Result<(count: Int, resumes: Bool), HTTPProblem>? {
    monitor.wait(unless: interruption) { state in
      Self.look(&state) { state in
        guard let ring = state.ring else { return (0, false) }
        let count = ring.take(into: target)
        guard count > 0 || state.record != nil && state.problem == nil else { return nil }
        let resumes = state.isPaused && ring.room >= ring.capacity / 2
        if resumes { state.isPaused = false }
        return (count, resumes)
      }
    }
  }

  /// The collected body, once it is whole. Nil where the interruption came
  /// first.
  func body(unless interruption: Interruption?) -> Result<[UInt8], HTTPProblem>? {
    monitor.wait(unless: interruption) { Self.look(&$0) { $0.record != nil && $0.problem == nil ? $0.collected : nil } }
  }

  /// Waits until some of a streamed body can be read, or the request has ended; false where `instant` or the interruption came first.
  func wait(until instant: MonotonicTime, unless interruption: Interruption?) -> Bool {
    monitor.wait(until: instant, unless: interruption) { state in
      state.isCancelled || state.record != nil || (state.ring?.count ?? 0) > 0 ? true : nil
    } ?? false
  }

  func record(unless interruption: Interruption?) -> RequestRecord? {
    monitor.wait(unless: interruption) { $0.record }
  }

  /// Bytes that can be read without waiting.
  var bytesAtHand: Int { monitor.read { $0.ring?.count ?? 0 } }
}
