import Frames

/// Plays a sequence of frames on time: one state machine, whose input is commands, decoded frames and refreshes.
///
/// It has no effects and knows no threads: it returns its decisions and reports events to `onEvent`.
/// Places are on the timeline, `Timeline`.
public struct PlayMachine<Picture> {
  public private(set) var state = PlaybackState.idle
  /// Media seconds per second, 0.25 … 4.
  public private(set) var rate = 1.0
  /// Where playing is: at the last refresh that was asked for, or where it stopped.
  public private(set) var position = MediaTime.zero
  public private(set) var queue = FrameQueue<Picture>()
  /// Told what happens, in order.
  public var onEvent: (PlaybackEvent) -> Void = { _ in }
  /// Media time between two `time` events; nil: none.
  public var timeInterval: MediaTime?

  private var control = EffortControl()
  private var clock: any MediaClock
  private var isClockRunning = false
  private var shown: PacedFrame?
  /// What playing ends with, once no frame follows.
  private var ending: PlaybackState?
  /// Whether it plays, or will once it can: after a seek, after a stall.
  public private(set) var wantsToPlay = false
  /// Frames to go on by while it does not play.
  private var steps = 0
  private var dry: DryQueue?
  private let limits: Limits

  /// The limits of lateness.
  public struct Limits: Sendable, Hashable {
    /// A queue that stays empty for so long while a frame is due is a stall, not a row of repeated refreshes.
    public var stallsAfter = MediaTime(seconds: 0.25)
    /// Frames that must wait before playing goes on after a stall.
    public var resumesWith = 2
    /// Behind by this much: frames that no other refers to are not decoded.
    public var savesAfter = MediaTime(seconds: 0.1)
    /// Behind by this much: decoding goes on at the next sync sample.
    public var leapsAfter = MediaTime(seconds: 1)
    /// A machine that had to save counts as slow for so long, and saves before it is late.
    public var slowFor = MediaTime(seconds: 10)

    public init() {}
  }

  /// A row of refreshes without the frame that was due.
  private struct DryQueue {
    var since: MonotonicTime
    var until: MonotonicTime
    var repeats: Int

    var length: MediaTime { MediaTime(nanoseconds: until.nanoseconds - since.nanoseconds) }
  }

  /// - Parameter clock: which frame is due follows from it; started and stopped by nothing else.
  public init(limits: Limits = Limits(), clock: any MediaClock = DisplayClock()) {
    self.limits = limits
    self.clock = clock
  }

  /// What a refresh shows.
  public enum Outcome {
    /// A picture that was not shown before.
    case show(PacedFrame, Picture)
    /// The picture shown last, if any.
    case hold
  }
}

// For planning ahead.
extension PlayMachine {
  /// How the decoder is asked to decode.
  public var effort: DecodeEffort { control.effort }
  /// Nil while it stands.
  var runningClock: (any MediaClock)? { isClockRunning ? clock : nil }
  /// Where the frame that is shown ends; nil when none is.
  var shownUntil: MediaTime? { shown?.end }
}

// Commands.
extension PlayMachine {
  /// From `idle` only: waits for the first frame from now on.
  public mutating func open() {
    guard state == .idle else { return }
    change(to: .opening)
  }

  /// At the end it starts over: the caller is to seek to the start when this gives true.
  public mutating func play() -> Bool {
    wantsToPlay = true
    steps = 0
    switch state {
    case .ready, .paused:
      change(to: .playing)
      return false
    case .ended, .endedEarly:
      seek(to: .zero)
      return true
    default: return false
    }
  }

  /// Holds the frame shown; a seek in progress lands paused.
  public mutating func pause() {
    wantsToPlay = false
    guard state == .playing || state == .stalled else { return }
    // The clock ran on until the stall was one: playing goes on where the pictures ended.
    if state == .stalled { position = queue.first?.time ?? shown?.end ?? position }
    settleRepeats()
    stopClock()
    change(to: .paused)
  }

  /// Stops playing, and shows the next frame as soon as it is there.
  public mutating func stepForward() {
    pause()
    guard [.ready, .paused, .seeking].contains(state), !(hasEnded && queue.count <= steps) else { return }
    steps += 1
  }

  /// Clamped to 0.25 … 4; the picture does not jump.
  public mutating func setRate(_ wanted: Double, at now: MonotonicTime) {
    let rate = wanted.isNaN ? 1 : min(max(wanted, 0.25), 4)
    guard rate != self.rate else { return }
    self.rate = rate
    if isClockRunning { clock.setRate(rate, at: now) }
    onEvent(.rate(rate))
  }

  /// Discards queued frames: the next frame added is the seek target.
  public mutating func seek(to place: MediaTime) {
    switch state {
    case .idle, .opening, .failed: return
    case .playing, .stalled: wantsToPlay = true
    default: break
    }
    settleRepeats()
    for frame in queue { onEvent(.fate(frame, .skipped)) }
    queue.removeAll()
    stopClock()
    shown = nil
    ending = nil
    steps = 0
    if control.restart(forgets: true) { onEvent(.effort(effort)) }
    position = place
    change(to: .seeking)
  }
}

// Input from the decoder.
extension PlayMachine {
  /// The next decoded frame; the first one after `open` or `seek` ends that state.
  public mutating func add(_ frame: PacedFrame, _ picture: Picture) {
    queue.append(frame, picture)
    switch state {
    case .opening:
      position = frame.time
      change(to: wantsToPlay ? .playing : .ready)
    case .seeking:
      position = frame.time
      change(to: wantsToPlay ? .playing : .paused)
    default: break
    }
  }

  /// There are no more frames.
  ///
  /// - Parameter ending: `ended` or `endedEarly`.
  public mutating func end(as ending: PlaybackState = .ended) {
    self.ending = ending
    if state == .seeking || state == .opening { change(to: ending) }
  }

  private var hasEnded: Bool { ending != nil }

  /// Keeps queued frames, and stops.
  public mutating func fail(_ failure: Failure) {
    settleRepeats()
    stopClock()
    change(to: .failed(failure))
  }
}

// Refreshes.
extension PlayMachine {
  /// Decides what the refresh shows. Once for each, in order.
  public mutating func tick(_ tick: DisplayTick) -> Outcome {
    switch state {
    case .ready, .paused: return showFirst()
    case .stalled: return resume(tick)
    case .playing: return advance(tick)
    default: return .hold
    }
  }

  /// The clock stands, but opening, seeking and stepping show one new picture.
  private mutating func showFirst() -> Outcome {
    guard shown == nil || steps > 0, let first = queue.first else {
      if hasEnded { steps = 0 }
      return .hold
    }
    if shown != nil { steps -= 1 }
    position = first.time
    return show(0)
  }

  private mutating func advance(_ tick: DisplayTick) -> Outcome {
    startClock(at: tick.target)
    let decision = Pacer.decide(
      queue, shownUntil: shown?.end, clock: clock, target: tick.target, period: tick.period)
    move(to: clock.position(at: tick.target))
    adjustEffort()
    switch decision {
    case .hold: return shown != nil && clock.isHeld(at: tick.target) ? waitForMedia(tick) : .hold
    case .wait: return wait(tick)
    case .show(let place, let refreshesLate):
      settleRepeats()
      for passed in 0..<place {
        let fate = Pacer.fate(
          of: queue[passed], next: queue[passed + 1], clock: clock, target: tick.target, period: tick.period)
        onEvent(.fate(queue[passed], fate))
      }
      if refreshesLate > 0 { onEvent(.late(queue[place], refreshes: refreshesLate)) }
      return show(place)
    }
  }

  private mutating func startClock(at instant: MonotonicTime) {
    guard !isClockRunning else { return }
    clock.start(at: position, instant: instant, rate: rate)
    isClockRunning = true
  }

  private mutating func stopClock() {
    guard isClockRunning else { return }
    clock.stop()
    isClockRunning = false
  }

  private mutating func show(_ place: Int) -> Outcome {
    let (frame, picture) = (queue[place], queue.picture(place))
    queue.removeFirst(place + 1)
    shown = frame
    onEvent(.fate(frame, .presented))
    return .show(frame, picture)
  }

  private mutating func wait(_ tick: DisplayTick) -> Outcome {
    if let ending {
      stopClock()
      wantsToPlay = false
      change(to: ending)
      return .hold
    }
    return waitForMedia(tick)
  }

  /// Pictures, or the sound that goes with them, are not there in time.
  private mutating func waitForMedia(_ tick: DisplayTick) -> Outcome {
    var dry = self.dry ?? DryQueue(since: tick.target, until: tick.target, repeats: 0)
    dry.until = tick.target
    dry.repeats += 1 + tick.missed
    self.dry = dry
    if dry.length >= limits.stallsAfter {
      stopClock()
      // What comes after it is in time again, for the clock waits.
      if control.restart(forgets: false) { onEvent(.effort(effort)) }
      change(to: .stalled)
    }
    return .hold
  }

  /// After a stall playing goes on where it stopped: the clock is moved, no frame is lost.
  private mutating func resume(_ tick: DisplayTick) -> Outcome {
    dry?.until = tick.target
    guard let first = queue.first, queue.count >= limits.resumesWith || hasEnded, !clock.isHeld(at: tick.target) else {
      if let ending, queue.isEmpty {
        dry = nil
        change(to: ending)
      }
      return .hold
    }
    settleRepeats()
    position = first.time
    change(to: .playing)
    return advance(tick)
  }

  /// Refreshes without the frame that was due are over: they were a stall, or were not after all.
  private mutating func settleRepeats() {
    guard let dry else { return }
    self.dry = nil
    guard state != .stalled else { return onEvent(.stalled(dry.length)) }
    for _ in 0..<dry.repeats { onEvent(.repeated) }
  }

  private mutating func move(to place: MediaTime) {
    if let interval = timeInterval, interval > .zero {
      let (before, now) = (position.nanoseconds / interval.nanoseconds, place.nanoseconds / interval.nanoseconds)
      if now > before { onEvent(.time(MediaTime(nanoseconds: now * interval.nanoseconds))) }
    }
    position = place
  }

  private mutating func adjustEffort() {
    guard let newest = queue.last ?? shown else { return }
    let place = EffortControl.Place(position: position, decoded: newest.end, waiting: queue.count)
    if control.adjust(place, hasEnded: hasEnded, limits) { onEvent(.effort(effort)) }
  }

  private mutating func change(to state: PlaybackState) {
    guard state != self.state else { return }
    self.state = state
    onEvent(.state(state))
  }
}

extension PlayMachine {
  /// What to make before its refresh, now that `tick` is decided; nil while it does not play.
  ///
  /// - Parameters:
  ///   - now: when the work for `tick` is done.
  ///   - redraws: as of `Pacer.upcoming`.
  public func upcoming(after tick: DisplayTick, now: MonotonicTime, redraws: Bool) -> Preparation.Upcoming? {
    guard state == .playing, let clock = runningClock else { return nil }
    return Pacer.upcoming(queue, shownUntil: shownUntil, clock: clock, after: tick, now: now, redraws: redraws)
  }
}
