import Frames

/// Where sync samples lie, as far as that is known: from the container's index, and from packets that were read.
public struct SyncSampleIndex: Sendable, Hashable {
  /// In ascending order.
  public private(set) var times: [MediaTime] = []
  /// Spans of time in which no sync sample lies that is not among `times`; apart from each other, in ascending order.
  public private(set) var spans: [ClosedRange<MediaTime>] = []
  /// Up to here the container's index tells them all, though perhaps a frame or two beside their places.
  private var told: MediaTime?
  /// Of the packets that are being read; nil until the first sync sample after a jump.
  private var current: ClosedRange<MediaTime>?

  private static let start = MediaTime(nanoseconds: .min)
  private static let end = MediaTime(nanoseconds: .max)

  /// An empty index.
  public init() {}

  /// - Parameter times: all sync samples that the clip has, or an empty list where they are unknown.
  public init(whole times: [MediaTime]) {
    self.times = times.sorted()
    spans = [Self.start...Self.end]
  }

  /// - Parameters:
  ///   - times: all sync samples up to `known`.
  ///   - known: what lies after it no index tells.
  public init(_ times: [MediaTime], until known: MediaTime) {
    self.times = times.sorted()
    guard !times.isEmpty else { return }
    spans = [ClosedRange(from: Self.start, through: known)]
    told = known
  }

  public var isWhole: Bool { spans.first == Self.start...Self.end }

  // MARK: - Asking

  /// Whether it can tell which sync sample is the last at or before the target and which is the nearest in the window.
  public func knowsSyncSamples(around request: SeekRequest) -> Bool {
    guard let span = spans.first(where: { $0.contains(request.target) }) else { return false }
    guard span.lowerBound == Self.start || last(atOrBefore: request.target).map({ span.contains($0) }) ?? false else {
      return false
    }
    if span.upperBound >= request.latest { return true }
    let isNearer: (MediaTime) -> Bool = { $0 >= request.earliest && $0 <= request.latest }
    guard
      let nearest = times.filter({ span.contains($0) && isNearer($0) }).map({ $0.distance(to: request.target) }).min()
    else { return false }
    return span.upperBound.distance(to: request.target) >= nearest
  }

  /// The packets being read reach past the request's target.
  public func reaches(_ request: SeekRequest) -> Bool { current.map { $0.upperBound > request.target } ?? false }

  /// The latest known sync sample that is no later than `time`; nil where none is known.
  public func last(atOrBefore time: MediaTime) -> MediaTime? {
    let count = countOfTimes(upTo: time)
    return count > 0 ? times[count - 1] : nil
  }

  /// The sync sample in the window that is nearest to the target; of two, the earlier.
  public func nearest(to request: SeekRequest) -> MediaTime? {
    let count = countOfTimes(upTo: request.target)
    let before = count > 0 && times[count - 1] >= request.earliest ? times[count - 1] : nil
    let after = count < times.count && times[count] <= request.latest ? times[count] : nil
    guard let before, let after else { return before ?? after }
    return request.target.distance(to: before) <= request.target.distance(to: after) ? before : after
  }

  /// Where a sync sample may really lie that is said to lie at a time: nearer to that than to the ones beside it.
  package func places(ofSyncSampleAt time: MediaTime) -> ClosedRange<MediaTime> {
    let count = countOfTimes(upTo: time)
    let middle = { (a: MediaTime, b: MediaTime) in MediaTime(nanoseconds: a.nanoseconds / 2 + b.nanoseconds / 2) }
    let first = count > 1 ? middle(times[count - 2], time) : Self.start
    return ClosedRange(
      from: min(first, time), through: count < times.count ? max(time, middle(time, times[count])) : Self.end)
  }

  private func countOfTimes(upTo time: MediaTime) -> Int {
    var (low, high) = (0, times.count)
    while low < high {
      let middle = (low + high) / 2
      if times[middle] <= time { low = middle + 1 } else { high = middle }
    }
    return low
  }

  // MARK: - Learning

  /// The demuxer moved, to the clip's first packet or to any other.
  public mutating func jumped(toStart: Bool) {
    keepCurrent()
    current = toStart ? Self.start...Self.start : nil
  }

  /// A packet was read.
  ///
  /// - Parameter decodingTime: no packet after this one is shown before it; nil where it is not said.
  public mutating func read(presentationTime: MediaTime, decodingTime: MediaTime?, isSyncSample: Bool) {
    if isSyncSample {
      if told.map({ presentationTime > $0 }) ?? true { insert(presentationTime) }
      if current == nil { current = presentationTime...presentationTime }
    }
    guard let span = current, let reached = decodingTime ?? (isSyncSample ? presentationTime : nil),
      reached > span.upperBound
    else { return }
    current = ClosedRange(from: span.lowerBound, through: reached)
    // Packets are read one by one: spans are merged only at sync samples and when a question is asked.
    if isSyncSample { keepCurrent() }
  }

  /// The last packet was read.
  public mutating func ended() {
    guard let span = current else { return }
    current = ClosedRange(from: span.lowerBound, through: Self.end)
    keepCurrent()
  }

  /// Adds the packets read since the last jump to the known spans.
  public mutating func keepCurrent() {
    guard let span = current else { return }
    var merged = span
    spans.removeAll { other in
      guard other.overlaps(merged) else { return false }
      merged = ClosedRange(
        from: min(other.lowerBound, merged.lowerBound), through: max(other.upperBound, merged.upperBound))
      return true
    }
    let place = spans.firstIndex { $0.lowerBound > merged.lowerBound } ?? spans.count
    spans.insert(merged, at: place)
  }

  private mutating func insert(_ time: MediaTime) {
    let count = countOfTimes(upTo: time)
    if count == 0 || times[count - 1] != time { times.insert(time, at: count) }
  }
}
