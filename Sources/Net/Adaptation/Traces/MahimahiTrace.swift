import FoundationEssentials

extension TraceFormat {
  /// What mahimahi's `mm-link` reads: a line for each packet that can pass, with its time in ms. Repeats at the last.
  static let mahimahi = TraceFormat(
    name: "mahimahi", summary: "mahimahi's lines with a time stamp in ms for each packet of 1500 bytes",
    recognises: { $0.numbers.count == 1 }, periods: Mahimahi.content)
}

private enum Mahimahi {
  static let bitsOfPacket = 12_000.0
  /// Last time stamp: three years, ms.
  static let timeLimit = 1e11

  static func content(_ data: Data) throws(TraceProblem) -> TraceContent {
    var milliseconds = Milliseconds()
    try TextLines.forEach(data, columns: 1) { (line, values) throws(TraceProblem) in
      let stamp = values[0]
      guard stamp >= 0, stamp <= timeLimit, stamp == stamp.rounded() else {
        throw TraceProblem(cause: "line \(line) is no time stamp in whole milliseconds")
      }
      // The packet of a stamp passes in the millisecond before it; that of stamp 0 in the first one.
      let end = max(1, stamp)
      guard end >= milliseconds.end else { throw TraceProblem(cause: "the time stamp in line \(line) goes back") }
      milliseconds.add(end)
    }
    milliseconds.finish()
    return TraceContent(periods: milliseconds.periods)
  }

  /// Packets by the millisecond, equal neighbours joined.
  private struct Milliseconds {
    private(set) var periods: [NetworkTrace.Period] = []
    /// End of the current millisecond.
    private(set) var end = 0.0
    private var packets = 0.0

    mutating func add(_ stamp: Double) {
      if stamp > end {
        finish()
        if stamp - end > 1 { append(seconds: (stamp - 1 - end) / 1000, packets: 0) }
        (end, packets) = (stamp, 0)
      }
      packets += 1
    }

    mutating func finish() {
      if packets > 0 { append(seconds: 0.001, packets: packets) }
      packets = 0
    }

    private mutating func append(seconds: Double, packets: Double) {
      let rate = packets * bitsOfPacket * 1000
      if let last = periods.last, last.bitsPerSecond == rate {
        periods[periods.count - 1].seconds += seconds
      } else {
        periods.append(.init(seconds: seconds, bitsPerSecond: rate))
      }
    }
  }
}
