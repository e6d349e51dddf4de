/// BOLA for videos with an end, with the throughput as a limit when it rises: sabre's `Bola`, which `dynamic` uses.
///
/// Spiteri, Urgaonkar and Sitaraman, INFOCOM 2016: BOLA-FINITE shrinks V at the beginning and at the end of a video; BOLA-U rises at most
/// one rung above what the throughput sustains.
public struct BOLAFiniteController: AdaptationController {
  /// γp with a lowest utility of 0: sabre's default.
  static let gammaP = 5.0

  private var score: BOLAScore
  private let maximumBuffer: Double
  private var lastRung = 0
  private var lastSeek = 0

  /// - Parameter maximumBuffer: s.
  public init(_ table: RungTable, maximumBuffer: Double) {
    self.maximumBuffer = maximumBuffer
    score = BOLAScore(table, lowestUtility: 0, gammaP: Self.gammaP, control: 1)
  }

  public mutating func decide(_ situation: Situation) -> RungDecision {
    let table = situation.table
    let segments = min(situation.segment - lastSeek, table.durations.count - situation.segment)
    let buffer = min(maximumBuffer, max(Double(segments) / 2, 3) * table.segmentSeconds)
    // A buffer of less than two segments has no room for a choice: V stays positive.
    let room = max(buffer - table.segmentSeconds, table.segmentSeconds / 10)
    score.control = room * 1000 / (score.utilities[table.count - 1] + score.gammaP)
    var rung = score.rung(at: situation.buffer * 1000)
    if rung > lastRung {
      let sustained = situation.rung(sustainedBy: situation.throughput.bitsPerSecond)
      if rung > sustained { rung = lastRung > sustained ? lastRung : sustained + 1 }
    }
    lastRung = rung
    return RungDecision(rung: rung)
  }

  public mutating func sought(to segment: Int) { lastSeek = segment }
}
