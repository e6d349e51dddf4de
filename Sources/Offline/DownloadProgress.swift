import Frames

/// How far a download is. A value.
public struct DownloadProgress: Sendable, Hashable {
  /// That are there, those of earlier starts among them.
  public var bytes: Int64
  /// Of the whole; nil before it can be told. Of a stream an estimate: by the bytes that its media took so far.
  public var total: Int64?
  /// Bytes per second over the last seconds; nil at first.
  public var rate: Double?
  /// Nil while there is no rate or no total.
  public var secondsLeft: Double?

  /// 0 … 1; 0 where the total is not known.
  public var fraction: Double {
    guard let total, total > 0 else { return 0 }
    return min(1, Double(bytes) / Double(total))
  }
}

/// Bytes per second over a sliding window. A value; pure.
struct TransferRate {
  /// Instants and the bytes received by then, oldest first.
  private var marks: [(time: MonotonicTime, bytes: Int64)] = []
  /// In seconds.
  private static let window = 10.0
  private static let step = 0.25

  mutating func note(received: Int64, at now: MonotonicTime) {
    if let last = marks.last, now.seconds(since: last.time) < Self.step { return }
    marks.append((now, received))
    while marks.count > 2, now.seconds(since: marks[1].time) >= Self.window { marks.removeFirst() }
  }

  /// Nil before there are two instants.
  var bytesPerSecond: Double? {
    guard let first = marks.first, let last = marks.last, last.time > first.time else { return nil }
    return Double(last.bytes - first.bytes) / last.time.seconds(since: first.time)
  }
}

/// Counts what comes, and tells how far it is.
final class ProgressMeter {
  private var rate = TransferRate()
  private var received: Int64 = 0
  /// Bytes of files that were there, and of the one under way.
  private(set) var bytes: Int64
  var total: Int64?
  private let tell: (DownloadProgress) -> Void
  private let now: () -> MonotonicTime

  init(bytes: Int64, now: @escaping () -> MonotonicTime, tell: @escaping (DownloadProgress) -> Void) {
    (self.bytes, self.now, self.tell) = (bytes, now, tell)
    rate.note(received: 0, at: now())
  }

  func add(_ count: Int) {
    received += Int64(count)
    bytes += Int64(count)
    rate.note(received: received, at: now())
    tell(progress)
  }

  /// Counted bytes are of no use.
  func drop(_ count: Int64) { bytes -= count }

  private var progress: DownloadProgress {
    var progress = DownloadProgress(bytes: bytes, total: total, rate: rate.bytesPerSecond)
    if let total, let rate = progress.rate, rate > 0 {
      progress.secondsLeft = max(0, Double(total - bytes)) / rate
    }
    return progress
  }
}
