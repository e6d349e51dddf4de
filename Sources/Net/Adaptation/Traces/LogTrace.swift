import FoundationEssentials

extension TraceFormat {
  /// Logs of downloads on the move: Riiser et al., MMSys 2013 (3G), van der Hooft et al., IEEE Communications Letters
  /// 2016 (4G). Columns: time stamp, ms since the start, two coordinates, bytes since the last line, ms since the last line.
  static let log = TraceFormat(
    name: "3G/4G log", summary: "3G or 4G logs of six columns, the last two bytes and milliseconds",
    recognises: { $0.numbers.count == 6 }
  ) { (data) throws(TraceProblem) in
    var periods: [NetworkTrace.Period] = []
    // Bytes of lines without a duration count in the next one that has one.
    var pending = 0.0
    try TextLines.forEach(data, columns: 6) { (line, values) throws(TraceProblem) in
      let (bytes, milliseconds) = (values[4], values[5])
      guard bytes >= 0, milliseconds >= 0 else { throw TraceProblem(cause: "line \(line) has a negative number") }
      pending += bytes
      guard milliseconds > 0 else { return }
      periods.append(.init(seconds: milliseconds / 1000, bitsPerSecond: pending * 8 / (milliseconds / 1000)))
      pending = 0
    }
    return TraceContent(periods: periods)
  }
}
