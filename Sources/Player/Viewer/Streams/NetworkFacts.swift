import Bench360Player
import Frames

/// The network of a stream, for its page of the statistics. Pure.
package struct NetworkFacts: Sendable {
  /// `HLS`, `DASH`, and the server's name.
  package var format = ""
  package var server = ""
  package var rungs = Rungs()
  /// Media loaded ahead, and the most that is kept, in seconds.
  package var buffer = 0.0
  package var bufferLimit = 0.0
  package var statistics = StreamStatistics()
  package var stalls = 0
  package var stallSeconds = 0.0
  /// Nil: it is on demand.
  package var live: Live?
  /// Nil where requests bring what they ask for.
  package var trouble: NetworkTrouble?

  package init() {}

  package struct Rungs: Sendable {
    /// The lowest first.
    package var titles: [String] = []
    /// Average or peak, bit/s.
    package var bitrates: [Double] = []
    /// Of the picture, and what is loaded next; nil: unknown.
    package var shown: Int?
    package var loading: Int?
    /// What chooses them: `dynamic`, or the user.
    package var chooser = ""

    package init() {}
  }

  /// In seconds.
  package struct Live: Sendable {
    package var latency: Double?
    package var target: Double?
    package var edge = 0.0
    package var window = 0.0
    package var rate = 1.0

    package init() {}
  }

  /// The page's lines.
  package func lines(_ words: Words = .english) -> [String] {
    func seconds(_ seconds: Double) -> String { words.tenths(seconds) + " s" }
    var lines = [
      words[.format(format, server: server)] + (live == nil ? "" : " · " + words[.liveStream]), rungLine(words),
      words[.buffer(seconds(buffer), of: seconds(bufferLimit))], throughputLine(words), requestLine(words),
      words[.stalls(stalls, seconds: seconds(stallSeconds))],
    ]
    if let live { lines.append(Self.line(live, words)) }
    if let trouble { lines.append(words.named(.trouble, trouble.cause)) }
    return lines
  }

  private func rungLine(_ words: Words) -> String {
    func title(_ rung: Int) -> String { rungs.titles.indices.contains(rung) ? " · \(rungs.titles[rung])" : "" }
    var parts = [
      rungs.shown.map { words[.rung($0 + 1, of: rungs.titles.count)] + title($0) } ?? words[.noRung],
      words[.chosen(by: rungs.chooser)],
    ]
    if let loading = rungs.loading, loading != rungs.shown { parts.append(words[.loadingRung(loading + 1)]) }
    return parts.joined(separator: " · ")
  }

  private func throughputLine(_ words: Words) -> String {
    guard let last = statistics.segments.last else { return words[.throughput(words[.unknown])] }
    let rates = statistics.segments.map(\.bitsPerSecond)
    // As much time for each bit: the mean of rates over equal amounts is harmonic.
    let mean = Double(rates.count) / rates.reduce(0) { $0 + 1 / max($1, 1) }
    return words.line([
      .throughput(words.megabits(last.bitsPerSecond)), .mean(of: rates.count, words.megabits(mean)),
      .firstByte(after: words.tenths(last.latency * 1000) + " ms"),
    ])
  }

  private func requestLine(_ words: Words) -> String {
    words.line([.requests(statistics.requests), .failed(statistics.failed), .madeAgain(statistics.retries)])
      + " · \(words.tenths(Double(statistics.bytes) / 1e6)) MB"
  }

  private static func line(_ live: Live, _ words: Words) -> String {
    func seconds(_ seconds: Double) -> String { words.tenths(seconds) + " s" }
    var latency = words[.latency(live.latency.map(seconds) ?? words[.unknown])]
    if let target = live.target { latency += ", " + words[.target(seconds(target))] }
    var parts: [Phrase] = [
      .behindEdge(seconds(max(0, live.edge))), .window(words.count(Int(live.window.rounded())) + " s"),
    ]
    if live.rate != 1 { parts.append(.rate(words.rate((live.rate * 1000).rounded() / 1000))) }
    return latency + " · " + words.line(parts)
  }

  /// The throughput of the last segments as bars, and the bit rate that is shown as a line.
  func graph(_ words: Words) -> HUDGraph? {
    let rates = statistics.segments.map { $0.bitsPerSecond / 1e6 }
    guard !rates.isEmpty else { return nil }
    let shown = rungs.shown.flatMap { rungs.bitrates.indices.contains($0) ? rungs.bitrates[$0] / 1e6 : nil }
    // A segment that came in no time does not hide the others.
    let usual = rates.sorted()[rates.count / 2]
    let limit = max(2 * usual, (shown ?? 0) * 1.25, 0.1)
    return HUDGraph(
      bars: rates.map { HUDGraph.Bar(share: min($0 / limit, 1), isOdd: $0 < shown ?? 0) },
      room: StreamStatistics.segmentCount,
      lines: shown.map { [HUDGraph.Line(share: $0 / limit, label: words.tenths($0) + " Mbit/s")] } ?? [],
      legend: words[.throughputLegend(count: StreamStatistics.segmentCount)])
  }
}
