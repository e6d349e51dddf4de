import Adaptation
import Frames
import Origin

/// The link between an origin and its clients: by a trace, or constant.
public struct LinkSettings: Sendable, Codable, Hashable {
  /// A file of capacity over time.
  public var trace: String?
  /// Mbit/s; without a trace.
  public var rate: Double?
  /// Milliseconds; nil: the trace's, else 0.
  public var roundTrip: Double?
  /// Percent of packets.
  public var loss: Double?

  /// Nil: the link is not shaped.
  public init?(trace: String?, rate: Double?, roundTrip: Double?, loss: Double?) {
    guard trace != nil || rate != nil else { return nil }
    (self.trace, self.rate, self.roundTrip, self.loss) = (trace, rate, roundTrip, loss)
  }

  /// Throws why a trace cannot be used.
  public func shape() throws(Failure) -> LinkShape {
    let seconds = roundTrip.map { $0 / 1000 }
    guard let trace else {
      return try .constant(
        bitsPerSecond: (rate ?? 0) * 1e6, roundTrip: seconds ?? 0, lossRate: (loss ?? 0) / 100)
    }
    let read = try TraceFormat.read(file: trace)
    return try LinkShape(
      periods: read.periods.map { period in
        LinkShape.Period(
          seconds: period.seconds, bitsPerSecond: period.bitsPerSecond, roundTrip: seconds ?? period.latency)
      }, repeats: read.repeats)
  }
}
