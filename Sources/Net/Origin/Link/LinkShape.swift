import Frames

/// The bottleneck between an origin and its clients, over time: capacity, round-trip time and loss.
///
/// Time is in seconds; 0 is the origin's first request. A value, from any thread.
public struct LinkShape: Hashable, Sendable {
  /// A span of time in which the link does not change.
  public struct Period: Hashable, Sendable {
    /// Its length, greater than 0.
    public var seconds: Double
    /// Bits that pass in a second, of header and body alike; 0 is an outage.
    public var bitsPerSecond: Double
    /// The time between a request and the first byte of its response, besides what the link takes to send it.
    public var roundTrip: Double
    /// The share of packets of 1,460 bytes that are lost, 0 to 1: each holds up its connection for one round trip.
    public var lossRate: Double

    public init(seconds: Double, bitsPerSecond: Double, roundTrip: Double = 0, lossRate: Double = 0) {
      self.seconds = seconds
      self.bitsPerSecond = bitsPerSecond
      self.roundTrip = roundTrip
      self.lossRate = lossRate
    }
  }

  public let periods: [Period]
  /// Whether the periods start again after the last one; otherwise the last one lasts for ever.
  public let repeats: Bool
  /// Whether packets can be lost at any time.
  public let hasLoss: Bool
  /// The largest capacity at any time.
  let peakBitsPerSecond: Double
  /// The end of each period, and the bits that have passed by then.
  private let ends: [(seconds: Double, bits: Double)]

  /// Throws `.usage` if there is no period, if a number is out of range, or if nothing would ever pass.
  public init(periods: [Period], repeats: Bool = true) throws(Failure) {
    func refusal(_ cause: String, remedy: String) -> Failure {
      Failure(.usage, "cannot shape a link", cause: cause, remedy: remedy)
    }
    for (index, period) in periods.enumerated() {
      guard let problem = period.problem else { continue }
      throw refusal("period \(index + 1) \(problem)", remedy: "correct the trace")
    }
    guard let last = periods.last, repeats ? periods.contains(where: { $0.bitsPerSecond > 0 }) : last.bitsPerSecond > 0
    else {
      throw refusal(
        "it has no capacity \(repeats ? "at any time" : "at its end")", remedy: "give a period more than 0 bit/s")
    }
    self.periods = periods
    self.repeats = repeats
    peakBitsPerSecond = periods.map(\.bitsPerSecond).max() ?? 0
    hasLoss = periods.contains { $0.lossRate > 0 }
    var (seconds, bits) = (0.0, 0.0)
    ends = periods.map { period in
      seconds += period.seconds
      bits += period.seconds * period.bitsPerSecond
      return (seconds, bits)
    }
  }

  /// A link that never changes. Throws as `init(periods:repeats:)` does.
  public static func constant(
    bitsPerSecond: Double, roundTrip: Double = 0, lossRate: Double = 0
  ) throws(Failure) -> LinkShape {
    try LinkShape(periods: [
      Period(seconds: 3600, bitsPerSecond: bitsPerSecond, roundTrip: roundTrip, lossRate: lossRate)
    ])
  }

  public static func == (a: LinkShape, b: LinkShape) -> Bool { a.periods == b.periods && a.repeats == b.repeats }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(periods)
    hasher.combine(repeats)
  }

  /// The period at that time; the first one before 0.
  public func period(at seconds: Double) -> Period { periods[place(of: seconds).index] }

  /// Whole bytes that pass from time 0 to that time: the integral of the capacity, rounded down.
  public func bytes(until seconds: Double) -> Int64 {
    guard seconds > 0 else { return 0 }
    let place = place(of: seconds)
    let before = place.index > 0 ? ends[place.index - 1].bits : 0
    let bits = place.cyclesBits + before + place.seconds * periods[place.index].bitsPerSecond
    return Int64(min(bits / 8, 9e18))
  }

  /// The earliest time, from that time on, at which the capacity is not 0.
  public func nextCapacity(from seconds: Double) -> Double {
    let place = place(of: seconds)
    var start = seconds
    for step in Range(from: 0, to: periods.count + 1) {
      let index = (place.index + step) % periods.count
      if periods[index].bitsPerSecond > 0 { return start }
      start += step == 0 ? periods[index].seconds - place.seconds : periods[index].seconds
    }
    return start
  }

  private func place(of seconds: Double) -> (index: Int, seconds: Double, cyclesBits: Double) {
    guard seconds > 0, let end = ends.last else { return (0, 0, 0) }
    let cycles = repeats ? (seconds / end.seconds).rounded(.down) : 0
    let rest = seconds - cycles * end.seconds
    var (low, high) = (0, periods.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if rest < ends[middle].seconds { high = middle } else { low = middle + 1 }
    }
    return (low, rest - (low > 0 ? ends[low - 1].seconds : 0), cycles * end.bits)
  }
}

extension LinkShape.Period {
  /// What is out of range; nil for a sound period.
  fileprivate var problem: String? {
    if !(seconds > 0 && seconds <= 1e9) { return "lasts \(seconds) s: not more than 0 and at most 1e9" }
    if !(bitsPerSecond >= 0 && bitsPerSecond <= 1e12) { return "has \(bitsPerSecond) bit/s: not between 0 and 1e12" }
    if !(roundTrip >= 0 && roundTrip <= 3600) { return "has a round trip of \(roundTrip) s: not between 0 and 3600" }
    if !(lossRate >= 0 && lossRate < 1) { return "loses \(lossRate) of the packets: not at least 0 and less than 1" }
    return nil
  }
}
