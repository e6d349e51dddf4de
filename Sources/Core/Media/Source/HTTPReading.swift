import Frames
import HTTP

/// One request of a source under way, and where in the file its next byte lies. One thread at a time.
struct HTTPReading: Sendable {
  private let transfer: Transfer
  let start: Int64
  private(set) var position: Int64
  /// Where its response ends; nil where the server does not tell.
  private let end: Int64?
  /// The longest wait for bytes, in seconds; nil: the request's own limit applies.
  private let patience: Double?

  /// - Parameters:
  ///   - head: of the response.
  ///   - isResumable: another request can continue it; otherwise the request's own limit applies.
  init(_ transfer: Transfer, _ head: ResponseHead, at position: Int64, isResumable: Bool) {
    (self.transfer, start, self.position) = (transfer, position, position)
    patience = isResumable ? HTTPTimeouts().stall : nil
    end = head.status == 206 ? head.contentRange.map { $0.last + 1 } : head.contentLength
  }

  /// The next bytes; 0 at the response's end.
  mutating func read(
    into target: UnsafeMutableRawBufferPointer, unless interruption: Interruption?
  ) throws(HTTPProblem) -> Int {
    if let patience {
      let limit = MonotonicTime.now.advanced(byMilliseconds: patience * 1000)
      guard transfer.wait(until: limit, unless: interruption) else {
        if interruption?.shouldStop == true { throw .cancelled }
        throw HTTPProblem(.stall, "the server sent nothing for \(Int(patience)) s")
      }
    }
    let count = try transfer.read(into: target, unless: interruption)
    position += Int64(count)
    return count
  }

  /// Whether the byte at an offset is worth waiting for: it comes next, or soon.
  func reaches(_ offset: Int64, within distance: Int64) -> Bool {
    position <= offset && offset - position <= distance && offset < end ?? .max
  }
}
