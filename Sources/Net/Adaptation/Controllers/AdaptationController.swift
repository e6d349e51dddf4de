/// Chooses the rung of each segment.
///
/// A controller is a value, and each call a pure function: the same state and the same arguments give the same answer and the same
/// next state. It reads no clock and does no I/O, so that the same controller runs on a virtual clock and beside real downloads.
/// `SegmentScheduler` makes the calls in their order. Times are in seconds, rates in bit/s.
public protocol AdaptationController: Sendable {
  /// The rung of the first segment, before which nothing is known.
  ///
  /// - Parameter usual: the one that the player's settings ask for.
  func firstRung(usual: Int) -> Int

  /// The rung of the next segment. At least one request has finished before.
  mutating func decide(_ situation: Situation) -> RungDecision

  /// Whether `abandonment` can return a rung: callers need not watch the downloads of other controllers.
  var abandonsDownloads: Bool { get }

  /// The rung to load instead of finishing a download, lower than the download's; nil: go on.
  ///
  /// - Parameter situation: as at this moment of the download; `segment` is the one that is being loaded.
  func abandonment(of download: SegmentDownload, _ situation: Situation) -> Int?

  /// A segment is in the buffer: `situation.buffer` includes it. `seconds` passed since its request.
  mutating func completed(rung: Int, sample: ThroughputSample, _ situation: Situation)

  /// A download was abandoned for a lower rung.
  mutating func abandoned(rung: Int, for lower: Int, _ situation: Situation)

  /// The player loaded nothing for `seconds`, because its buffer was full.
  mutating func waited(_ seconds: Double)

  /// Playing goes on at another segment; the buffer is empty.
  mutating func sought(to segment: Int)
}

extension AdaptationController {
  public func firstRung(usual: Int) -> Int { usual }
  public var abandonsDownloads: Bool { false }
  public func abandonment(of download: SegmentDownload, _ situation: Situation) -> Int? { nil }
  public mutating func completed(rung: Int, sample: ThroughputSample, _ situation: Situation) {}
  public mutating func abandoned(rung: Int, for lower: Int, _ situation: Situation) {}
  public mutating func waited(_ seconds: Double) {}
  public mutating func sought(to segment: Int) {}
}

/// What a controller knows when it is asked.
public struct Situation: Sendable {
  /// Since the session began, s.
  public var time: Double
  /// Media ahead of the playhead, s.
  public var buffer: Double
  /// The segment to choose a rung for.
  public var segment: Int
  /// Rung of the last segment that was loaded or abandoned.
  public var previousRung: Int
  public var table: RungTable
  public var throughput: ThroughputEstimate
  /// The last finished requests, the newest last; at most `SegmentScheduler.samplesKept`.
  public var samples: [ThroughputSample]

  public init(
    time: Double, buffer: Double, segment: Int, previousRung: Int, table: RungTable, throughput: ThroughputEstimate,
    samples: [ThroughputSample]
  ) {
    self.time = time
    self.buffer = buffer
    self.segment = segment
    self.previousRung = previousRung
    self.table = table
    self.throughput = throughput
    self.samples = samples
  }

  /// The highest rung whose segments load in their duration at `bitsPerSecond`, with the expected latency; 0 if none does.
  ///
  /// Sabre's `quality_from_throughput`.
  func rung(sustainedBy bitsPerSecond: Double) -> Int {
    let seconds = table.segmentSeconds
    var rung = 0
    while rung + 1 < table.count,
      throughput.latency + seconds * table.bitrates[rung + 1] / bitsPerSecond <= seconds
    {
      rung += 1
    }
    return rung
  }
}

/// An answer of a controller.
public struct RungDecision: Sendable, Hashable {
  public var rung: Int
  /// Load nothing for this long first, s.
  public var wait: Double

  public init(rung: Int, wait: Double = 0) {
    self.rung = rung
    self.wait = wait
  }
}

/// A download that is not finished.
public struct SegmentDownload: Sendable, Hashable {
  public var rung: Int
  /// Of the whole segment.
  public var bytes: Double
  /// So far; a virtual clock counts parts of bytes.
  public var received: Double
  /// Since the request was sent, s.
  public var seconds: Double
  /// Request sent → first byte, s.
  public var latency: Double

  public init(rung: Int, bytes: Double, received: Double, seconds: Double, latency: Double) {
    self.rung = rung
    self.bytes = bytes
    self.received = received
    self.seconds = seconds
    self.latency = latency
  }

  /// While the bytes flow, byte/s; nil before the first one.
  var bytesPerSecond: Double? { received > 0 && seconds > latency ? received / (seconds - latency) : nil }
}
