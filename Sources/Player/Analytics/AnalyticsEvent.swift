import Frames
import Streaming

/// One moment by both clocks.
package struct AnalyticsInstant: Sendable, Hashable {
  package var monotonic: MonotonicTime
  package var wall: WallTime

  package init(monotonic: MonotonicTime, wall: WallTime) { (self.monotonic, self.wall) = (monotonic, wall) }

  package static var now: AnalyticsInstant { AnalyticsInstant(monotonic: .now, wall: .machine) }

  func milliseconds(since other: AnalyticsInstant) -> Double { monotonic.milliseconds(since: other.monotonic) }
}

/// What happened to what is played. A value; holds nothing that names a clip, a machine or a user.
package struct AnalyticsEvent: Sendable, Hashable {
  package enum Name: String, Sendable, CaseIterable {
    case sessionBegin = "session_begin"
    case sessionEnd = "session_end"
    /// A clip begins to be opened, and is closed.
    case load, unload
    /// It is open.
    case ready
    case firstFrame = "first_frame"
    case play, pause, ended
    /// A seek is over.
    case seek
    case stallBegin = "stall_begin"
    case stallEnd = "stall_end"
    case rate, quality, volume, mute
    case soundTrack = "sound_track"
    case subtitleTrack = "subtitle_track"
    /// A live stream is watched at its edge from now on, or behind it.
    case live
    /// An ad in place of the clip, and one that is left out or broken off.
    case adBegin = "ad_begin"
    case adEnd = "ad_end"
    case adFailed = "ad_failed"
    /// The pictures of a while.
    case frames
    case error
    /// Lines that a slow reader lost.
    case lost
  }

  package enum Value: Sendable, Hashable {
    case integer(Int)
    case number(Double)
    case text(String)
    case flag(Bool)
    case none
  }

  package struct Field: Sendable, Hashable {
    package var name: String
    package var value: Value

    init(_ name: String, _ value: Value) { (self.name, self.value) = (name, value) }
  }

  package var name: Name
  package var at: AnalyticsInstant
  /// When what it ends began; nil: it took no time.
  package var began: AnalyticsInstant?
  /// Counted from 1 in a session; nil: it is of no clip.
  package var clip: Int?
  /// In the clip, in seconds.
  package var position: Double?
  package var fields: [Field] = []
}
