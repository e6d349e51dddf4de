import Frames

/// How well sound and picture belong together, from the pictures seen and the sound heard. Pure.
public struct SoundMeasures: Sendable, Hashable {
  /// For each new picture: sound heard − picture seen, of the same place of the timeline, in milliseconds; positive: sound is late.
  /// Pictures during gaps of the sound have none.
  public private(set) var offsets: [TrialTrace.Sound.Offset] = []
  /// Lengths of stretches that the device played without sound of the clip, in milliseconds.
  public private(set) var gaps: [Double] = []
  /// First picture − first sound, in milliseconds; nil where either is missing.
  public private(set) var startMilliseconds: Double?

  /// - Parameters:
  ///   - views: in the order in which they were seen.
  ///   - heard: in the order in which it was heard.
  public init(views: [SeenView], heard: [HeardSound]) {
    gaps = Self.gaps(heard)
    if let picture = views.first?.seen, let sound = heard.first(where: { $0.length > .zero })?.instant {
      startMilliseconds = picture.milliseconds(since: sound)
    }
    var next = 0
    for view in views where view.isNew {
      guard let (place, sound) = Self.sound(of: view, in: heard, from: next) else { continue }
      next = place
      let instant = sound.instant.nanoseconds + Int64((view.time - sound.place).seconds / sound.rate * 1e9)
      let milliseconds = MonotonicTime(nanoseconds: instant).milliseconds(since: view.seen)
      offsets.append(.init(instant: view.seen, milliseconds: milliseconds))
    }
  }

  /// Sound and picture of one moment are never farther apart: behind a seek the same place comes again.
  private static let reach = MediaTime(seconds: 2)

  /// The stretch that holds the view's place, heard at about the time when it was seen.
  private static func sound(of view: SeenView, in heard: [HeardSound], from first: Int) -> (Int, HeardSound)? {
    for place in Range(from: first, to: max(first, heard.count)) {
      let sound = heard[place]
      guard sound.instant.nanoseconds - view.seen.nanoseconds < reach.nanoseconds else { return nil }
      if sound.place <= view.time, view.time < sound.end,
        view.seen.nanoseconds - sound.instant.nanoseconds < reach.nanoseconds
      {
        return (place, sound)
      }
    }
    return nil
  }

  /// Sound without a break, and the gaps in it, in order: for a trace.
  public static func stretches(_ heard: [HeardSound]) -> [TrialTrace.Phase] {
    var stretches: [TrialTrace.Phase] = []
    func add(_ name: String, _ start: MonotonicTime, _ length: MediaTime) {
      guard length > .zero else { return }
      let end = start.advanced(byMilliseconds: length.milliseconds)
      if let last = stretches.last, last.name == name, start.milliseconds(since: last.span.end) < breakMilliseconds {
        stretches[stretches.count - 1].span = TimeSpan(last.span.start, end)
      } else {
        stretches.append(.init(name: name, span: TimeSpan(start, end)))
      }
    }
    for sound in heard {
      add("sound", sound.instant, sound.length)
      add("gap", sound.instant.advanced(byMilliseconds: sound.length.milliseconds), sound.gap)
    }
    return stretches
  }

  /// Stretches whose told ends are nearer than this are one: instants of devices jitter.
  private static let breakMilliseconds = 2.0

  /// Periods that follow each other without sound are one gap.
  private static func gaps(_ heard: [HeardSound]) -> [Double] {
    var gaps: [Double] = []
    var isOpen = false
    for sound in heard {
      if isOpen, sound.length == .zero, let last = gaps.last {
        gaps[gaps.count - 1] = last + sound.gap.milliseconds
      } else if sound.gap > .zero {
        gaps.append(sound.gap.milliseconds)
      }
      isOpen = sound.gap > .zero
    }
    return gaps
  }

  /// How fast sound and picture drift apart, in parts per million: the Theil–Sen slope of the offsets over time, the median of the
  /// slopes between pairs of pictures that lie half of the time apart. Nil for fewer than ten pictures.
  public var driftPPM: Double? {
    guard offsets.count >= 10 else { return nil }
    let half = offsets.count / 2
    let slopes = Range(from: 0, to: offsets.count - half).compactMap { index -> Double? in
      let (one, other) = (offsets[index], offsets[index + half])
      let time = other.instant.milliseconds(since: one.instant)
      return time > 0 ? (other.milliseconds - one.milliseconds) / time * 1e6 : nil
    }.sorted()
    guard !slopes.isEmpty else { return nil }
    let middle = slopes.count / 2
    return slopes.count % 2 == 1 ? slopes[middle] : (slopes[middle - 1] + slopes[middle]) / 2
  }
}
