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
    guard !stream.sessions.isEmpty else { return }
    stream.session?.judge(by: table)
    if var clients = stream.clients {
      for index in clients.indices { clients[index].session.judge(by: table) }
      stream.clients = clients
    }
    let parts = stream.sessions.map { session in
      ClientMeasures.Part(samples: [.qoeSSIM: StreamMeasures(session).samples[.qoeSSIM] ?? []], counters: [:])
    }
    samples[.qoeSSIM] = ClientMeasures(pooling: parts).samples[.qoeSSIM]
  }
}
