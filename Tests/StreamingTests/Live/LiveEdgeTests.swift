import Frames
import Testing

import Streaming

/// Where a live stream is joined, and how fast it is played.
@Suite struct LiveEdgeTests {
  private static let zero = WallTime(nanoseconds: 1_800_000_000_000_000_000)

  private func edge(start: Double = 100, end: Double = 130, zero: WallTime? = zero) -> LiveEdge {
    var edge = LiveEdge(
      start: MediaTime(seconds: start), end: MediaTime(seconds: end), learnt: 50, step: MediaTime(seconds: 2))
    edge.zero = zero
    return edge
  }

  private func wall(_ seconds: Double) -> WallTime { Self.zero + MediaTime(seconds: seconds) }

  @Test func theEdgeGoesOnForAPieceBetweenTwoUpdates() {
    #expect(edge().place(at: 51.5) == MediaTime(seconds: 131.5))
    #expect(edge().place(at: 59) == MediaTime(seconds: 132))
    #expect(edge().distance(of: MediaTime(seconds: 120), at: 51) == 11)
    var ended = edge()
    ended.hasEnded = true
    #expect(ended.place(at: 59) == MediaTime(seconds: 130))
  }

  @Test func latencyCountsByTheServersClock() {
    var edge = edge()
    edge.clockOffset = MediaTime(seconds: 7)
    #expect(edge.latency(of: MediaTime(seconds: 120), wall: wall(124)) == 11)
    #expect(self.edge(zero: nil).latency(of: .zero, wall: wall(124)) == nil)
    #expect(edge.place(of: wall(110)) == MediaTime(seconds: 110))
  }

  @Test func joiningHoldsBackAsTheStreamOrTheUserAsks() {
    let six = MediaTime(seconds: 6)
    func join(_ edge: LiveEdge, _ latency: Double?, fromClock: Bool) -> LiveEdge.Join {
      edge.join(
        latency: latency.map { MediaTime(seconds: $0) }, holdBack: six, countsFromClock: fromClock, wall: wall(131),
        now: 51)
    }
    #expect(join(edge(), nil, fromClock: false) == .init(place: MediaTime(seconds: 124), target: MediaTime(seconds: 7)))
    #expect(join(edge(), nil, fromClock: true) == .init(place: MediaTime(seconds: 125), target: six))
    #expect(join(edge(), 4, fromClock: false) == .init(place: MediaTime(seconds: 127), target: MediaTime(seconds: 4)))
    // Nearer than there is media, and further than the window.
    #expect(join(edge(), 0.5, fromClock: true).place < MediaTime(seconds: 130))
    #expect(join(edge(), 100, fromClock: true).place == MediaTime(seconds: 100))
    // A clock that is an hour wrong is not followed.
    var skewed = edge()
    skewed.clockOffset = MediaTime(seconds: 3600)
    #expect(join(skewed, 4, fromClock: true).place == MediaTime(seconds: 127))
  }

  @Test func theRateLeadsToTheTargetAndNeverToAStall() {
    func rate(_ latency: Double, buffer: Double = 3) -> Double {
      CatchUp.rate(latency: latency, target: 4, buffer: buffer, step: 1)
    }
    #expect(rate(3.999) == 1 && rate(3.99) == 1 && rate(3.981) == 1)
    #expect(rate(5) == 1.05 && rate(3) == 0.95)
    #expect(rate(4.02) > 1 && rate(4.02) < 1.05 && rate(4.002) > 1 && rate(3.975) < 1)
    #expect(rate(5, buffer: 0.3) == 1 && rate(3, buffer: 0) == 0.95)
    #expect(rate(60) == 1 && rate(.nan) == 1)
    for start in [4.3, 3.2, 9.0] {
      var latency = start
      for _ in 0..<12_000 { latency -= (rate(latency) - 1) / 60 }
      #expect(latency <= 4.001 && latency > 3.97, "\(latency) from \(start)")
    }
  }
}
