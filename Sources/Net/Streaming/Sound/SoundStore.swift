import Frames
import Media

/// The segments of a track of sound between its loader's thread and the thread that plays it. Any thread.
///
/// They are handed over whole, or of a live stream with low latency as they come, and kept as long as the picture is near them: a jump
/// within what is there loads nothing. It is loaded as far as the video is.
final class SoundStore: LoadedSegments {
  let path: String
  var role: TrackRole { .sound }
  private let video: SegmentStore
  private let monitor: Monitor<State>
  let ending = Interruption()

  fileprivate struct Entry {
    var segment: MediaSegment
    var end: MediaTime
    /// Where the media ends that has come.
    var reached: MediaTime
    var isWhole = false
    /// Is handed over while it arrives.
    var isProgressive = false

    func has(_ time: MediaTime) -> Bool { isWhole || isProgressive && time < reached }
  }

  fileprivate struct State: LoadTurns {
    /// In order, without gaps that the loader knows of.
    var entries: [Entry] = []
    /// Where the next segment that is handed over must reach, and the slack beyond: of a sought place it is taken off, so that a segment
    /// that ends right behind it is not passed over.
    var cursor: MediaTime
    var arriving = ArrivingSound()
    var loadedEnd: MediaTime
    var playhead: MediaTime
    var isStarving = false
    var isFinished = false
    var failure: Failure?
    var turn: SegmentStore.Turn
    var endedTurns: [Interruption] = []

    var isStopped: Bool { turn.ending.isRequested }

    /// The place of the entry that holds a time.
    func place(of time: MediaTime) -> Int? {
      entries.firstIndex { $0.segment.start <= time + StreamTrack.slack && time < $0.end }
    }

    /// Whether the sound at a time is loaded. If the loaded sound begins later, its beginning counts: a picture may begin before the sound
    /// that belongs to it.
    func has(_ time: MediaTime) -> Bool {
      entries.first { time < $0.end }.map { $0.has(max(time, $0.segment.start)) } ?? false
    }
  }

  /// Segments that ended so long before the picture are kept.
  private static let behind = MediaTime(nanoseconds: 2_000_000_000)
  /// What lies so little behind the loaded segments comes soon anyway.
  fileprivate static let patience = MediaTime(nanoseconds: 500_000_000)

  /// - Parameter start: where the picture is.
  init(path: String, video: SegmentStore, start: MediaTime) {
    (self.path, self.video) = (path, video)
    monitor = Monitor(
      State(cursor: start, loadedEnd: start, playhead: start, turn: SegmentStore.Turn(place: start, of: ending)))
  }

  // MARK: - The player's side

  /// The picture is at this place.
  func played(to place: MediaTime) {
    guard monitor.read({ $0.playhead != place }) else { return }
    monitor.withLock { state in
      state.playhead = place
      state.entries.removeAll { $0.isWhole && $0.end + Self.behind < place && $0.end <= state.cursor }
    }
  }

  /// Playing goes on elsewhere.
  func jump(to place: MediaTime) {
    monitor.change { state in
      state.playhead = place
      if !state.holds(place) { state.begin(at: place) }
    }
  }

  /// The sound waits for a segment.
  var isStarving: Bool { monitor.read { $0.isStarving && $0.failure == nil } }

  /// There is enough to begin with, or none will come.
  var canPlay: Bool {
    monitor.read { state in
      if state.isFinished || state.failure != nil { return true }
      return state.has(state.playhead)
    }
  }

  // MARK: - The reader's side

  func next() throws(Failure) -> SuppliedSound {
    let result = monitor.withLock { state -> Result<SuppliedSound, Failure> in
      while let entry = state.entries.first(where: { $0.end > state.cursor + StreamTrack.slack }) {
        let canGive = entry.isWhole || entry.isProgressive
        let piece = canGive ? state.arriving.take(entry.segment, isWhole: entry.isWhole) : nil
        if entry.isWhole { state.cursor = entry.end }
        state.isStarving = piece == nil
        if let piece { return .success(.segment(piece)) }
        guard entry.isWhole else { return .success(.notYet) }
      }
      if let failure = state.failure { return .failure(failure) }
      state.isStarving = !state.isFinished && !state.isStopped
      return .success(state.isStarving ? .notYet : .ended)
    }
    return try result.get()
  }

  func seek(to time: MediaTime, preroll: MediaTime) {
    monitor.change { state in
      (state.isStarving, state.arriving) = (false, ArrivingSound())
      guard state.holds(time) else { return state.begin(at: max(time, .zero)) }
      let early = state.place(of: time - preroll).map { state.entries[$0].isWhole } ?? false
      state.cursor = (early ? time - preroll : time) - StreamTrack.slack
    }
  }

  func readiness(at time: MediaTime) -> SoundReadiness {
    monitor.read { state in
      if state.has(time) { return .ready }
      if let failure = state.failure { return .failed(failure) }
      return state.isFinished ? .ready : .notYet
    }
  }

  func isVideo(ofAnotherRunThan run: Int64, at place: MediaTime) -> Bool {
    video.isVideo(ofAnotherRunThan: run, at: place)
  }

  // MARK: - The loader's side

  var bufferSeconds: Double { monitor.read { max(0, ($0.loadedEnd - $0.playhead).seconds) } }
  var loadedEnd: MediaTime { monitor.read { $0.loadedEnd } }
  var turn: SegmentStore.Turn { monitor.read { $0.turn } }
  var isUrgent: Bool { monitor.read { $0.isStarving || $0.loadedEnd <= $0.playhead } }
  var fixedRung: Int? { nil }
  var isDrained: Bool { isStarving }
  /// The first picture goes before sound, and each segment of the video before the sound that belongs to it.
  var hasRoom: Bool { video.allowsSound(behind: loadedEnd) }

  func waitForRoom(unless interruption: Interruption) {
    video.waitForSound(behind: loadedEnd, unless: interruption)
  }

  func waitForBuffer(atMost seconds: Double, until end: MonotonicTime, unless interruption: Interruption) {
    monitor.wait(until: end, unless: interruption) { state in
      (state.loadedEnd - state.playhead).seconds <= seconds || state.isStarving ? () : nil
    }
  }

  /// The video tells how long the stream is.
  func learn(_ duration: MediaTime?) {}
  func takeStall() -> Bool { false }

  func begin(_ segment: MediaSegment, end: MediaTime, isProgressive: Bool, turn: Int) {
    monitor.withLock { state in
      guard state.turn.number == turn else { return }
      state.entries.append(
        Entry(segment: segment, end: end, reached: segment.start, isProgressive: isProgressive))
    }
  }

  /// Nothing to do: the reader gets whole segments, or parts that `progress` reports.
  func arrives() {}

  func progress(_ segment: MediaSegment, to place: MediaTime, turn: Int) {
    monitor.withLock { state in
      guard state.turn.number == turn,
        let index = state.entries.lastIndex(where: { $0.segment.bytes === segment.bytes })
      else { return }
      state.entries[index].reached = max(state.entries[index].reached, place)
      state.entries[index].end = max(state.entries[index].end, place)
      state.loadedEnd = max(state.loadedEnd, place)
    }
  }

  func complete(_ segment: MediaSegment, turn: Int) {
    monitor.withLock { state in
      guard state.turn.number == turn,
        let place = state.entries.firstIndex(where: { $0.segment.bytes === segment.bytes })
      else { return }
      state.entries[place].isWhole = true
      state.loadedEnd = state.entries[place].end
    }
  }

  func withdraw(_ segment: MediaSegment) -> Bool {
    monitor.withLock { state in
      guard let place = state.entries.firstIndex(where: { $0.segment.bytes === segment.bytes }) else { return false }
      state.entries.remove(at: place)
      return true
    }
  }

  func finish(turn: Int) { monitor.withLock { if $0.turn.number == turn { $0.isFinished = true } } }

  func fail(_ failure: Failure, turn: Int) {
    monitor.withLock { if $0.turn.number == turn { $0.failure = failure } }
  }

  func stop() {
    ending.request()
    monitor.withLock { _ in }
  }

  func waitForTurn(after turn: Int) -> Bool {
    monitor.wait(until: nil) { $0.isStopped ? false : $0.turn.number != turn ? true : nil } ?? false
  }
}

extension SoundStore.State {
  /// What lies at a place is there, or comes next.
  fileprivate func holds(_ place: MediaTime) -> Bool {
    guard failure == nil else { return false }
    if self.place(of: place) != nil { return true }
    let begins = entries.first?.segment.start ?? turn.place
    return begins <= place && (place < loadedEnd + SoundStore.patience || isFinished)
  }

  fileprivate mutating func begin(at place: MediaTime) {
    follow(turn.following(place: place, isJump: true))
    (isFinished, failure, isStarving) = (false, nil, false)
    (entries, cursor, loadedEnd, arriving) = ([], place - StreamTrack.slack, place, ArrivingSound())
  }
}
