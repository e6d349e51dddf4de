import Frames

/// The requests of a stream so far, in numbers. A value.
public struct StreamStatistics: Sendable, Hashable {
  /// A segment of the video that was loaded to its end.
  public struct Segment: Sendable, Hashable {
    public var rung: Int
    /// From the first byte to the last.
    public var bitsPerSecond: Double
    /// From the request to the first byte, in seconds.
    public var latency: Double

    public init(rung: Int, bitsPerSecond: Double, latency: Double) {
      (self.rung, self.bitsPerSecond, self.latency) = (rung, bitsPerSecond, latency)
    }
  }

  public private(set) var requests = 0
  public private(set) var failed = 0
  /// Made again after a failure, or to go on with a download that broke off.
  public private(set) var retries = 0
  /// Of bodies, as they were received.
  public private(set) var bytes: Int64 = 0
  /// The last segments, the oldest first.
  public private(set) var segments: [Segment] = []

  /// So many segments are kept.
  public static let segmentCount = 40

  public init() {}

  /// - Parameter segments: the oldest first.
  package init(requests: Int, failed: Int, retries: Int, bytes: Int64, segments: [Segment]) {
    (self.requests, self.failed, self.retries) = (requests, failed, retries)
    (self.bytes, self.segments) = (bytes, segments)
  }

  /// A request has ended.
  public mutating func note(_ request: StreamRequest) {
    requests += 1
    if case .failed = request.outcome { failed += 1 }
    if request.attempt > 0 { retries += 1 }
    bytes = bytes.addingSaturated(request.times.bytes)
    guard request.kind == .segment, let rung = request.rung, request.outcome == .finished,
      let rate = request.bitsPerSecond, let first = request.times.firstByte
    else { return }
    segments.append(Segment(rung: rung, bitsPerSecond: rate, latency: first - request.times.queued))
    if segments.count > Self.segmentCount { segments.removeFirst() }
  }
}

extension StreamStatistics {
  /// Both together; the segments are those of this one.
  func adding(_ other: StreamStatistics) -> StreamStatistics {
    var sum = self
    sum.requests += other.requests
    sum.failed += other.failed
    sum.retries += other.retries
    sum.bytes = bytes.addingSaturated(other.bytes)
    return sum
  }
}

extension StreamRequest {
  /// From the first byte to the last; nil where it took no time, or came in several attempts.
  public var bitsPerSecond: Double? {
    guard let first = times.firstByte, times.ended > first else { return nil }
    return Double(times.bytes) * 8 / (times.ended - first)
  }
}
