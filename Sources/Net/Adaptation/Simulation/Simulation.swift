import Frames

/// A session on a virtual clock: the same arguments give the same result, to the bit.
///
/// One request at a time, over a connection that is open already: each waits for the network's latency, then its bytes come at the
/// trace's capacity. These are sabre's semantics; its `do_latency_delay` and `do_download`.
public struct Simulation: Sendable {
  /// Sessions that last longer have a network that delivers next to nothing: they fail, s.
  static let timeLimit = 1e7

  public let network: NetworkTrace
  public let controller: ControllerChoice
  public let load: LoadPolicy
  public var progress = ProgressRule()
  private let ladder: RungTable
  private let start: SegmentScheduler

  /// Throws `.usage` if the controller's number is no rung of the table.
  public init(
    _ table: RungTable, over network: NetworkTrace, controller: ControllerChoice, load: LoadPolicy = LoadPolicy(),
    estimator: EstimatorRow = EstimatorRow.all[0]
  ) throws(Failure) {
    (self.network, self.controller, self.load, ladder) = (network, controller, load, table)
    start = try SegmentScheduler(table, controller: controller, load: load, estimator: estimator)
  }

  /// Plays from the first segment to the last. Any thread.
  public func run() -> SimulatedSession {
    var (scheduler, player) = (start, VirtualPlayer())
    var requests: [SimulatedSession.Request] = []
    var hasFailed = false
    loop: while true {
      switch scheduler.next(time: player.time, buffer: player.buffer) {
      case .finished:
        player.playOut()
        break loop
      case .wait(let seconds):
        player.advance(to: player.time + seconds)
        scheduler.waited(seconds)
      case .request(let segment, let rung, let wait):
        player.advance(to: player.time + wait)
        guard let request = request(segment, rung, &scheduler, &player) else {
          player.fail()
          hasFailed = true
          break loop
        }
        requests.append(request)
      }
    }
    return SimulatedSession(
      controller: controller.name, network: network.name, ladder: ladder.name, requests: requests,
      states: player.states, stalls: player.stalls,
      summary: SessionSummary(
        requests, stalls: player.stalls, startup: player.startup, table: scheduler.table, failed: hasFailed))
  }

  /// Loads one segment, or abandons it. Nil: the network does not deliver it.
  private func request(
    _ segment: Int, _ rung: Int, _ scheduler: inout SegmentScheduler, _ player: inout VirtualPlayer
  ) -> SimulatedSession.Request? {
    let bytes = scheduler.table.bytes(segment: segment, rung: rung)
    let (requested, bufferBefore) = (player.time, player.buffer)
    let firstByte = network.firstByte(ofRequestAt: requested)
    guard let end = network.end(ofBytes: bytes, from: firstByte), end < Self.timeLimit else { return nil }
    var row = SimulatedSession.Request(
      segment: segment, rung: rung, bytes: bytes, bytesReceived: bytes, requested: requested, firstByte: firstByte,
      ended: end, throughputBps: 0, bufferBefore: bufferBefore, bufferAfter: 0)
    if let abandonment = abandonment(of: row, scheduler, isPlaying: player.isPlaying) {
      player.advance(to: abandonment.time)
      scheduler.abandoned(rung: rung, for: abandonment.rung, time: player.time, buffer: player.buffer)
      row.ended = abandonment.time
      row.bytesReceived = min(bytes, Int(saturating: abandonment.received))
      row.abandonedFor = abandonment.rung
    } else {
      player.advance(to: end)
      let isLast = segment == scheduler.table.durations.count - 1
      player.add(
        scheduler.table.durations[segment], enough: load.enough(segment: scheduler.table.segmentSeconds), isLast: isLast
      )
      let sample = ThroughputSample(bytes: bytes, seconds: end - firstByte, latency: firstByte - requested)
      scheduler.completed(rung: rung, sample: sample, time: player.time, buffer: player.buffer)
    }
    row.throughputBps = Double(row.bytesReceived) * 8 / max(1e-6, row.ended - firstByte)
    row.bufferAfter = player.buffer
    return row
  }

  private struct Abandonment {
    let time: Double
    let rung: Int
    /// Bytes.
    let received: Double
  }

  /// Asks the scheduler at each moment of the progress rule before the end of the download.
  private func abandonment(
    of row: SimulatedSession.Request, _ scheduler: SegmentScheduler, isPlaying: Bool
  ) -> Abandonment? {
    guard scheduler.abandonsDownloads, scheduler.throughput != nil else { return nil }
    var (last, flowing, received) = (row.requested, row.firstByte, 0.0)
    while true {
      guard let bytesCame = network.end(ofBytes: progress.bytes, from: flowing) else { return nil }
      let time = max(last + progress.seconds, bytesCame)
      guard time < row.ended else { return nil }
      received += network.bits(from: flowing, to: time) / 8
      (last, flowing) = (time, time)
      let seconds = time - row.requested
      let download = SegmentDownload(
        rung: row.rung, bytes: Double(row.bytes), received: received, seconds: seconds,
        latency: row.firstByte - row.requested)
      let buffer = isPlaying ? max(0, row.bufferBefore - seconds) : row.bufferBefore
      if let rung = scheduler.abandonment(of: download, time: time, buffer: buffer) {
        return Abandonment(time: time, rung: rung, received: received)
      }
    }
  }
}
