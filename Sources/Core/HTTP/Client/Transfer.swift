import Frames

/// What becomes of a response's body.
public enum BodyDelivery: Sendable, Hashable {
  /// Kept whole; more than `limit` bytes after decoding end the request.
  case collected(limit: Int)
  /// Read by the consumer, out of a buffer of `capacity` bytes: the server waits while it is full.
  case streamed(capacity: Int = 1 << 20)

  /// libcurl hands on 16 KiB at once.
  static let leastCapacity = 1 << 16
}

/// One request under way. It is cancelled when the last reference to it goes.
///
/// One thread reads; any thread may cancel. Once the interruption of a call that waits asks to stop, the request is cancelled. After a problem was thrown the same one is thrown again.
public final class Transfer: Sendable {
  private let exchange: Exchange
  private let loop: TransferLoop

  init(_ exchange: Exchange, _ loop: TransferLoop) { (self.exchange, self.loop) = (exchange, loop) }

  deinit { cancel() }

  /// The record's number.
  public var number: Int { exchange.number }

  /// Ends the request, wherever it is: calls that wait throw `.cancelled` at once.
  public func cancel() {
    if exchange.cancel() { loop.submit(.cancel(exchange)) }
  }

  /// The response's head, after redirects. Its status may be any.
  public func head(unless interruption: Interruption? = nil) throws(HTTPProblem) -> ResponseHead {
    try settled(exchange.head(unless: interruption))
  }

  /// The next bytes of a streamed body, at least one; 0 at its end.
  public func read(
    into target: UnsafeMutableRawBufferPointer, unless interruption: Interruption? = nil
  ) throws(HTTPProblem) -> Int {
    guard !target.isEmpty else { return 0 }
    let (count, resumes) = try settled(exchange.read(into: target, unless: interruption))
    if resumes { loop.submit(.resume(exchange)) }
    return count
  }

  /// The whole of a collected body. Its status may be any.
  public func body(unless interruption: Interruption? = nil) throws(HTTPProblem) -> [UInt8] {
    try settled(exchange.body(unless: interruption))
  }

  /// Waits for the end; nil where the interruption came first, which cancels nothing.
  public func record(unless interruption: Interruption? = nil) -> RequestRecord? {
    exchange.record(unless: interruption)
  }

  /// Waits until `read` would not, which cancels nothing; false where `instant` or the interruption came first.
  package func wait(until instant: MonotonicTime, unless interruption: Interruption? = nil) -> Bool {
    exchange.wait(until: instant, unless: interruption)
  }

  /// Bytes that can be read without waiting.
  package var bytesAtHand: Int { exchange.bytesAtHand }

  private func settled<Value>(_ result: Result<Value, HTTPProblem>?) throws(HTTPProblem) -> Value {
    guard let result else {
      cancel()
      throw .cancelled
    }
    return try result.get()
  }
}
