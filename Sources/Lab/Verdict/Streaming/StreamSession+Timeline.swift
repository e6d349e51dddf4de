extension StreamSession {
  /// A state from its beginning to the next one.
  package struct StateSpan: Hashable, Sendable {
    package let state: State
    package let start: Double
    package let end: Double
  }

  /// The states one after the other, until `end`; empty ones are left out.
  package var stateSpans: [StateSpan] {
    let sorted = states.sorted { $0.time < $1.time }
    return sorted.indices.compactMap { index in
      let next = index + 1 < sorted.count ? sorted[index + 1].time : end
      let (start, stop) = (min(sorted[index].time, end), min(next, end))
      return stop > start ? StateSpan(state: sorted[index].state, start: start, end: stop) : nil
    }
  }

  /// As the manifest declares it, bit/s; nil for a rung that the session does not have.
  package func bitrate(of rung: Int) -> Double? { rungs.indices.contains(rung) ? rungs[rung].bitrate : nil }

  /// How good the pictures of a request's segment are, dB; nil: unknown.
  func quality(of request: Request) -> Double? {
    guard let rung = request.rung, rungs.indices.contains(rung), let segment = request.segment,
      let decibels = rungs[rung].qualityDb, decibels.indices.contains(segment)
    else { return nil }
    return decibels[segment]
  }

  /// Segments of which a picture was shown, in that order.
  package var shownSegments: [Request] {
    requests.filter { $0.kind == .segment && $0.rung != nil && $0.firstShown != nil }
      .sorted { ($0.firstShown ?? 0, $0.segment ?? 0) < ($1.firstShown ?? 0, $1.segment ?? 0) }
  }

  /// Whether nothing of a request's segment was shown. Audio and subtitles are not seen: their whole segments count as used.
  package static func isWasted(_ request: Request) -> Bool {
    request.kind == .segment && request.firstShown == nil && (request.rung != nil || request.outcome != .finished)
  }
}

extension StreamSession.Request {
  /// First → last byte of the body, bit/s; nil where it did not finish, or took no time that can be measured.
  package var throughput: Double? {
    guard outcome == .finished, transfer.bytes > 0, let firstByte = times.firstByte, times.ended > firstByte else {
      return nil
    }
    return Double(transfer.bytes) * 8 / (times.ended - firstByte)
  }
}

/// Time spent in one state, up to any instant.
struct StateClock {
  private let spans: [StreamSession.StateSpan]
  /// Before each span.
  private let sums: [Double]
  private let whole: Double

  init(_ spans: [StreamSession.StateSpan], of state: StreamSession.State) {
    self.spans = spans.filter { $0.state == state }
    var (sum, sums) = (0.0, [Double]())
    for span in self.spans {
      sums.append(sum)
      sum += span.end - span.start
    }
    (self.sums, whole) = (sums, sum)
  }

  func seconds(until time: Double) -> Double {
    var (low, high) = (0, spans.count)
    while low < high {
      let middle = (low + high) / 2
      if spans[middle].end > time { high = middle } else { low = middle + 1 }
    }
    guard low < spans.count else { return whole }
    return sums[low] + max(0, time - spans[low].start)
  }

  func seconds(from start: Double, to end: Double) -> Double { max(0, seconds(until: end) - seconds(until: start)) }
}
