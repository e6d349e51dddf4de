import Adaptation
import Frames
import Media

/// Segments between the loader's thread and the reader's: which are there, and how much media lies ahead of the picture. Any thread.
///
/// The first segment is handed over while it arrives, so that its first picture is shown early. Each other one is handed over whole.
/// Where the reader found none, it waits until as much is there as the load policy wants.
package final class SegmentStore: SegmentSupply, LoadedVideo {
  package let path: String
  package let container: String
  package let synthetic: SyntheticTag?
  private let load: LoadPolicy
  private let monitor: Monitor<State>
  /// The tracks of sound and subtitles that are played; they follow the video's jumps.
  let tracks = PlayedTracks()
  /// Of a live stream.
  package let live = LiveMonitor()
  package let ending = Interruption()

  fileprivate struct Entry {
    var segment: MediaSegment
    var end: MediaTime
    var isWhole = false
    /// Is handed over while it arrives.
    var isProgressive = false

    var isReady: Bool { isWhole || isProgressive && segment.bytes.hasMedia }
  }

  fileprivate struct State: LoadTurns {
    /// Not yet handed over, in order.
    var waiting: [Entry] = []
    /// Handed over last; with sound that lies in them, from the picture on.
    var kept: [Entry] = []
    /// Where the whole segments end; of those handed over too.
    var loadedEnd: MediaTime
    /// The end of the first segment, once it was handed over before it was whole.
    var arriving: Entry?
    /// Where the picture is.
    var playhead: MediaTime
    var hasGivenAny = false
    var isStarving = false
    /// The picture stood still, and no request has told so.
    var hasStalled = false
    var isFinished = false
    var failure: Failure?
    var turn: Turn
    var endedTurns: [Interruption] = []
    /// The rung that is loaded in any case; nil: the controller chooses.
    var fixedRung: Int?
    /// Another choice of the rung waits until a segment is whole that the reader has begun.
    var reloads = false
    var duration: MediaTime?

    var isStopped: Bool { turn.ending.isRequested }
    var isDrained: Bool { isStarving && waiting.isEmpty && arriving == nil }
    /// Where the segments end that the reader has.
    var handedEnd: MediaTime { kept.last?.end ?? turn.place }
    /// A segment became whole since the last jump.
    var hasLoaded: Bool { !turn.isJump || loadedEnd > turn.place }
  }

  /// - Parameters:
  ///   - start: where playing begins.
  package init(path: String, container: String, synthetic: SyntheticTag?, load: LoadPolicy, start: MediaTime) {
    (self.path, self.container, self.synthetic, self.load) = (path, container, synthetic, load)
    monitor = Monitor(State(loadedEnd: start, playhead: start, turn: Turn(place: start, of: ending)))
  }

  package var role: TrackRole { .video }

  /// What is loaded from where on: what an earlier turn loads is not wanted any more.
  package struct Turn: Sendable {
    package var number = 0
    package var place: MediaTime
    /// Playing goes on elsewhere; else the segments that wait are loaded again.
    package var isJump = true
    /// Asks to stop once another turn has begun, or the store is stopped.
    package let ending: Interruption
    private let store: Interruption

    /// - Parameter store: asks to stop once the store is stopped.
    init(place: MediaTime, of store: Interruption) {
      (self.place, self.store) = (place, store)
      ending = Interruption(within: store)
    }

    func following(place: MediaTime, isJump: Bool) -> Turn {
      var next = Turn(place: place, of: store)
      (next.number, next.isJump) = (number + 1, isJump)
      return next
    }
  }

  package var duration: MediaTime? { monitor.read { $0.duration } }
  package var shownFrom: MediaTime? { live.shownFrom }

  // MARK: - The player's side

  /// The picture is at this place.
  package func played(to place: MediaTime) {
    // A paused picture wakes no loader.
    guard playhead != place else { return }
    let isShared = tracks.sharesVideo
    monitor.withLock { state in
      state.playhead = place
      state.releaseKept(isShared: isShared)
    }
    tracks.played(to: place)
  }

  /// Where the picture is.
  package var playhead: MediaTime { monitor.read { $0.playhead } }

  /// Media that is loaded and lies ahead of the picture, in seconds.
  package var bufferSeconds: Double { monitor.read { Self.buffer($0) } }

  /// Where the media ends that is loaded.
  package var loadedEnd: MediaTime { monitor.read { $0.loadedEnd } }

  /// The reader waits for a segment.
  package var isStarving: Bool { monitor.read { $0.isStarving } }

  /// The picture waits for what is loaded next.
  package var isUrgent: Bool { monitor.read { $0.isStarving || Self.buffer($0) <= 0 } }

  /// The picture stands still, for its media has not come.
  package func noteStall() { monitor.withLock { $0.hasStalled = true } }

  /// Whether it did since the last call.
  package func takeStall() -> Bool {
    monitor.withLock { state in
      defer { state.hasStalled = false }
      return state.hasStalled
    }
  }

  /// There is enough to begin with.
  package var canPlay: Bool {
    monitor.read { state in
      guard !state.isFinished, state.failure == nil else { return true }
      let buffer = Self.buffer(state)
      return buffer > 0 && buffer >= load.enough(segment: buffer)
    }
  }

  private static func buffer(_ state: State) -> Double { max(0, (state.loadedEnd - state.playhead).seconds) }

  // MARK: - The reader's side

  package func next(unless interruption: Interruption, orSuperseded: Bool) throws(Failure) -> MediaSegment? {
    func look(_ state: inout State) -> Result<MediaSegment?, Failure>? {
      if state.isStopped || orSuperseded && interruption.isSuperseded { return .failure(Failure.stoppedStream(path)) }
      if let first = state.waiting.first, isReady(first, state) {
        state.waiting.removeFirst()
        if !first.isWhole { state.arriving = first }
        state.kept.append(first)
        state.releaseKept(isShared: tracks.sharesVideo)
        first.segment.bytes.take()
        (state.hasGivenAny, state.isStarving) = (true, false)
        return .success(first.segment)
      }
      if state.waiting.isEmpty {
        if let failure = state.failure { return .failure(failure) }
        if state.isFinished { return .success(nil) }
      }
      state.isStarving = true
      return nil
    }
    guard !interruption.shouldStop else { throw Failure.stoppedStream(path) }
    // `withLock` wakes the loader, which may be waiting for a starving reader.
    let result = monitor.withLock { look(&$0) } ?? monitor.wait(unless: interruption) { look(&$0) }
    guard let result else { throw Failure.stoppedStream(path) }
    return try result.get()
  }

  private func isReady(_ first: Entry, _ state: State) -> Bool {
    guard state.hasGivenAny else { return first.isWhole || first.segment.bytes.hasMedia }
    guard first.isReady else { return false }
    guard state.isStarving, !state.isFinished, state.failure == nil else { return true }
    let whole = state.waiting.filter(\.isReady).reduce(0) { $0 + ($1.end - $1.segment.start).seconds }
    return whole >= load.enough(segment: (first.end - first.segment.start).seconds)
  }

  package func seek(to time: MediaTime) -> Bool {
    monitor.change { state in
      state.begin(at: time, isJump: true)
      (state.waiting, state.kept, state.arriving, state.reloads) = ([], [], nil, false)
      (state.playhead, state.loadedEnd) = (time, time)
      (state.hasGivenAny, state.isStarving) = (false, true)
    }
    tracks.jump(to: time)
    return true
  }

  /// Waits until the first segment that was handed over is whole, and gives it with its end; nil where it does not come.
  func firstWhole(unless interruption: Interruption) -> (segment: MediaSegment, end: MediaTime)? {
    let found = monitor.wait(unless: interruption) { state -> Entry?? in
      if let first = state.kept.first, first.segment.bytes.isWhole { return .some(first) }
      return state.isStopped || state.failure != nil ? .some(nil) : nil
    }
    return (found ?? nil).map { ($0.segment, $0.end) }
  }

  // MARK: - The sound's side

  /// What is shared with sound that lies in the video's segments.
  enum Shared {
    /// A whole segment, and where it ends.
    case segment(MediaSegment, end: MediaTime)
    /// One that is made while it is sent, and is not whole.
    case arriving(MediaSegment)
    case notYet
    case ended
  }

  /// The first segment that reaches beyond a place: handed over or not.
  func shared(from place: MediaTime) -> Shared {
    monitor.read { state in
      let entries = state.kept + state.waiting
      if let entry = entries.first(where: { $0.end > place }) {
        if entry.segment.bytes.isWhole { return .segment(entry.segment, end: entry.end) }
        return entry.isProgressive ? .arriving(entry.segment) : .notYet
      }
      return state.isFinished || state.failure != nil || state.isStopped ? .ended : .notYet
    }
  }

  func holdsShared(_ place: MediaTime) -> Bool {
    monitor.read { state in
      (state.kept + state.waiting).contains {
        $0.segment.start <= place && place < $0.end && $0.segment.bytes.isWhole
      }
    }
  }

  /// Whether the video at a place belongs to another run than `run`.
  ///
  /// Segments are played in order and each to its end, also where the next run begins earlier. Less than `seamSlack` before the end of a
  /// segment the next one counts, and before the first segment that one.
  package func isVideo(ofAnotherRunThan run: Int64, at place: MediaTime) -> Bool {
    monitor.read { state in
      let entry = (state.kept + state.waiting).first { place + Self.seamSlack < $0.end }
      guard let entry, case .run(let own) = entry.segment.clock else { return false }
      return own != run
    }
  }

  /// Sound and video of a run begin apart by less; more than a player decodes ahead of its picture would be waited for without end.
  private static let seamSlack = MediaTime(nanoseconds: 100_000_000)

  /// Whether sound may be loaded that follows on `end`: as far as the video is, once the first segment of a place is there.
  func allowsSound(behind end: MediaTime) -> Bool { monitor.read { $0.allowsSound(behind: end) } }

  /// Waits until it may.
  func waitForSound(behind end: MediaTime, unless interruption: Interruption) {
    monitor.wait(unless: interruption) { $0.allowsSound(behind: end) ? () : nil }
  }

  // MARK: - The user's side

  package var fixedRung: Int? { monitor.read { $0.fixedRung } }

  /// Another rung is wanted, or the controller's choice again: what waits beyond the next segment is loaded again.
  package func fix(rung: Int?) {
    monitor.change { state in
      guard rung != state.fixedRung else { return }
      (state.fixedRung, state.reloads) = (rung, true)
      if state.arriving == nil { state.reload() }
    }
  }

  // MARK: - The loader's side

  package var turn: Turn { monitor.read { $0.turn } }

  /// Nothing goes before the video.
  package var hasRoom: Bool { true }
  package var isDrained: Bool { monitor.read { $0.isDrained } }

  package func waitForRoom(unless interruption: Interruption) {}

  package func waitForBuffer(atMost seconds: Double, until end: MonotonicTime, unless interruption: Interruption) {
    monitor.wait(until: end, unless: interruption) { Self.buffer($0) <= seconds || $0.isDrained ? () : nil }
  }

  /// How long the stream is.
  package func learn(_ duration: MediaTime?) { monitor.withLock { $0.duration = duration } }

  /// A segment begins to arrive.
  ///
  /// - Parameter isProgressive: the reader gets it while it arrives.
  package func begin(_ segment: MediaSegment, end: MediaTime, isProgressive: Bool, turn: Int) {
    monitor.withLock { state in
      guard state.turn.number == turn else { return }
      state.waiting.append(Entry(segment: segment, end: end, isProgressive: isProgressive))
    }
  }

  /// The first bytes of a segment are there: the reader may have it.
  package func arrives() { monitor.withLock { _ in } }

  /// So much of the segment that arrives is there.
  package func progress(_ segment: MediaSegment, to place: MediaTime, turn: Int) {
    monitor.withLock { state in
      guard state.turn.number == turn else { return }
      state.loadedEnd = max(state.loadedEnd, place)
      if let index = state.waiting.firstIndex(where: { $0.segment.bytes === segment.bytes }) {
        state.waiting[index].end = max(state.waiting[index].end, place)
      } else if let index = state.kept.lastIndex(where: { $0.segment.bytes === segment.bytes }) {
        state.kept[index].end = max(state.kept[index].end, place)
        if state.arriving?.segment.bytes === segment.bytes { state.arriving?.end = state.kept[index].end }
      }
    }
  }

  /// Playing begins here: it was not known where before.
  package func begin(at place: MediaTime, turn: Int) {
    monitor.withLock { state in
      guard state.turn.number == turn else { return }
      (state.playhead, state.loadedEnd) = (place, place)
      state.turn.place = place
    }
    live.begin(at: place)
  }

  /// The segment that arrives is whole.
  package func complete(_ segment: MediaSegment, turn: Int) {
    monitor.change { state in
      guard state.turn.number == turn else { return }
      if let place = state.waiting.firstIndex(where: { $0.segment.bytes === segment.bytes }) {
        state.waiting[place].isWhole = true
        state.loadedEnd = state.waiting[place].end
      } else if let arriving = state.arriving, arriving.segment.bytes === segment.bytes {
        state.loadedEnd = arriving.end
        state.arriving = nil
        if state.reloads { state.reload() }
      }
    }
  }

  /// Takes the segment that arrives back, to load another one in its place; false where the reader has it.
  package func withdraw(_ segment: MediaSegment) -> Bool {
    monitor.withLock { state in
      guard let place = state.waiting.firstIndex(where: { $0.segment.bytes === segment.bytes }) else { return false }
      state.waiting.remove(at: place)
      return true
    }
  }

  /// No segment follows.
  package func finish(turn: Int) { monitor.withLock { if $0.turn.number == turn { $0.isFinished = true } } }

  /// The next segment cannot be had.
  package func fail(_ failure: Failure, turn: Int) {
    monitor.withLock { if $0.turn.number == turn { $0.failure = failure } }
  }

  package var hasFailed: Bool { monitor.read { $0.failure != nil } }
  /// Nothing more is loaded, for all is there or the next segment cannot be had.
  package var isFinished: Bool { monitor.read { $0.isFinished || $0.failure != nil } }

  /// Ends all waiting.
  package func stop() {
    ending.request()
    monitor.withLock { _ in }
  }

  /// Waits until playing goes on elsewhere, or ends: false then.
  package func waitForTurn(after turn: Int) -> Bool {
    monitor.wait(until: nil) { $0.isStopped ? false : $0.turn.number != turn ? true : nil } ?? false
  }
}

extension SegmentStore.State {
  fileprivate func allowsSound(behind end: MediaTime) -> Bool {
    if isStopped || isFinished || failure != nil { return true }
    guard hasLoaded else { return false }
    return end < max(loadedEnd, waiting.last?.end ?? .zero, arriving?.end ?? .zero)
  }

  /// The reader has the last one; no sound is read of the others.
  fileprivate mutating func releaseKept(isShared: Bool) {
    while kept.count > 1, !isShared || kept.count > 2 && kept[1].end <= playhead { kept.removeFirst() }
  }

  fileprivate mutating func begin(at place: MediaTime, isJump: Bool) {
    follow(turn.following(place: place, isJump: isJump))
    (isFinished, failure) = (false, nil)
  }

  /// Takes back what waits, but for one segment that bridges the time until others come.
  fileprivate mutating func reload() {
    reloads = false
    let kept = waiting.first.map { $0.isWhole ? 1 : 0 } ?? 0
    guard waiting.count > kept || !isFinished else { return }
    waiting.removeSubrange(kept...)
    loadedEnd = waiting.last?.end ?? handedEnd
    begin(at: loadedEnd, isJump: false)
  }
}

extension Failure {
  static func stoppedStream(_ path: String) -> Failure {
    Failure(.cancelled, "cannot play '\(path)'", cause: "it was interrupted")
  }
}
