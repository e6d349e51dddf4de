import Frames

/// The capacity and latency of a network over time, as periods in which both are constant.
///
/// Time is in seconds since the trace began, never negative. A value: any thread.
public struct NetworkTrace: Sendable, Hashable {
  /// A span of constant capacity and latency.
  public struct Period: Sendable, Hashable {
    /// Length of the period, s.
    public var seconds: Double
    /// Capacity, bit/s. Zero is an outage.
    public var bitsPerSecond: Double
    /// Request sent → first byte received, over an idle network, s.
    public var roundTrip: Double
    /// Extra delay of a request by lost packets, s.
    public var lossDelay: Double

    /// What a request waits for its first byte, s.
    public var latency: Double { roundTrip + lossDelay }

    public init(seconds: Double, bitsPerSecond: Double, roundTrip: Double = 0, lossDelay: Double = 0) {
      self.seconds = seconds
      self.bitsPerSecond = bitsPerSecond
      self.roundTrip = roundTrip
      self.lossDelay = lossDelay
    }
  }

  /// The values that a period may have.
  public enum Limits {
    public static let periods = 1...1_000_000
    /// Length of a period, s.
    public static let seconds = 1e-6...1e8
    public static let bitsPerSecond = 0...1e12
    /// Round trip and delay by loss, each, s.
    public static let latency = 0...60.0
  }

  public let name: String
  public let periods: [Period]
  /// Whether the trace starts again after its last period. Otherwise the last period goes on for ever.
  public let repeats: Bool

  /// Start of each period, and the end of the last, s.
  let starts: [Double]
  /// Bits before the start of each period, and in all.
  let bits: [Double]

  /// Throws `.input` for a value outside `Limits`, and for a trace that never delivers a byte.
  public init(name: String, periods: [Period], repeats: Bool = true) throws(Failure) {
    let refused = { (cause: String) in
      Failure(
        .input, "cannot use network trace '\(oneLine(name, limit: 120))'", cause: cause,
        remedy: "correct the trace, or choose another")
    }
    guard Limits.periods.contains(periods.count) else {
      throw refused(
        periods.isEmpty ? "it has no period" : "it has \(periods.count) periods, more than \(Limits.periods.upperBound)"
      )
    }
    for (number, period) in periods.enumerated() {
      guard let problem = period.problem else { continue }
      throw refused("period \(number + 1) has \(problem)")
    }
    guard periods.contains(where: { $0.bitsPerSecond > 0 }) else { throw refused("it has no period with capacity") }
    self.name = name
    self.periods = periods
    self.repeats = repeats
    var (starts, bits) = ([0.0], [0.0])
    starts.reserveCapacity(periods.count + 1)
    bits.reserveCapacity(periods.count + 1)
    var (time, sum) = (0.0, 0.0)
    for period in periods {
      time += period.seconds
      sum += period.seconds * period.bitsPerSecond
      starts.append(time)
      bits.append(sum)
    }
    self.starts = starts
    self.bits = bits
  }

  /// Length of one pass, s.
  public var duration: Double { starts[periods.count] }

  /// Mean capacity of one pass, bit/s.
  public var meanBitsPerSecond: Double { bits[periods.count] / duration }

  /// The same network with another round trip in all periods.
  ///
  /// - Parameter roundTrip: s.
  public func with(roundTrip: Double) throws(Failure) -> NetworkTrace {
    let changed = periods.map { period in
      var period = period
      period.roundTrip = roundTrip
      return period
    }
    return try NetworkTrace(name: name, periods: changed, repeats: repeats)
  }
}

extension NetworkTrace.Period {
  /// The value outside the limits, in words; nil if there is none. NaN lies outside.
  fileprivate var problem: String? {
    typealias Limits = NetworkTrace.Limits
    if !Limits.seconds.contains(seconds) { return "a length of \(seconds) s, outside 0.000001…100000000" }
    if !Limits.bitsPerSecond.contains(bitsPerSecond) {
      return "a capacity of \(bitsPerSecond) bit/s, outside 0…1000000000000"
    }
    if !Limits.latency.contains(roundTrip) { return "a round trip of \(roundTrip) s, outside 0…60" }
    if !Limits.latency.contains(lossDelay) { return "a delay by loss of \(lossDelay) s, outside 0…60" }
    return nil
  }
}
