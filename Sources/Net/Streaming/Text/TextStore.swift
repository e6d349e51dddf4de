import Frames
import Media

/// The segments of a track of subtitles between its loader's thread and the thread that reads it. Any thread.
///
/// They are handed over whole, each once, and loaded as far as the video is.
final class TextStore: LoadedSegments {
  let path: String
  var role: TrackRole { .subtitles }
  let ending: Interruption
  private let video: SegmentStore
  private let monitor: Monitor<State>
  /// After a jump text is loaded from so long before the picture.
  private let preroll: MediaTime

  private struct Entry {
    var segment: MediaSegment
    var end: MediaTime
    var isWhole = false
  }

  private struct State: LoadTurns {
    /// Not yet handed over, in order.
    var entries: [Entry] = []
    /// Where the segments begin that were handed over.
    var given: Set<MediaTime> = []
    var loadedEnd: MediaTime
    var playhead: MediaTime
    var isFinished = false
    var failure: Failure?
    var turn: SegmentStore.Turn
    var endedTurns: [Interruption] = []

    /// Its text was loaded in this turn, or comes next.
    func covers(_ position: MediaTime) -> Bool {
      turn.place <= position && (position < loadedEnd + TextStore.patience || isFinished)
    }
  }

  /// What begins so little behind the loaded segments comes soon anyway.
  private static let patience = MediaTime(nanoseconds: 500_000_000)
  /// The text of a live stream may come after the picture: a line that began this long ago may still be shown.
  private static let livePreroll = MediaTime(nanoseconds: 3_000_000_000)
  /// A live stream with more starts forgets the ones that its window has no longer.
  private static let givenLimit = 256
  private static let window = MediaTime(nanoseconds: 30_000_000_000)

  /// - Parameter interruption: ends it, as the end of the stream does.
  init(path: String, video: SegmentStore, isLive: Bool, interruption: Interruption) {
    (self.path, self.video, preroll) = (path, video, isLive ? Self.livePreroll : .zero)
    ending = Interruption(within: interruption, video.ending)
    let start = max(.zero, video.playhead - preroll)
    monitor = Monitor(
      State(loadedEnd: start, playhead: video.playhead, turn: SegmentStore.Turn(place: start, of: ending)))
  }

  // MARK: - The player's side

  /// The picture is at this position.
  func played(to position: MediaTime) {
    guard monitor.read({ $0.playhead != position }) else { return }
    monitor.withLock { $0.playhead = position }
  }

  var playhead: MediaTime { monitor.read { $0.playhead } }

  /// Playing goes on elsewhere.
  func jump(to position: MediaTime) {
    let start = max(.zero, position - preroll)
    monitor.change { state in
      state.playhead = position
      guard !state.covers(position) else { return }
      state.follow(state.turn.following(place: start, isJump: true))
      (state.entries, state.loadedEnd, state.isFinished, state.failure) = ([], start, false, nil)
    }
  }

  // MARK: - The reader's side

  /// The next segment that was not handed over before; waits for it. Nil once it was stopped.
  ///
  /// Throws why the track cannot be had.
  func next() throws(Failure) -> (segment: MediaSegment, end: MediaTime)? {
    let result = monitor.wait(unless: ending) { state -> Result<Entry, Failure>? in
      while let first = state.entries.first, first.isWhole {
        state.entries.removeFirst()
        if state.given.insert(first.segment.start).inserted { return .success(first) }
      }
      return state.failure.map { .failure($0) }
    }
    return try result.map { result throws(Failure) in
      let entry = try result.get()
      return (entry.segment, entry.end)
    }
  }

  // MARK: - The loader's side

  var bufferSeconds: Double { monitor.read { max(0, ($0.loadedEnd - $0.playhead).seconds) } }
  var loadedEnd: MediaTime { monitor.read { $0.loadedEnd } }
  var turn: SegmentStore.Turn { monitor.read { $0.turn } }
  var fixedRung: Int? { nil }
  /// The picture does not wait for text.
  var isUrgent: Bool { false }
  var isDrained: Bool { false }
  /// The first picture goes before text, and each segment of the video before the text that belongs to it.
  var hasRoom: Bool { video.allowsSound(behind: loadedEnd) }

  func waitForRoom(unless interruption: Interruption) {
    video.waitForSound(behind: loadedEnd, unless: interruption)
  }

  func waitForBuffer(atMost seconds: Double, until end: MonotonicTime, unless interruption: Interruption) {
    monitor.wait(until: end, unless: interruption) { ($0.loadedEnd - $0.playhead).seconds <= seconds ? () : nil }
  }

  func learn(_ duration: MediaTime?) {}
  func takeStall() -> Bool { false }

  func begin(_ segment: MediaSegment, end: MediaTime, isProgressive: Bool, turn: Int) {
    monitor.withLock { if $0.turn.number == turn { $0.entries.append(Entry(segment: segment, end: end)) } }
  }

  func arrives() {}
  func progress(_ segment: MediaSegment, to place: MediaTime, turn: Int) {}

  func complete(_ segment: MediaSegment, turn: Int) {
    let earliest = (video.live.edge?.start ?? .zero) - Self.window
    monitor.withLock { state in
      guard state.turn.number == turn,
        let index = state.entries.firstIndex(where: { $0.segment.bytes === segment.bytes })
      else { return }
      state.entries[index].isWhole = true
      state.loadedEnd = state.entries[index].end
      if state.given.count > Self.givenLimit { state.given = state.given.filter { $0 > earliest } }
    }
  }

  func withdraw(_ segment: MediaSegment) -> Bool {
    monitor.withLock { state in
      guard let index = state.entries.firstIndex(where: { $0.segment.bytes === segment.bytes }) else { return false }
      state.entries.remove(at: index)
      return true
    }
  }

  func finish(turn: Int) { monitor.withLock { if $0.turn.number == turn { $0.isFinished = true } } }

  func fail(_ failure: Failure, turn: Int) {
    monitor.withLock { if $0.turn.number == turn { $0.failure = failure } }
  }

  func stop() { ending.request() }

  func waitForTurn(after turn: Int) -> Bool {
    monitor.wait(unless: ending) { $0.turn.number != turn ? true : nil } ?? false
  }
}
