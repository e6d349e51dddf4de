import Frames

/// Which frames a decoder may skip, and which decoded frames are discarded: a value.
struct Effort {
  /// Frames that no other refers to are left out where nothing below says otherwise.
  var skipsNonReferences = false
  /// The frames that a seek lets the decoder skip.
  var skipping = Skipping.asAsked
  /// The target of a leap, until a frame was delivered from there.
  var landing: Landing?
  /// The sync sample that was decoded alone: its packet comes once more, and its frame was delivered already.
  var shownAlone: MediaTime?

  enum Skipping {
    /// By `skipsNonReferences`.
    case asAsked
    case nothing
    /// Frames that lie before a time and that no other refers to.
    case before(MediaTime)
  }

  /// Decoding restarts at another place.
  mutating func restart() { (landing, shownAlone) = (nil, nil) }

  /// Whether the frame of a packet may be left out if no other refers to it.
  func isSkippable(_ time: MediaTime) -> Bool {
    switch skipping {
    case .asAsked: skipsNonReferences
    case .nothing: false
    case .before(let limit): time < limit
    }
  }

  var isAsAsked: Bool { if case .asAsked = skipping { true } else { false } }

  /// Whether the samples of the frame at a time are wanted.
  func wantsSamples(at time: MediaTime) -> Bool {
    if case .before(let limit) = skipping { return time >= limit }
    return true
  }

  /// Whether a frame that came out belongs before the sync sample that a leap goes on at.
  mutating func isBeforeLanding(_ time: MediaTime) -> Bool {
    guard let landing, landing.leadingFrames > 0, time < landing.time else { return false }
    self.landing?.leadingFrames -= 1
    return true
  }

  /// Whether a frame that came out is the one that was decoded alone, or one before it of an open group.
  mutating func isShownAlready(_ time: MediaTime) -> Bool {
    guard let shownAlone else { return false }
    if time <= shownAlone { return true }
    self.shownAlone = nil
    return false
  }
}

/// The target of a leap.
struct Landing {
  /// Of the sync sample.
  var time: MediaTime
  /// Frames before it in the container that are left out.
  var passed: Int
  /// Frames that may still come out and belong before it: those of an open group follow their sync sample. No codec
  /// has more, and where time stamps are wrong this ends it.
  var leadingFrames = 64
}
