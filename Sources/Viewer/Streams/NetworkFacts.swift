import Frames
import Streaming

/// The network of a stream, for its page of the statistics. Pure.
public struct NetworkFacts: Sendable {
  /// `HLS`, `DASH`, and the server's name.
  public var format = ""
  public var server = ""
  public var rungs = Rungs()
  /// Media loaded ahead, and the most that is kept, in seconds.
  public var buffer = 0.0
  public var bufferLimit = 0.0
  public var statistics = StreamStatistics()
  public var stalls = 0
  public var stallSeconds = 0.0
  /// Nil: it is on demand.
  public var live: Live?
  /// Nil where requests bring what they ask for.
  public var trouble: StreamTrouble?

  public init() {}

  public struct Rungs: Sendable {
    /// The lowest first.
    public var titles: [String] = []
    /// Average or peak, bit/s.
    public var bitrates: [Double] = []
    /// Of the picture, and what is loaded next; nil: unknown.
    public var shown: Int?
    public var loading: Int?
    /// What chooses them: `dynamic`, or the user.
    public var chooser = ""

    public init() {}
  }

  /// In seconds.
  public struct Live: Sendable {
    public var latency: Double?
    public var target: Double?
    public var edge = 0.0
    public var window = 0.0
    public var rate = 1.0

    public init() {}
  }

  /// The page's lines.
  public var lines: [String] {
    var lines = [
      "\(format) from \(server)" + (live == nil ? "" : " · live"), rungLine,
      "buffer \(tenths(buffer)) s of \(tenths(bufferLimit)) s", throughputLine, requestLine,
      "\(stalls) \(stalls == 1 ? "stall" : "stalls") · \(tenths(stallSeconds)) s",
    ]
    if let live { lines.append(Self.line(live)) }
    if let trouble { lines.append("trouble: \(trouble.cause)") }
    return lines
  }

  private var rungLine: String {
    func title(_ rung: Int) -> String { rungs.titles.indices.contains(rung) ? " · \(rungs.titles[rung])" : "" }
    var parts = [
      rungs.shown.map { "rung \($0 + 1) of \(rungs.titles.count)" + title($0) } ?? "no rung yet",
      "chosen by \(rungs.chooser)",
    ]
    if let loading = rungs.loading, loading != rungs.shown { parts.append("loading rung \(loading + 1)") }
    return parts.joined(separator: " · ")
  }

  private var throughputLine: String {
    guard let last = statistics.segments.last else { return "throughput n/a" }
    let rates = statistics.segments.map(\.bitsPerSecond)
    // As much time for each bit: the mean of rates over equal amounts is harmonic.
    let mean = Double(rates.count) / rates.reduce(0) { $0 + 1 / max($1, 1) }
    return "throughput \(megabits(last.bitsPerSecond)) · mean of \(rates.count): \(megabits(mean)) · "
      + "first byte after \(tenths(last.latency * 1000)) ms"
  }

  private var requestLine: String {
    "\(statistics.requests) requests · \(statistics.failed) failed · \(statistics.retries) made again · "
      + "\(tenths(Double(statistics.bytes) / 1e6)) MB"
  }

  private static func line(_ live: Live) -> String {
    var parts = ["latency " + (live.latency.map { "\(tenths($0)) s" } ?? "n/a")]
    if let target = live.target { parts[0] += ", target \(tenths(target)) s" }
    parts.append("\(tenths(max(0, live.edge))) s behind the edge")
    parts.append("window \(Int(live.window.rounded())) s")
    if live.rate != 1 { parts.append("rate \(rateText((live.rate * 1000).rounded() / 1000))") }
    return parts.joined(separator: " · ")
  }

  /// The throughput of the last segments as bars, and the bit rate that is shown as a line.
  var graph: HUDGraph? {
    let rates = statistics.segments.map { $0.bitsPerSecond / 1e6 }
    guard !rates.isEmpty else { return nil }
    let shown = rungs.shown.flatMap { rungs.bitrates.indices.contains($0) ? rungs.bitrates[$0] / 1e6 : nil }
    // A segment that came in no time does not hide the others.
    let usual = rates.sorted()[rates.count / 2]
    let limit = max(2 * usual, (shown ?? 0) * 1.25, 0.1)
    return HUDGraph(
      bars: rates.map { HUDGraph.Bar(share: min($0 / limit, 1), isOdd: $0 < shown ?? 0) },
      room: StreamStatistics.segmentCount,
      lines: shown.map { [HUDGraph.Line(share: $0 / limit, label: "\(tenths($0)) Mbit/s")] } ?? [],
      legend: "Bars: throughput of the last \(StreamStatistics.segmentCount) segments, orange below the bit rate. "
        + "Line: the bit rate on screen.")
  }
}

func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10 + 0)" }
func megabits(_ rate: Double) -> String { tenths(rate / 1e6) + " Mbit/s" }
