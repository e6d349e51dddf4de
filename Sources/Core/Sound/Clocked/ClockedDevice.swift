import Frames

/// A device made of a clock: it takes its samples out of the buffer period by period, and each is heard a latency later.
///
/// All is counted in device frames: what the device has played while it ran, silence included. It runs while it plays and has had a
/// sample to play since it was opened or cleared; while it does not run, all of it stands, and what is on its way to the ear stays
/// there. Each mutating call first brings it to `now`: the state depends on the calls and their instants alone.
struct ClockedDevice: Sendable {
  let format: SoundFormat
  let plan: DevicePlan
  private var ring: SampleRing
  private var mixer: SoundMixer
  private var gain: GainRamp
  private var clock: RunningClock
  private(set) var isPlaying = false
  /// Whether a sample was written since it was opened or cleared.
  private var hasSamples = false
  /// Device frames that have left the buffer.
  private var consumed = 0
  /// The sample frame that leaves the buffer next.
  private var next = 0
  private var pending: [PendingSound] = []
  private var told: [ToldSound] = []
  private var played: [PlayedSound] = []
  private let renders: Bool

  /// What is kept of `played` where the caller takes none: the latest 100 seconds at 10 ms a period.
  private static let playedLimit = 10_000

  /// - Parameter renders: whether stereo samples are made of what is played.
  init(format: SoundFormat, plan: DevicePlan, renders: Bool) {
    (self.format, self.plan, self.renders) = (format, plan, renders)
    ring = SampleRing(channels: format.channelCount, capacity: plan.bufferFrames)
    mixer = SoundMixer(format.layout)
    gain = GainRamp(sampleRate: format.sampleRate)
    clock = RunningClock(framesPerNanosecond: plan.framesPerNanosecond)
  }

  var targetGain: Float { gain.target }

  /// A stretch of sound that was heard: stereo samples, none where nothing is rendered, and when.
  struct Heard {
    var samples: [Float]
    var sound: PlayedSound
  }

  // MARK: Time

  /// Lets the device play until `now`; an earlier instant than the last one changes nothing.
  mutating func advance(to now: MonotonicTime) -> [Heard] {
    let running = clock.frames(at: now)
    let due = Int((running + RunningClock.tolerance).rounded(.down))
    while consumed + plan.periodFrames <= due {
      if ring.isEmpty {
        // A process that was stopped: all but the last periods at once, and no samples of them.
        let leap = (due - consumed) / plan.periodFrames - 1000
        append(count: 0, missing: max(1, leap) * plan.periodFrames, samples: [], rendered: renders && leap <= 1)
      } else {
        takePeriod()
      }
    }
    return settle(running, now: now)
  }

  private mutating func takePeriod() {
    let end = consumed + plan.periodFrames
    while consumed < end {
      let (isSilent, until) = plan.silence(at: consumed)
      let limit = min(end, until) - consumed
      let count = isSilent ? 0 : min(limit, ring.count)
      var samples: [Float] = []
      if renders {
        samples = mixer.stereo(ring.read(count))
        gain.apply(to: &samples)
      } else {
        ring.discard(count)
        gain.skip(count)
      }
      append(count: count, missing: limit - count, samples: samples, rendered: renders)
    }
  }

  private mutating func append(count: Int, missing: Int, samples: [Float], rendered: Bool) {
    let start = consumed
    gain.skip(missing)
    pending.append(
      PendingSound(
        start: start, first: next, count: count, missing: missing,
        samples: rendered ? samples + Array(repeating: 0, count: 2 * missing) : []))
    if let last = told.last, last.missing == 0 || count == 0 {
      told[told.count - 1].count += count
      told[told.count - 1].missing += missing
    } else {
      told.append(ToldSound(start: start, first: next, count: count, missing: missing))
    }
    next += count
    consumed += count + missing
  }

  /// Moves stretches that were heard to their end out of `pending`.
  private mutating func settle(_ running: Double, now: MonotonicTime) -> [Heard] {
    let done = pending.prefix { plan.heard($0.start + $0.count + $0.missing) <= running + RunningClock.tolerance }
    guard !done.isEmpty else { return [] }
    let heard = done.map { note($0, now: now) }
    pending.removeFirst(done.count)
    return heard
  }

  private mutating func note(_ sound: PendingSound, now: MonotonicTime) -> Heard {
    let played = PlayedSound(
      instant: clock.instant(of: plan.heard(sound.start), standing: now), first: sound.first, count: sound.count,
      missing: sound.missing)
    if self.played.count >= Self.playedLimit { self.played.removeFirst(Self.playedLimit / 2) }
    self.played.append(played)
    return Heard(samples: sound.samples, sound: played)
  }

  /// Cuts the stretch that is being heard, so that its first part is over; the clock is still running.
  private mutating func cut(at now: MonotonicTime) -> [Heard] {
    var heard = advance(to: now)
    let running = clock.frames(at: now)
    if let first = pending.first, plan.heard(first.start) < running {
      let passed = Int(((running - plan.heard(first.start)) / (1 + plan.drift)).rounded(.up))
      if let (before, after) = first.split(at: passed) {
        heard.append(note(before, now: now))
        pending[0] = after
      }
    }
    return heard
  }

  // MARK: Calls

  mutating func write(_ samples: UnsafeBufferPointer<Float>, now: MonotonicTime) -> (taken: Int, heard: [Heard]) {
    let heard = advance(to: now)
    let taken = ring.write(samples)
    if taken > 0, !hasSamples {
      hasSamples = true
      if isPlaying { clock.resume(now) }
    }
    return (taken, heard)
  }

  mutating func play(_ now: MonotonicTime) -> [Heard] {
    let heard = advance(to: now)
    guard !isPlaying else { return heard }
    isPlaying = true
    if hasSamples { clock.resume(now) }
    return heard
  }

  mutating func pause(_ now: MonotonicTime) -> [Heard] {
    let heard = isPlaying ? cut(at: now) : []
    isPlaying = false
    clock.pause(now)
    return heard
  }

  /// - Returns: the stretches heard, at their end the samples that follow within 10 ms, fading out.
  mutating func clear(_ now: MonotonicTime) -> [Heard] {
    var heard = isPlaying ? cut(at: now) : []
    if renders, let fading = pending.first {
      let tail = pending.map { $0.samples }.joined().prefix(2 * max(1, format.sampleRate / 100))
      var fade = GainRamp(sampleRate: format.sampleRate)
      fade.change(to: 0)
      var samples = Array(tail)
      fade.apply(to: &samples)
      let instant = clock.instant(of: plan.heard(fading.start), standing: now)
      heard.append(
        Heard(samples: samples, sound: PlayedSound(instant: instant, first: fading.first, count: samples.count / 2)))
    }
    ring.discard(ring.count)
    (pending, told, played, next, hasSamples) = ([], [], [], 0, false)
    clock.stand(at: Double(consumed))
    return heard
  }

  mutating func takePlayed() -> [PlayedSound] {
    defer { played = [] }
    return played
  }

  /// As the device tells it; after `advance`.
  mutating func position(_ now: MonotonicTime) -> SoundPosition? {
    let place = clock.frames(at: now) - Double(plan.periodFrames + plan.latencyFrames)
    while told.count > 1, Double(told[1].start) <= place { told.removeFirst() }
    guard let sound = told.first, Double(sound.start) <= place, sound.first + sound.count > 0 else { return nil }
    let heard = min(place - Double(sound.start), Double(sound.count))
    return SoundPosition(sampleFrame: Double(sound.first) + heard, instant: now)
  }

  mutating func change(gain target: Float) { gain.change(to: target) }

  /// - Returns: when the next period to leave the buffer is heard; nil while the device stands.
  mutating func change(rotation: AmbisonicRotation) -> MonotonicTime? {
    mixer.rotation = rotation
    return clock.instant(of: plan.heard(consumed))
  }
}

/// What has left the buffer and is not heard to its end.
private struct PendingSound: Sendable {
  /// In device frames.
  var start: Int
  var first: Int
  var count: Int
  var missing: Int
  var samples: [Float]

  /// Nil where one part would be empty.
  func split(at frames: Int) -> (PendingSound, PendingSound)? {
    guard frames > 0, frames < count + missing else { return nil }
    let ours = min(frames, count)
    let cut = min(2 * frames, samples.count)
    return (
      PendingSound(start: start, first: first, count: ours, missing: frames - ours, samples: Array(samples[..<cut])),
      PendingSound(
        start: start + frames, first: first + ours, count: count - ours, missing: missing - (frames - ours),
        samples: Array(samples[cut...]))
    )
  }
}

/// A run of sample frames and the silence behind it, as the position is told by.
private struct ToldSound: Sendable {
  /// In device frames.
  var start: Int
  var first: Int
  var count: Int
  var missing: Int
}
