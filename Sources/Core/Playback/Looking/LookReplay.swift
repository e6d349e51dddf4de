import Frames
import Render

/// Replays a recording as a window's loop does, each event at the first refresh after it, and reports when the view
/// that shows it was ready. Pure: the caller passes refreshes, and it knows no clock.
public struct LookReplay: Sendable {
  public private(set) var look: LookAround
  private let recording: LookRecording
  private let size: PictureSize
  private var start: MonotonicTime?
  private var next = 0
  /// The instants of the events that changed a view which was not yet drawn.
  public private(set) var waiting: [MonotonicTime] = []

  /// An event that a view shows.
  public struct Shown: Sendable, Hashable {
    /// From the event to the moment when the view was ready.
    public var milliseconds: Double
    /// The refresh that took it was not the first one after it: it took longer than from one refresh to the next and the
    /// time that its view took.
    public var isLate: Bool
  }

  /// - Parameter size: of one eye's view; the recording's places are taken to it.
  public init(_ recording: LookRecording, on look: LookAround, size: PictureSize) {
    self.recording = recording
    self.look = look
    self.size = size
  }

  /// All events were taken, and the view is at rest.
  public var isOver: Bool { next == recording.moments.count && !look.isMoving }

  /// A refresh begins; the first one begins the recording. Returns whether the view must be redrawn.
  ///
  /// - Parameter now: when it is asked what happened.
  public mutating func begin(_ tick: DisplayTick, at now: MonotonicTime) -> Bool {
    let start = self.start ?? tick.timestamp
    self.start = start
    var redraws = false
    var setOff: [MonotonicTime] = []
    while next < recording.moments.count {
      let moment = recording.moments[next]
      let instant = start.advanced(byMilliseconds: moment.seconds * 1000)
      guard instant <= now else { break }
      next += 1
      let before = look.camera
      look.perform(moment.event.scaled(from: recording.size, to: size), in: size, at: tick.timestamp)
      if moment.event.redraws { redraws = true }
      if look.camera != before { waiting.append(instant) } else if moment.event.setsOff { setOff.append(instant) }
    }
    // An event that starts a movement counts as shown once the view has moved.
    if look.advance(to: tick.target) {
      redraws = true
      waiting += setOff
    }
    return redraws
  }

  /// A view was drawn in this refresh: returns the events that it is the first to show.
  public mutating func drew(in tick: DisplayTick, ready: MonotonicTime) -> [Shown] {
    defer { waiting.removeAll(keepingCapacity: true) }
    // Refreshes lie a rounded number of nanoseconds apart.
    let period = tick.period.milliseconds + 0.001
    return waiting.map { instant in
      Shown(
        milliseconds: ready.milliseconds(since: instant),
        isLate: tick.timestamp.milliseconds(since: instant) > period)
    }
  }
}
