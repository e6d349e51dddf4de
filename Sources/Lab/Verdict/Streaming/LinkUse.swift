/// How much of a link's capacity its clients used. Pure.
public enum LinkUse {
  /// A time in which a client loaded, in seconds.
  public struct Span: Hashable, Sendable {
    public var start: Double
    public var end: Double

    public init(start: Double, end: Double) { (self.start, self.end) = (start, end) }
  }

  /// The time in which at least one client loaded, as spans that neither overlap nor touch, in ascending order. Spans that end before
  /// they begin are ignored.
  public static func busy(_ spans: [Span]) -> [Span] {
    var busy: [Span] = []
    for span in spans.filter({ $0.end >= $0.start }).sorted(by: { ($0.start, $0.end) < ($1.start, $1.end) }) {
      if let last = busy.last, span.start <= last.end {
        busy[busy.count - 1].end = max(last.end, span.end)
      } else {
        busy.append(span)
      }
    }
    return busy
  }

  /// Bytes that passed ÷ bytes that could have in the time in which at least one client loaded. Nil without capacity in that time.
  ///
  /// - Parameters:
  ///   - bytes: all that passed.
  ///   - passing: when they did: their capacity suffices for the bytes, so that the result is 1 at most. A link passes bytes to a client
  ///     that has closed its connection, behind the last one that it took.
  ///   - loading: of each request, from its arrival to its last byte.
  ///   - capacity: bytes that the link can pass from time 0 on to a time in seconds; never falls.
  public static func utilisation(
    bytes: Int64, passing: [Span], loading: [Span], capacity: (Double) -> Int64
  ) -> Double? {
    let possible = busy(passing + loading).reduce(0.0) { $0 + Double(capacity($1.end)) - Double(capacity($1.start)) }
    return possible > 0 ? Double(bytes) / possible : nil
  }
}
