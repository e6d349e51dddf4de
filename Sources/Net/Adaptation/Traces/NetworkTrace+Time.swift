import Frames

/// How the bytes of a request come through: exact up to rounding, in O(log n) of the number of periods.
extension NetworkTrace {
  /// A moment of the trace.
  struct Place {
    /// Passes before this one: a whole number.
    var pass: Double
    var period: Int
    /// Since the start of the pass, s.
    var time: Double
  }

  /// The period at `time`; behind the last one of a trace that does not repeat, the last.
  func place(at time: Double) -> Place {
    let length = duration
    var place = Place(pass: 0, period: periods.count - 1, time: max(0, time))
    if place.time >= length {
      guard repeats else { return place }
      place.pass = (place.time / length).rounded(.down)
      // Rounding can lead out of the pass by less than any period's length.
      place.time = min(max(0, place.time - place.pass * length), length)
    }
    place.period = firstIndex(in: starts) { $0 > place.time } - 1
    return place
  }

  /// What a request that is sent at `time` waits for its first byte if nothing changes, s.
  public func latency(at time: Double) -> Double { periods[place(at: time).period].latency }

  /// Capacity at `time`, bit/s.
  public func bitsPerSecond(at time: Double) -> Double { periods[place(at: time).period].bitsPerSecond }

  /// Bits that fit between two times; zero if `end` is not behind `start`.
  public func bits(from start: Double, to end: Double) -> Double {
    guard end > start else { return 0 }
    let (first, last) = (place(at: start), place(at: end))
    if first.pass == last.pass, first.period == last.period {
      return (end - start) * periods[first.period].bitsPerSecond
    }
    return (last.pass - first.pass) * bits[periods.count] + bitsBefore(last) - bitsBefore(first)
  }

  /// Whole bytes that fit between two times.
  public func bytes(from start: Double, to end: Double) -> Int { Int(saturating: bits(from: start, to: end) / 8) }

  /// The time at which `bytes` that begin to flow at `start` are through; nil if they never are.
  public func end(ofBytes bytes: Int, from start: Double) -> Double? { end(ofBits: Double(bytes) * 8, from: start) }

  /// The time at which `wanted` bits that begin to flow at `start` are through; nil if they never are.
  public func end(ofBits wanted: Double, from start: Double) -> Double? {
    guard wanted > 0 else { return start }
    let place = place(at: start)
    let rate = periods[place.period].bitsPerSecond
    let isLast = !repeats && place.period == periods.count - 1
    if isLast { return rate > 0 ? start + wanted / rate : nil }
    let left = (starts[place.period + 1] - place.time) * rate
    if wanted <= left { return start + wanted / rate }
    return end(ofPassBits: bits[place.period + 1] + (wanted - left), pass: place.pass)
  }

  /// The time at which the first byte of a request that is sent at `start` is there.
  ///
  /// Where the latency changes meanwhile, each second of a period counts for 1 ÷ latency of the wait, as in sabre.
  public func firstByte(ofRequestAt start: Double) -> Double {
    var place = place(at: start)
    // The part of the wait that is left.
    var (left, time) = (1.0, start)
    while true {
      let latency = periods[place.period].latency
      let isLast = place.period == periods.count - 1
      let seconds = starts[place.period + 1] - place.time
      if left * latency <= seconds || isLast && !repeats { return time + left * latency }
      left -= seconds / latency
      time += seconds
      place.period = isLast ? 0 : place.period + 1
      place.time = starts[place.period]
      if isLast, !periods.contains(where: { $0.latency == 0 }) {
        let ofPass = periods.reduce(0) { $0 + $1.seconds / $1.latency }
        let passes = (left / ofPass).rounded(.down)
        left = max(0, left - passes * ofPass)
        time += passes * duration
      }
    }
  }

  /// - Parameter wanted: bits since the start of the pass, more than zero.
  private func end(ofPassBits wanted: Double, pass: Double) -> Double? {
    let ofPass = bits[periods.count]
    var (wanted, passes) = (wanted, 0.0)
    if repeats {
      passes = max(0, (wanted / ofPass).rounded(.up) - 1)
      wanted = min(wanted - passes * ofPass, ofPass)
    } else if wanted > bits[periods.count - 1] {
      let rate = periods[periods.count - 1].bitsPerSecond
      return rate > 0 ? starts[periods.count - 1] + (wanted - bits[periods.count - 1]) / rate : nil
    }
    let index = max(1, firstIndex(in: bits) { $0 >= wanted }) - 1
    let rate = periods[index].bitsPerSecond
    let inside = rate > 0 ? (wanted - bits[index]) / rate : 0
    return (pass + passes) * duration + starts[index] + max(0, inside)
  }

  private func bitsBefore(_ place: Place) -> Double {
    bits[place.period] + (place.time - starts[place.period]) * periods[place.period].bitsPerSecond
  }

  /// The first index whose value fulfils the condition, which holds for all behind it; at most the number of periods.
  private func firstIndex(in values: [Double], where isBehind: (Double) -> Bool) -> Int {
    var (low, high) = (0, values.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(values[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
