import Frames

/// How much is decoded of a clip that the machine cannot decode in time: a value.
///
/// A machine that was late once counts as slow for a while. Then the frames that wait are watched: before they run out, frames that no
/// other refers to are left out, until enough wait again. So as many frames as can be are seen, each at its time: one that was not decoded
/// leaves a gap, a late one shifts all that come after it. A machine that was never late may use up all frames that wait, as after a pause
/// of a disk.
struct EffortControl {
  /// The last request.
  private(set) var effort = DecodeEffort.everything
  /// The most frames that waited since the last seek.
  private var most = 0
  /// Until there the machine counts as slow.
  private var slowUntil: MediaTime?

  struct Place {
    /// On the timeline.
    var position: MediaTime
    /// End of the newest decoded frame.
    var decoded: MediaTime
    /// Frames that wait to be shown.
    var waiting: Int
  }

  /// Decoding starts at another place, or what comes is in time again; true where the effort changes.
  mutating func restart(forgets: Bool) -> Bool {
    if forgets { (most, slowUntil) = (0, nil) }
    defer { effort = .everything }
    return effort != .everything
  }

  /// True where the effort changes.
  mutating func adjust<Picture>(_ place: Place, hasEnded: Bool, _ limits: PlayMachine<Picture>.Limits) -> Bool {
    most = max(most, place.waiting)
    let wanted = hasEnded ? .everything : wanted(place, limits)
    // A leap is asked for once, until it has been made.
    if case .syncSample = wanted, case .syncSample(let asked) = effort, place.decoded < asked { return false }
    defer { effort = wanted }
    return effort != wanted
  }

  private mutating func wanted<Picture>(_ place: Place, _ limits: PlayMachine<Picture>.Limits) -> DecodeEffort {
    let behind = place.position - place.decoded
    if behind > limits.savesAfter {
      slowUntil = place.position + limits.slowFor
      return behind > limits.leapsAfter ? .syncSample(after: place.position) : .references
    }
    guard let slowUntil, place.position < slowUntil else { return behind <= .zero ? .everything : effort }
    let few = max(2, most / 4)
    if place.waiting <= few {
      self.slowUntil = place.position + limits.slowFor
      return .references
    }
    return place.waiting > max(few, most * 3 / 4 - 1) ? .everything : effort
  }
}
