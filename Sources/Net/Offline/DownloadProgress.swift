import Frames

/// How far a download is. A value.
public struct DownloadProgress: Sendable, Hashable {
  /// That are there, those of earlier starts among them.
  public var bytes: Int64
  /// Of the whole, not less than `bytes`; nil before it can be told. Of a stream an estimate: by the bytes that its media took so far.
  public var total: Int64?
  /// Bytes per second over the last seconds; nil at first.
  public var rate: Double?
  /// Nil while there is no rate or no total.
  public var secondsLeft: Double?

  /// 0 … 1; 0 where the total is not known. Never less than before, and 1 only when all of it is loaded, checked and in its place.
  public internal(set) var fraction = 0.0
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

/// Counts what comes, and tells how far it is. An estimated total that grows does not take the fraction back.
final class ProgressMeter {
  private var rate = TransferRate()
  private var received: Int64 = 0
  /// Bytes of files that were there, and of the one under way.
  private(set) var bytes: Int64 = 0
  var total: Int64?
  private var fraction = 0.0
  private let tell: (DownloadProgress) -> Void
  private let now: () -> MonotonicTime

  /// The most before the end: bytes that came are not checked yet.
  private static let almostAll = 0.999

  init(now: @escaping () -> MonotonicTime, tell: @escaping (DownloadProgress) -> Void) {
    (self.now, self.tell) = (now, tell)
    rate.note(received: 0, at: now())
  }

  /// So many bytes are there before more come.
  func begin(at bytes: Int64) { (self.bytes, total) = (bytes, nil) }

  func add(_ count: Int) {
    received += Int64(count)
    bytes += Int64(count)
    rate.note(received: received, at: now())
    tell(progress())
  }

  /// Counted bytes are of no use.
  func drop(_ count: Int64) { bytes -= count }

  /// All is there.
  func end(bytes: Int64) {
    (self.bytes, total, fraction) = (bytes, bytes, 1)
    tell(progress())
  }

  private func progress() -> DownloadProgress {
    let total = total.map { max($0, bytes) }
    if let total, total > 0 {
      fraction = max(fraction, min(Self.almostAll, Double(bytes) / Double(total)))
    }
    var progress = DownloadProgress(bytes: bytes, total: total, rate: rate.bytesPerSecond)
    progress.fraction = fraction
    if let total, let rate = progress.rate, rate > 0 { progress.secondsLeft = Double(total - bytes) / rate }
    return progress
  }
}
