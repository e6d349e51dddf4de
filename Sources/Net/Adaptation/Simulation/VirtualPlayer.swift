/// The player of a simulation: a buffer that playing empties, and the clock.
///
/// Media plays from `resume` seconds of buffer on, and stops where the buffer is empty.
struct VirtualPlayer {
  /// A buffer that runs empty in the microsecond in which the next segment comes is no stall, s.
  private static let rounding = 1e-6

  private(set) var time = 0.0
  /// Media ahead of the playhead, s.
  private(set) var buffer = 0.0
  private(set) var states = [SimulatedSession.StateChange(time: 0, state: .joining)]
  private(set) var stalls: [SimulatedSession.Stall] = []
  private(set) var startup: Double?

  var isPlaying: Bool { state == .playing }

  private var state: SimulatedSession.State { states[states.count - 1].state }

  /// Plays until `end`; media that runs out starts a stall.
  mutating func advance(to end: Double) {
    let seconds = max(0, end - time)
    if state == .playing {
      if seconds > buffer + Self.rounding {
        states.append(.init(time: time + buffer, state: .rebuffering))
        buffer = 0
      } else {
        buffer = max(0, buffer - seconds)
      }
    }
    time = max(time, end)
  }

  /// A segment is there. Plays from now on if that is enough.
  ///
  /// - Parameters:
  ///   - enough: s.
  ///   - isLast: no media comes after it: then any is enough.
  mutating func add(_ seconds: Double, enough: Double, isLast: Bool) {
    buffer += seconds
    guard state != .playing, isLast || buffer >= enough else { return }
    endStall()
    if startup == nil { startup = time }
    states.append(.init(time: time, state: .playing))
  }

  /// Plays what is left. The session ends.
  mutating func playOut() {
    time += buffer
    buffer = 0
    states.append(.init(time: time, state: .ended))
  }

  /// No more media comes: the session fails when the buffer is empty.
  mutating func fail() {
    if state == .playing {
      time += buffer
      buffer = 0
    }
    endStall()
    states.append(.init(time: time, state: .failed))
  }

  private mutating func endStall() {
    guard state == .rebuffering, let start = states.last?.time else { return }
    stalls.append(.init(start: start, seconds: time - start))
  }
}
