import Frames

/// An estimate of the time that work still takes, from its progress so far: as much for the rest as for the part done.
public struct TimeLeft {
  /// Progress of preparations is 0; the estimate begins behind them.
  private var began: (time: MonotonicTime, fraction: Double)?
  private var last = 0.0
  /// Seconds left; nil while too little is done for an estimate.
  public private(set) var seconds: Double?

  public init() {}

  /// Takes the progress, from 0 to 1, at an instant. Progress that falls back begins the estimate anew.
  public mutating func note(_ fraction: Double, at now: MonotonicTime = .now) {
    guard fraction > 0, fraction.isFinite else {
      began = nil
      seconds = nil
      return
    }
    defer { last = fraction }
    guard let began, last <= fraction else {
      self.began = (now, fraction)
      seconds = nil
      return
    }
    let (done, elapsed) = (fraction - began.fraction, now.seconds(since: began.time))
    guard done >= 0.02, elapsed >= 1 else { return }
    seconds = max(0, elapsed / done * (1 - fraction))
  }

  /// Seconds left, in steps of five; nil while there is no estimate.
  public var roundSeconds: Int? { seconds.map { max(1, Int((min($0, 1e6) / 5).rounded())) * 5 } }

  /// `about 40 s left`, `about 3 min left`; nil while there is no estimate.
  public var text: String? {
    guard let seconds else { return nil }
    if seconds < 100, let roundSeconds { return "about \(roundSeconds) s left" }
    if seconds < 5400 { return "about \(Int((seconds / 60).rounded())) min left" }
    return "about \(Int((seconds / 3600).rounded())) h left"
  }
}

/// When long work writes a line to a log.
public struct ProgressLog {
  private let interval: Double
  private var last: MonotonicTime?

  /// - Parameters:
  ///   - interval: seconds from one line to the next.
  ///   - begin: when the work began, for a first line one interval later; nil: the first line is due at once.
  public init(interval: Double, begin: MonotonicTime?) {
    self.interval = interval
    last = begin
  }

  /// Returns whether a line is due at an instant. If it is, the next one is due one interval later.
  public mutating func isDue(at now: MonotonicTime = .now) -> Bool {
    if let last, now.seconds(since: last) < interval { return false }
    last = now
    return true
  }
}
