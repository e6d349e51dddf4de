import Frames
import TestPicture

/// The samples of a monitor, and when they were heard.
///
/// Times are counted in samples. A block may come late and never early: the block that came earliest for its position fixes the time of
/// the first sample.
package struct SoundLog: Sendable {
  /// Samples per second.
  package static let rate = 48_000

  /// One channel.
  package private(set) var samples: [Float] = []
  /// When the first sample was heard, by the block that came earliest for its position.
  package private(set) var start: MonotonicTime?

  package init() {}

  /// The sound of a recording, from the time of its first sample.
  package init(_ samples: [Float], from start: MonotonicTime) { (self.samples, self.start) = (samples, start) }

  /// Adds a block that came at `arrival`, whose last sample was the newest then.
  package mutating func add(_ block: [Float], at arrival: MonotonicTime) {
    samples += block
    let first = arrival.advanced(byMilliseconds: -Double(samples.count) / Double(Self.rate) * 1000)
    start = min(start ?? first, first)
  }

  /// When a sample was heard; nil before the first block.
  package func time(ofSample index: Int) -> MonotonicTime? {
    start?.advanced(byMilliseconds: Double(index) / Double(Self.rate) * 1000)
  }
}

/// The positions of the clip that were heard, each with its time. The clip's tone encodes them (`TonePosition`).
package struct HeardSound: Sendable {
  /// The clip's position that was heard at a time.
  package struct Point: Hashable, Sendable {
    package var time: MonotonicTime
    /// From the start of the clip, s.
    package var position: Double
  }

  /// In the order of time, one for each stretch that could be read.
  package let points: [Point]
  /// Silence between the first and the last sound, ms: only pauses of 10 ms and more, which the tone itself does not have.
  package let gap: Double

  /// From one reading to the next, and the length of what is read, s.
  private static let (step, length) = (0.1, 0.25)
  /// Readings agree up to this, s.
  private static let agreement = 0.02
  /// The tone of a player at full volume has an effective value of 0.11; silence is below a hundredth of that.
  private static let silence: Float = 0.001
  private static let shortestGap = 0.010

  /// - Parameter seconds: the clip's duration: a position beyond it was misread.
  package init(_ log: SoundLog, ofClip seconds: Double) {
    let rate = Double(SoundLog.rate)
    let samples = log.samples
    var points: [Point] = []
    var index = 0
    while index + Int(Self.length * rate) <= samples.count {
      let part = Array(samples[index...].prefix(Int(Self.length * rate)))
      if let reading = TonePosition.read(part, rate: SoundLog.rate), reading.seconds < seconds,
        let time = log.time(ofSample: index)
      {
        points.append(Point(time: time, position: reading.seconds))
      }
      index += Int(Self.step * rate)
    }
    self.points = Self.consistent(points)
    gap = Self.gap(samples)
  }

  /// The points that agree with one beside them. A stretch that is part silence, or part another sound, can be misread; two such
  /// readings do not agree.
  private static func consistent(_ points: [Point]) -> [Point] {
    func agree(_ one: Point, _ other: Point) -> Bool {
      abs(other.time.seconds(since: one.time) - (other.position - one.position)) < agreement
    }
    return points.indices.filter { index in
      index > 0 && agree(points[index - 1], points[index])
        || index + 1 < points.count && agree(points[index], points[index + 1])
    }.map { points[$0] }
  }

  /// Blocks of a millisecond without sound, between the first and the last with it.
  private static func gap(_ samples: [Float]) -> Double {
    let size = SoundLog.rate / 1000
    let isLoud = stride(from: 0, to: samples.count - size, by: size).map { start in
      samples[start...].prefix(size).contains { abs($0) > silence }
    }
    guard let first = isLoud.firstIndex(of: true), let last = isLoud.lastIndex(of: true) else { return 0 }
    var (gap, run) = (0, 0)
    for isLoud in isLoud[ClosedRange(from: first, through: last)] {
      if isLoud {
        if Double(run) >= shortestGap * 1000 { gap += run }
        run = 0
      } else {
        run += 1
      }
    }
    return Double(gap)
  }

  /// When a position of the clip was heard; nil where no stretch near it could be read.
  package func time(of position: Double) -> MonotonicTime? {
    let nearest = points.min { abs($0.position - position) < abs($1.position - position) }
    guard let nearest, abs(nearest.position - position) <= Self.length else { return nil }
    return nearest.time.advanced(byMilliseconds: (position - nearest.position) * 1000)
  }
}
