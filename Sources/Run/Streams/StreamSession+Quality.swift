import Adaptation
import Verdict

extension StreamSession {
  /// Tells of each rung how good the pictures of its segments are, where the table is of these rungs.
  mutating func judge(by table: SegmentQualityTable) {
    guard table.rungs == rungs.count else { return }
    quality = table.measure == .ssim ? .ssim : .weightedPSNR
    for rung in rungs.indices { rungs[rung].qualityDb = table.decibels.map { $0[rung] } }
  }
}

extension TrialOutcome {
  /// Adds what follows from the quality of the segments.
  mutating func judge(by table: SegmentQualityTable) {
    guard var session = stream else { return }
    session.judge(by: table)
    stream = session
    samples[.qoeSSIM] = StreamMeasures(session).samples[.qoeSSIM]
  }
}
