import Frames

/// The options of a clocked device in device frames.
struct DevicePlan: Sendable, Hashable {
  let periodFrames: Int
  /// From leaving the buffer, a whole period at once, to being heard.
  let latencyFrames: Int
  let bufferFrames: Int
  let framesPerNanosecond: Double
  /// By which what is heard is later than told, in frames.
  let offset: Double
  /// By which that grows, frames per frame.
  let drift: Double
  /// Planted silence: ascending, apart from each other.
  private let silences: [Range<Int>]

  init(_ options: NullOutput.Options, format: SoundFormat) {
    func frames(_ time: MediaTime, limit: Double) -> Int {
      Int((min(max(0, time.seconds), limit) * Double(format.sampleRate)).rounded())
    }
    let rate = Double(format.sampleRate) * (1 + Self.limited(options.clockDrift, 100_000) / 1e6)
    let period = max(1, frames(options.period, limit: 1))
    periodFrames = period
    latencyFrames = frames(options.latency, limit: 10)
    bufferFrames = max(2 * period, frames(options.capacity, limit: 60))
    framesPerNanosecond = rate / 1e9
    offset = Self.limited(options.offset.seconds, 10) * rate
    drift = Self.limited(options.drift, 100_000) / 1e6
    var apart: [Range<Int>] = []
    for underrun in options.underruns.sorted(by: { $0.at < $1.at }) {
      let start = max(apart.last?.upperBound ?? 0, frames(underrun.at, limit: 1e7))
      let end = frames(underrun.at, limit: 1e7) + frames(underrun.duration, limit: 1e5)
      if start < end { apart.append(Range(from: start, to: end)) }
    }
    silences = apart
  }

  private static func limited(_ value: Double, _ limit: Double) -> Double {
    value.isFinite ? min(max(-limit, value), limit) : 0
  }

  /// Sample frames that it holds before they are heard.
  var capacity: Int { bufferFrames + periodFrames + latencyFrames }

  /// Whether silence is planted at a device frame, and the frame at which that changes.
  func silence(at frame: Int) -> (isSilent: Bool, until: Int) {
    guard let next = silences.first(where: { frame < $0.upperBound }) else { return (false, .max) }
    return next.contains(frame) ? (true, next.upperBound) : (false, next.lowerBound)
  }

  /// When the device has run so many frames, frame `frame` is heard in truth.
  func heard(_ frame: Int) -> Double {
    Double(frame + periodFrames + latencyFrames) + offset + drift * Double(frame)
  }
}

/// Frames that a device has run, over instants; it stands while it is paused.
struct RunningClock: Sendable {
  /// What rounding may cost, in frames.
  static let tolerance = 1e-6
  let framesPerNanosecond: Double
  private var passed = 0.0
  private var resumed: MonotonicTime?

  init(framesPerNanosecond: Double) {
    self.framesPerNanosecond = framesPerNanosecond
  }

  func frames(at now: MonotonicTime) -> Double {
    guard let resumed, now > resumed else { return passed }
    return passed + Double(now.nanoseconds - resumed.nanoseconds) * framesPerNanosecond
  }

  /// When so many frames have been run, if it runs on; `standing` while it does not run.
  func instant(of frames: Double, standing now: MonotonicTime) -> MonotonicTime { instant(of: frames) ?? now }

  /// The same; nil while it does not run.
  func instant(of frames: Double) -> MonotonicTime? {
    guard let resumed else { return nil }
    return MonotonicTime(
      nanoseconds: resumed.nanoseconds + Int64(((frames - passed) / framesPerNanosecond).rounded()))
  }

  mutating func resume(_ now: MonotonicTime) {
    passed = frames(at: now)
    resumed = now
  }

  mutating func pause(_ now: MonotonicTime) {
    passed = frames(at: now)
    resumed = nil
  }

  /// Stands, with so many frames run.
  mutating func stand(at frames: Double) {
    (passed, resumed) = (frames, nil)
  }
}
