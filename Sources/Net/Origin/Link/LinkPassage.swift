/// What a link let pass, and in which times: the capacity of these times suffices for the bytes. A value.
public struct LinkPassage: Hashable, Sendable {
  public private(set) var bytes: Int64 = 0
  /// Seconds since the origin's first request, in order; none touches the next.
  public private(set) var times: [ClosedRange<Double>] = []

  init() {}

  mutating func add(_ count: Int64, in span: ClosedRange<Double>, keepsTimes: Bool) {
    guard count > 0 else { return }
    bytes += count
    guard keepsTimes else { return }
    if let last = times.last, span.lowerBound <= last.upperBound {
      times[times.count - 1] = ClosedRange(from: last.lowerBound, through: max(last.upperBound, span.upperBound))
    } else {
      times.append(span)
    }
  }
}
