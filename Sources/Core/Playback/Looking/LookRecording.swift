import Frames

/// The input events of a view.
public struct LookRecording: Sendable, Hashable, Codable {
  /// One eye's view, in which the places lie.
  public var size: PictureSize
  /// In chronological order.
  public var moments: [Moment]

  /// An event and when it happened.
  public struct Moment: Sendable, Hashable, Codable {
    /// Since the recording began; never less than the one before.
    public var seconds: Double
    public var event: LookEvent

    public init(_ seconds: Double, _ event: LookEvent) {
      self.seconds = seconds
      self.event = event
    }
  }

  public init(size: PictureSize, moments: [Moment] = []) {
    self.size = size
    self.moments = moments
  }

  /// As much as one may hold: a mouse of 1000 events a second for a hundred seconds, and an hour of anything slower.
  public static let momentLimit = 100_000
  public static let secondLimit = 3600.0
}

/// Records input events as they happen. Pure.
public struct LookRecorder: Sendable {
  private var start: MonotonicTime?
  /// The events so far; its size is that of the first event's view. Nil: there are none.
  public private(set) var recording: LookRecording?
  /// The recording is full: later events are not kept.
  public private(set) var isFull = false

  public init() {}

  /// The first event is at second 0; an event that only ends another, such as lost keyboard focus, is not recorded
  /// first. Places in a view of another size are kept as far from the edges of the first one's.
  public mutating func add(_ event: LookEvent, in size: PictureSize, at now: MonotonicTime) {
    guard recording != nil || !event.ends else { return }
    let start = self.start ?? now
    self.start = start
    if recording == nil { recording = LookRecording(size: size) }
    guard let first = recording?.size, let count = recording?.moments.count else { return }
    // Times may come from two clocks within one refresh; they must not decrease.
    let seconds = max(now.seconds(since: start), recording?.moments.last?.seconds ?? 0)
    guard seconds <= LookRecording.secondLimit, count < LookRecording.momentLimit else { return isFull = true }
    recording?.moments.append(.init(seconds, event.scaled(from: size, to: first)))
  }
}
