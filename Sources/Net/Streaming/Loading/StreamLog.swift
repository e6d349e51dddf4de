import Frames
import HTTP

/// One request that a stream made. Times in seconds since the stream was opened.
public struct StreamRequest: Sendable, Hashable {
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case manifest, playlist, index, key, initialization, segment
    /// The time of day, for a live manifest.
    case clock
  }

  public enum Outcome: Sendable, Hashable {
    case finished
    case failed(String)
    /// In favour of a lower rung.
    case abandoned(for: Int)
    /// Playing went on elsewhere, or ended.
    case cancelled
  }

  public var kind: Kind
  /// Without user, password and query.
  public var url: String
  /// Nil for the manifest, and for all that belongs to sound, subtitles and previews.
  public var rung: Int?
  /// The place of the segment in the stream, from 0, and how long it lasts in seconds.
  public var segment: Int?
  public var seconds: Double?
  /// 0: the first; each retry of the same resource is one more.
  public var attempt = 0
  /// Of the resource's bytes; nil: all.
  public var range: (first: Int64, last: Int64?)? {
    firstByte.map { ($0, lastByte) }
  }
  var firstByte: Int64?
  var lastByte: Int64?
  /// The requested range ends one byte behind the resource: the bytes before were taken.
  public var isClipped = false
  public var times: TransferTimes
  public var outcome: Outcome
  /// Media ahead of the picture when it was made and when it had ended, in seconds.
  public var bufferBefore: Double
  public var bufferAfter: Double

  package init(
    kind: Kind, url: String, rung: Int?, segment: Int? = nil, seconds: Double? = nil, attempt: Int = 0,
    times: TransferTimes, outcome: Outcome, bufferBefore: Double, bufferAfter: Double
  ) {
    (self.kind, self.url, self.rung, self.segment) = (kind, url, rung, segment)
    (self.seconds, self.attempt, self.times, self.outcome) = (seconds, attempt, times, outcome)
    (self.bufferBefore, self.bufferAfter) = (bufferBefore, bufferAfter)
  }
}

/// What a stream did so far. A value.
public struct StreamHistory: Sendable, Hashable {
  /// The controller chose a rung.
  public struct Decision: Sendable, Hashable {
    public var time: Double
    public var segment: Int
    public var rung: Int
  }

  /// A segment that began to arrive, and where on the axis its pictures lie.
  public struct Placed: Sendable, Hashable {
    public var segment: Int
    public var rung: Int
    public var start: MediaTime
    public var end: MediaTime
    /// How often the packager had begun again before: of a live stream.
    public var run = 0
  }

  /// The packager of a live stream began again: its pictures, numbers and time stamps are new ones.
  public struct Restart: Sendable, Hashable {
    /// When the first segment behind it began to arrive.
    public var time: Double
    /// Where that segment begins on the axis.
    public var start: MediaTime
    /// As `Placed.run`.
    public var run: Int
  }

  /// In the order in which they ended.
  public var requests: [StreamRequest] = []
  public var decisions: [Decision] = []
  public var placed: [Placed] = []
  public var restarts: [Restart] = []

  public init() {}

  /// The segment of the picture at a place on the axis: the last one loaded of all that hold it. Nil where none does.
  public func segment(at place: MediaTime) -> Placed? { placed.last { $0.start <= place && place < $0.end } }
}

/// The history while it is made. Any thread.
package final class StreamLog: Sendable {
  private let monitor = Monitor(StreamHistory())
  private let totals = Monitor(StreamStatistics())
  private let watch = Monitor(TroubleWatch())
  private let limit: Int
  /// The actions of the video's loader and their results; nil: they are not kept.
  private let kept: Monitor<[String]>?

  /// - Parameter limit: so many of each kind are kept at least, the newest ones; twice as many at most.
  package init(limit: Int = .max, keepsSteps: Bool = false) {
    (self.limit, kept) = (min(limit, .max / 2), keepsSteps ? Monitor([]) : nil)
  }

  package var steps: [String] { kept?.read { $0 } ?? [] }
  var keepsSteps: Bool { kept != nil }
  func addStep(_ text: String) { kept?.withLock { $0.append(text) } }

  package var history: StreamHistory { monitor.read { $0 } }
  package var trouble: NetworkTrouble? { watch.read { $0.trouble } }
  /// The last segment of the video that was loaded to its end.
  package var lastSegment: StreamRequest? {
    monitor.withLock { $0.requests.last { $0.kind == .segment && $0.rung != nil && $0.outcome == .finished } }
  }
  /// Where the last segment ends that began to arrive.
  package var lastPlacedEnd: MediaTime? { monitor.read { $0.placed.last?.end } }
  package var statistics: StreamStatistics { totals.read { $0 } }
  /// - Parameter trouble: of a request that failed.
  package func add(_ request: StreamRequest, _ trouble: NetworkTrouble? = nil) {
    add(request, to: \.requests)
    totals.withLock { $0.note(request) }
    watch.withLock { $0.note(request, trouble) }
  }
  package func add(_ decision: StreamHistory.Decision) { add(decision, to: \.decisions) }
  /// A segment of the video begins to arrive. One thread.
  package func add(_ placed: StreamHistory.Placed, at time: Double) {
    if placed.run > monitor.read({ $0.restarts.last?.run ?? 0 }) {
      add(StreamHistory.Restart(time: time, start: placed.start, run: placed.run), to: \.restarts)
    }
    add(placed, to: \.placed)
  }

  /// Where a segment ends that was placed while it was made.
  package func end(_ segment: Int, at place: MediaTime) {
    monitor.withLock { history in
      guard let index = history.placed.lastIndex(where: { $0.segment == segment }) else { return }
      history.placed[index].end = place
    }
  }

  private func add<Entry>(_ entry: Entry, to list: WritableKeyPath<StreamHistory, [Entry]> & Sendable) {
    monitor.withLock { [limit] history in
      history[keyPath: list].append(entry)
      let count = history[keyPath: list].count
      if count > 2 * limit { history[keyPath: list].removeFirst(count - limit) }
    }
  }
  package func segment(at place: MediaTime) -> StreamHistory.Placed? { monitor.read { $0.segment(at: place) } }
}
