extension ControllerRow {
  static let bola = ControllerRow(
    name: "bola", summary: "BOLA-E: by the buffer, with a virtual part at the start", takesNumber: false
  ) { BOLAController($0.table, maximumBuffer: $0.maximumBuffer) }
}

/// BOLA-E: BOLA whose buffer has a virtual part, the placeholder, so that it starts fast and needs no full buffer: sabre's `BolaEnh`.
///
/// Spiteri, Sitaraman and Sparacio, "From Theory to Practice: Improving Bitrate Adaptation in the DASH Reference Player", MMSys 2018: BOLA-E
/// with placeholders, the insufficient buffer rule, and abandonment by score. Rises at most one rung above what the throughput
/// sustains (BOLA-U of INFOCOM 2016).
public struct BOLAController: AdaptationController {
  /// Buffer at which the lowest rung ends, ms.
  static let minimumBuffer = 10_000.0
  /// Room for each rung, ms.
  static let bufferPerRung = 2000.0

  private let score: BOLAScore
  /// Buffer that is not there, ms: it stands for media that would have been loaded, had the player not waited.
  private var placeholder = 0.0
  private var lastRung = 0
  /// Until the first decision after the start and after each seek.
  private var isStarting = true
  private var bufferRule = InsufficientBufferRule()

  /// - Parameter maximumBuffer: s.
  public init(_ table: RungTable, maximumBuffer: Double) {
    let target = max(Self.minimumBuffer + Self.bufferPerRung * Double(table.count), maximumBuffer * 1000)
    let highest = BOLAScore.utilities(table, lowest: 1)[table.count - 1]
    // So that the lowest rung ends at the minimum buffer and the highest at the target.
    let gammaP = (highest - 1) / (target / Self.minimumBuffer - 1)
    score = BOLAScore(
      table, lowestUtility: 1, gammaP: gammaP, control: table.count == 1 ? 0 : Self.minimumBuffer / gammaP)
  }

  public mutating func decide(_ situation: Situation) -> RungDecision {
    guard situation.table.count > 1 else { return RungDecision(rung: 0) }
    let sustained = situation.rung(sustainedBy: situation.throughput.bitsPerSecond)
    let level = situation.buffer * 1000
    if isStarting {
      isStarting = false
      bufferRule = InsufficientBufferRule()
      placeholder = max(0, score.lowestBuffer(of: sustained) - level)
      return RungDecision(rung: sustained)
    }
    var rung = score.rung(at: level + placeholder)
    if rung > lastRung, rung > sustained { rung = max(lastRung, sustained) + 1 }
    var wait = shrinkPlaceholder(excess: level + placeholder - score.highestBuffer(of: rung))
    if rung == situation.table.count - 1 { wait = 0 }
    if let safe = bufferRule.limit(situation, below: rung) {
      (rung, wait) = (safe, 0)
      placeholder = min(max(0, score.lowestBuffer(of: safe) - level), placeholder)
    }
    return RungDecision(rung: rung, wait: wait / 1000)
  }

  /// Takes what the buffer holds in excess from its virtual part first; returns the wait for the rest. In ms.
  private mutating func shrinkPlaceholder(excess: Double) -> Double {
    guard excess > 0 else { return 0 }
    if excess <= placeholder {
      placeholder -= excess
      return 0
    }
    defer { placeholder = 0 }
    return excess - placeholder
  }

  public var abandonsDownloads: Bool { score.bitrates.count > 1 }

  /// The lower rung with the highest score, where it beats the rest of this download.
  public func abandonment(of download: SegmentDownload, _ situation: Situation) -> Int? {
    guard let rate = download.bytesPerSecond else { return nil }
    // Another request waits for its first byte again, while this download would go on.
    let level = max(0, situation.buffer * 1000 + placeholder - download.latency * 1000)
    let left = download.bytes - download.received - download.latency * rate
    guard left > 0 else { return nil }
    var (best, highest): (Int?, Double) = (nil, score.surplus(download.rung, at: level) / left)
    for rung in 0..<download.rung {
      let bytes = download.bytes(ofRung: rung, situation.table)
      let other = score.surplus(rung, at: level) / bytes
      if bytes < left, other > highest { (best, highest) = (rung, other) }
    }
    return best
  }

  public mutating func completed(rung: Int, sample: ThroughputSample, _ situation: Situation) {
    lastRung = rung
    let level = situation.buffer * 1000
    let levelBefore = level + (sample.seconds + sample.latency) * 1000
    placeholder = min(placeholder, max(0, score.highestBuffer(of: rung) - levelBefore))
    // Not inflated while rebuffering.
    if level > 0 { placeholder = max(placeholder, score.lowestBuffer(of: rung) - levelBefore) }
  }

  public mutating func abandoned(rung: Int, for lower: Int, _ situation: Situation) {
    lastRung = rung
    let wanted = lower > 0 ? score.lowestBuffer(of: lower) : Self.minimumBuffer
    placeholder = min(placeholder, max(0, wanted - situation.buffer * 1000))
  }

  public mutating func waited(_ seconds: Double) { placeholder += seconds * 1000 }

  public mutating func sought(to segment: Int) { isStarting = true }
}
