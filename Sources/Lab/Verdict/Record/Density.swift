/// How many clips at once a trial of `density` tried, and how each of them fared.
public struct Density: Hashable, Sendable, Codable {
  /// In their order; one where the number was given.
  public var tries: [Try]
  /// Of the try that the trial's metrics are of.
  public var streams: [Stream]

  public init(tries: [Try], streams: [Stream]) { (self.tries, self.streams) = (tries, streams) }

  /// Some clips at once, each at the pace of a display of its own.
  public struct Try: Hashable, Sendable, Codable {
    public var streams: Int
    /// Each of them was in real time.
    public var held: Bool
    /// Why not all of them could be played, as a sentence. Absent, not null, where they were.
    public var problem: String?

    public init(streams: Int, held: Bool, problem: String? = nil) {
      (self.streams, self.held, self.problem) = (streams, held, problem)
    }
  }

  /// One of them.
  public struct Stream: Hashable, Sendable, Codable {
    /// Counts of frames, as the metrics of the same names.
    public var presented: Int
    public var dropped: Int
    public var late: Int
    /// Left out by the decoder to keep up.
    public var leftOut: Int
    public var stalls: Int
    /// Absent, not null, where it is unknown.
    public var decodeLatencyMs: Spread?
    public var frameOverrunMs: Spread?

    public init(
      presented: Int, dropped: Int, late: Int, leftOut: Int, stalls: Int, decodeLatencyMs: Spread?,
      frameOverrunMs: Spread?
    ) {
      (self.presented, self.dropped, self.late) = (presented, dropped, late)
      (self.leftOut, self.stalls) = (leftOut, stalls)
      (self.decodeLatencyMs, self.frameOverrunMs) = (decodeLatencyMs, frameOverrunMs)
    }
  }

  /// Of one stream's frames.
  public struct Spread: Hashable, Sendable, Codable {
    public var mean: Double
    /// Absent, not null, below 100 frames.
    public var p99: Double?
    public var max: Double

    /// Nil without a finite sample.
    public init?(_ samples: [Double]) {
      guard let distribution = Distribution(samples) else { return nil }
      (mean, max) = (roundedForRecord(distribution.mean), roundedForRecord(distribution.max))
      p99 = distribution.p99.map(roundedForRecord)
    }
  }
}

extension Density.Stream {
  /// A stream is in real time where at most one in so many frames fails.
  public static let framesPerFault = 1000

  /// Frames that were not seen when they were due, and breaks in which none was.
  public var faults: Int {
    late.addingSaturated(dropped).addingSaturated(leftOut).addingSaturated(stalls)
  }

  /// Frames that were due.
  public var due: Int { presented.addingSaturated(dropped).addingSaturated(leftOut) }

  public var isInRealTime: Bool { presented > 0 && faults <= due / Self.framesPerFault }
}

extension Density {
  /// Of a trial.
  static let (tryLimit, streamLimit) = (1 << 12, 1 << 12)

  /// Why values that were read cannot be a trial's, as a sentence; nil where they can.
  var flaw: String? {
    if tries.count > Self.tryLimit { return "there are more than \(Self.tryLimit) tries" }
    if streams.count > Self.streamLimit { return "there are more than \(Self.streamLimit) streams at once" }
    if tries.contains(where: { !(1...Self.streamLimit).contains($0.streams) }) {
      return "a try has no streams, or more than \(Self.streamLimit)"
    }
    let counts = streams.flatMap { [$0.presented, $0.dropped, $0.late, $0.leftOut, $0.stalls] }
    return counts.contains { $0 < 0 } ? "a count of frames is negative" : nil
  }
}
