extension ControllerRow {
  static let throughput = ControllerRow(
    name: "throughput", summary: "the highest rung below 90 % of the throughput", takesNumber: false
  ) { _ in ThroughputController() }
}

/// The highest rung that the network sustains with a margin: sabre's `ThroughputRule`, which follows dash.js.
///
/// Spiteri, Sitaraman and Sparacio, "From Theory to Practice: Improving Bitrate Adaptation in the DASH Reference Player", MMSys 2018:
/// the rule THROUGHPUT, and the insufficient buffer rule.
public struct ThroughputController: AdaptationController {
  /// Share of the throughput that is used.
  static let safety = 0.9
  /// A download is abandoned if it would take longer than this many segment durations.
  static let patience = 1.8
  /// Downloads are not judged before, s.
  static let grace = 0.5

  private var bufferRule = InsufficientBufferRule()

  public init() {}

  public mutating func decide(_ situation: Situation) -> RungDecision {
    let sustained = situation.rung(sustainedBy: situation.throughput.bitsPerSecond * Self.safety)
    return RungDecision(rung: bufferRule.limit(situation, below: sustained) ?? sustained)
  }

  public var abandonsDownloads: Bool { true }

  /// dash.js' `AbandonRequestsRule`, as sabre has it.
  public func abandonment(of download: SegmentDownload, _ situation: Situation) -> Int? {
    // Ten steps of 50 ms are the grace, however their sum is rounded.
    guard download.seconds >= Self.grace - 1e-9, let rate = download.bytesPerSecond else { return nil }
    let left = download.bytes - download.received
    guard download.seconds + left / rate > Self.patience * situation.table.segmentSeconds else { return nil }
    let rung = situation.rung(sustainedBy: rate * 8 * Self.safety)
    guard rung < download.rung, download.bytes(ofRung: rung, situation.table) < left else { return nil }
    return rung
  }
}

/// Caps the rung while the buffer is short: a segment must load before the buffer is empty.
///
/// MMSys 2018 (see `ThroughputController`), insufficient buffer rule. The share of the throughput that counts falls from 90 % to 50 %,
/// a decision at a time.
struct InsufficientBufferRule: Sendable {
  private var safety = 0.9

  /// The highest rung that is safe, if `wanted` is not; nil if it is. Call it once for each decision.
  mutating func limit(_ situation: Situation, below wanted: Int) -> Int? {
    let (table, expected) = (situation.table, situation.throughput)
    let safeBits = safety * (situation.buffer - expected.latency) * expected.bitsPerSecond
    safety = max(safety * 0.9, 0.5)
    return (0..<wanted).first { table.bitrates[$0 + 1] * table.segmentSeconds > safeBits }
  }
}

extension SegmentDownload {
  /// The size that the segment is expected to have in another rung, bytes.
  func bytes(ofRung other: Int, _ table: RungTable) -> Double {
    bytes * table.bitrates[other] / table.bitrates[rung]
  }
}
