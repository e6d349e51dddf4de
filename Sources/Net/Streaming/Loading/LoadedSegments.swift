import Frames
import Media

/// Which part of a stream a loader loads.
package enum TrackRole: Sendable {
  case video, sound, subtitles
}

/// The store that a loader fills with segments of a stream's video, or of a track of its sound or subtitles. Any thread.
package protocol LoadedSegments: AnyObject, Sendable {
  /// As the user named the stream.
  var path: String { get }
  var role: TrackRole { get }
  /// Media ahead of the picture, in seconds.
  var bufferSeconds: Double { get }
  /// Where the media ends that is loaded.
  var loadedEnd: MediaTime { get }
  /// What is to be loaded.
  var turn: SegmentStore.Turn { get }
  /// What plays waits for what is loaded next.
  var isUrgent: Bool { get }
  /// The rung that is loaded in any case; nil: the controller chooses.
  var fixedRung: Int? { get }
  /// Asks to stop once the store is stopped.
  var ending: Interruption { get }
  /// The next resource may be asked for: nothing else goes before it.
  var hasRoom: Bool { get }

  /// Waits until `hasRoom`.
  func waitForRoom(unless interruption: Interruption)
  /// The reader has taken all loaded segments and waits for another. The picture may then stand still before `bufferSeconds` is 0.
  var isDrained: Bool { get }
  /// Waits until `bufferSeconds` is no more than that, the store is drained, or `end` comes.
  func waitForBuffer(atMost seconds: Double, until end: MonotonicTime, unless interruption: Interruption)
  /// How long the stream is.
  func learn(_ duration: MediaTime?)
  /// Whether the picture stood still since the last call.
  func takeStall() -> Bool
  /// A segment begins to arrive.
  ///
  /// - Parameter isProgressive: it is handed over while it arrives.
  func begin(_ segment: MediaSegment, end: MediaTime, isProgressive: Bool, turn: Int)
  /// The first bytes of the segment that arrives are there.
  func arrives()
  /// So much of the segment that arrives is there.
  func progress(_ segment: MediaSegment, to place: MediaTime, turn: Int)
  /// The segment that arrives is whole.
  func complete(_ segment: MediaSegment, turn: Int)
  /// Takes the segment that arrives back; false where the reader has it.
  func withdraw(_ segment: MediaSegment) -> Bool
  /// No segment follows.
  func finish(turn: Int)
  /// The next segment cannot be had.
  func fail(_ failure: Failure, turn: Int)
  /// Waits until playing goes on elsewhere, or ends: false then.
  func waitForTurn(after turn: Int) -> Bool
}

/// What a loader fills with a stream's video, which sound follows. Any thread.
protocol LoadedVideo: LoadedSegments {
  /// What the player of a live stream looks at, and the loaders of its sound.
  var live: LiveMonitor { get }
  /// Playing begins here: it was not known where before.
  func begin(at place: MediaTime, turn: Int)
}

/// The state of a store that loads turn by turn.
protocol LoadTurns: Sendable {
  var turn: SegmentStore.Turn { get set }
  /// Turns that have ended: they are asked to stop once the lock is free.
  var endedTurns: [Interruption] { get set }
}

extension LoadTurns {
  /// Ends the present turn.
  mutating func follow(_ next: SegmentStore.Turn) {
    endedTurns.append(turn.ending)
    turn = next
  }
}

extension Monitor where State: LoadTurns {
  /// Changes the state; then ends the turns that are over.
  func change<Result>(_ body: (inout State) -> Result) -> Result {
    let (result, ended) = withLock { state in
      let result = body(&state)
      defer { state.endedTurns = [] }
      return (result, state.endedTurns)
    }
    for turn in ended { turn.request() }
    return result
  }
}
