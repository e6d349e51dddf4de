extension StreamSession {
  /// Entries of a list: more than a week of requests. Drawing and judging are linear in them.
  static let entryLimit = 1 << 20
  /// Seconds, of either sign; beyond it sums of times lose their microseconds.
  static let timeLimit = 1e9
  static let rungLimit = 1 << 10

  /// Why a session that was read cannot be one, as a sentence; nil for a plausible one.
  var flaw: String? {
    let restarts = restarts ?? []
    let counts = [
      requests.count, states.count, stalls.count, shown.count, buffer.count, decisions.count, restarts.count,
    ]
    if counts.contains(where: { $0 > Self.entryLimit }) { return "a list has more than \(Self.entryLimit) entries" }
    if rungs.contains(where: { $0.qualityDb.map { $0.count > Self.entryLimit } ?? false }) {
      return "a rung has the quality of more than \(Self.entryLimit) segments"
    }
    if rungs.count > Self.rungLimit { return "it has more than \(Self.rungLimit) rungs" }
    if let rung = rungs.first(where: { !($0.bitrate >= 0 && $0.bitrate <= 1e15) }) {
      return "\(rung.bitrate) is not the bit rate of a rung"
    }
    let named = shown.map(\.rung) + decisions.map(\.rung) + requests.compactMap(\.rung)
    if let rung = (named + requests.compactMap(\.abandonedFor)).first(where: { !rungs.indices.contains($0) }) {
      return "it names rung \(rung) of \(rungs.count)"
    }
    if let count = requests.lazy.flatMap(\.wholeNumbers).first(where: { $0 < 0 }) {
      return "\(count) is not a number of bytes, attempts or segments"
    }
    if let time = instants.first(where: { !(abs($0) <= Self.timeLimit) }) {
      return "\(time) s is not an instant of a trial"
    }
    return nil
  }

  private var instants: [Double] {
    var all = [end, position]
    if let firstFrame { all.append(firstFrame) }
    all += states.map(\.time)
    for stall in stalls { all += [stall.start, stall.seconds] }
    for frame in shown { all += [frame.time, frame.position] }
    for state in buffer { all += [state.time, state.seconds] }
    all += decisions.map(\.time)
    for request in requests { all += request.instants }
    for restart in restarts ?? [] { all += [restart.time, restart.position] }
    return all
  }
}

extension StreamSession.Request {
  fileprivate var wholeNumbers: [Int] {
    [attempt, transfer.bytes, transfer.headerBytes] + [segment, range?.first].compactMap { $0 }
  }

  fileprivate var instants: [Double] {
    let known = [
      times.nameLookedUp, times.connected, times.secured, times.firstByte, firstShown, bufferBefore, bufferAfter,
      mediaSeconds,
    ]
    return [times.queued, times.ended] + known.compactMap { $0 }
  }
}
