import Dispatch
import Frames
import Sound
import Synchronization

/// Plays the sound of a clip on a thread of its own, as its `clock` is started and stopped: give the clock to a player, and tell each
/// frame that comes from the decoder.
///
/// Any thread may call any member; none but `stop` and `waitUntilReady` waits.
public final class SoundPlayer: Sendable {
  /// Tells the moment that is heard.
  public let clock = SoundClock()
  /// The peaks of the sound written, for a level meter; nil unless they were asked for.
  public let levels: SoundLevels?
  private let shared: SoundState
  private let thread: WorkerThread?

  /// - Parameters:
  ///   - source: used by the player alone from now on; its format is the output's.
  ///   - fallback: opens another output of that format where this one stops for good; nil: the clock runs on without sound.
  ///   - start: the clip's time of its first frame.
  ///   - turn: how long the clip is where it loops; nil: it does not loop.
  ///   - keeps: stretches of heard sound that `takeHeard` has at most; nil: all.
  ///   - hasLevels: whether `levels` is filled.
  public init(
    _ source: sending any SoundSource, output: any AudioOutput,
    fallback: (@Sendable (SoundFormat) -> any AudioOutput)? = nil, start: MediaTime = .zero,
    turn: MediaTime? = nil, keeps: Int? = nil,
    hasLevels: Bool = false
  ) {
    precondition(source.format == output.format, "the source gives what the output takes")
    let (clock, shared) = (clock, SoundState(output))
    let pump = SoundPump(source, output: output, clock: clock, turn: turn) { place in
      shared.places.withLock { $0.offset(at: place) }
    }
    shared.places.withLock { $0.note(place: .zero, time: start) }
    levels = hasLevels ? SoundLevels() : nil
    pump.levels = levels
    clock.onOrder { shared.work.signal() }
    self.shared = shared
    let serving = Serving(pump, shared, clock, fallback: fallback, keeps: keeps)
    do throws(Failure) {
      thread = try WorkerThread { serving.serve() }
    } catch {
      thread = nil
      shared.fail(error)
      clock.abandon(at: .now)
      shared.ready.signal()
    }
  }

  deinit { stop() }

  public var outputName: String { shared.output.withLock { $0.name } }

  /// A frame came from the decoder: the clip's time that its place on the timeline means.
  public func follow(place: MediaTime, time: MediaTime) {
    shared.places.withLock { $0.note(place: place, time: time) }
  }

  /// Waits until the output is filled with the clip's first sound, or that has failed.
  public func waitUntilReady() {
    shared.ready.wait()
    shared.ready.signal()
  }

  /// Plays another track, of the same format, as soon as it can go on where the present one is; until then that is heard. One that
  /// cannot be loaded leaves the present one, and is a `failure`.
  public func change(to source: sending any SoundSource) {
    let box = SourceBox(source)
    shared.next.withLock { $0 = box }
    shared.work.signal()
  }

  /// Sound is heard so much later than the clip has it; negative: earlier.
  public func delay(by delay: MediaTime) {
    shared.delay.withLock { $0 = delay }
    shared.work.signal()
  }

  /// Sound that was heard since the last call, oldest first.
  public func takeHeard() -> [HeardSound] {
    shared.heard.withLock { heard in
      defer { heard.removeAll() }
      return heard
    }
  }

  /// What decoding or the device failed with; nil: neither. Playing goes on, with the fallback or without sound.
  public var failure: Failure? { shared.failure.withLock { $0 } }

  /// 0 … 1, reached without a click.
  public func setGain(_ gain: Float) {
    shared.output.withLock { $0.gain = gain }
  }

  /// Turns the head, in degrees: see `AudioOutput.turn`.
  @discardableResult public func turn(pan: Double, tilt: Double, roll: Double) -> MonotonicTime? {
    shared.output.withLock { $0.turn(pan: pan, tilt: tilt, roll: roll) }
  }

  /// Ends the thread; the sound heard until then can be taken.
  public func stop() {
    guard !shared.isStopped.exchange(true, ordering: .acquiringAndReleasing) else { return }
    shared.work.signal()
    thread?.join()
    shared.output.withLock { $0.pause() }
  }
}

/// What the sound thread and the others share.
private final class SoundState: Sendable {
  let places = Mutex(PlaceMap())
  let heard = Mutex<[HeardSound]>([])
  let failure = Mutex<Failure?>(nil)
  let output: Mutex<any AudioOutput>
  /// The track to change to.
  let next = Mutex<SourceBox?>(nil)
  let delay = Mutex(MediaTime.zero)
  let isStopped = Atomic<Bool>(false)
  /// The sound thread waits here.
  let work = DispatchSemaphore(value: 0)
  /// Signalled once the output is filled.
  let ready = DispatchSemaphore(value: 0)

  init(_ output: any AudioOutput) { self.output = Mutex(output) }

  func fail(_ failure: Failure) { self.failure.withLock { $0 = $0 ?? failure } }

  var upcoming: SourceBox? { next.withLock { $0 } }
  var isChanging: Bool { upcoming != nil }

  /// Unless another track was chosen since.
  func drop(_ box: SourceBox) { next.withLock { if $0 === box { $0 = nil } } }
}

/// A source on its way to the sound thread, which alone uses it from then on.
private final class SourceBox: @unchecked Sendable {
  let source: any SoundSource

  init(_ source: sending any SoundSource) { self.source = source }
}

/// The sound thread's own; only that thread touches it.
private final class Serving: @unchecked Sendable {
  private let pump: SoundPump
  private let shared: SoundState
  private let clock: SoundClock
  private let fallback: (@Sendable (SoundFormat) -> any AudioOutput)?
  private let keeps: Int?

  /// A position is read so often while it plays.
  private static let interval = DispatchTimeInterval.milliseconds(5)
  /// Media that is being loaded is looked for so often in a pause.
  private static let patience = DispatchTimeInterval.milliseconds(20)

  init(
    _ pump: SoundPump, _ shared: SoundState, _ clock: SoundClock,
    fallback: (@Sendable (SoundFormat) -> any AudioOutput)?, keeps: Int?
  ) {
    (self.pump, self.shared, self.clock) = (pump, shared, clock)
    (self.fallback, self.keeps) = (fallback, keeps)
  }

  func serve() {
    do throws(Failure) {
      defer { shared.ready.signal() }
      try pump.prepare(at: .zero)
    } catch {
      return abandon(error)
    }
    while !shared.isStopped.load(ordering: .acquiring) {
      do throws(Failure) {
        if let failure = pump.output.failure { try replace(pump.output, because: failure) }
        try changeTrack()
        try pump.delay(by: shared.delay.withLock { $0 }, now: .now)
        try pump.step(now: .now)
      } catch {
        return abandon(error)
      }
      keep()
      if clock.isRunning {
        _ = shared.work.wait(timeout: .now() + Self.interval)
      } else if pump.isStarving || shared.isChanging {
        _ = shared.work.wait(timeout: .now() + Self.patience)
      } else {
        shared.work.wait()
      }
    }
    keep()
  }

  private func changeTrack() throws(Failure) {
    guard let next = shared.upcoming else { return }
    switch pump.readiness(of: next.source, now: .now) {
    case .notYet: return
    case .failed(let failure):
      shared.drop(next)
      shared.fail(failure)
    case .ready:
      shared.drop(next)
      try pump.change(to: next.source, now: .now)
    }
  }

  private func replace(_ output: any AudioOutput, because failure: Failure) throws(Failure) {
    guard let fallback else { throw failure }
    // Told once the other output has taken over, so that a reader of the failure finds its name.
    defer { shared.fail(failure) }
    let other = fallback(output.format)
    other.gain = output.gain
    try pump.change(to: other, now: .now)
    shared.output.withLock { $0 = other }
  }

  /// The clock runs on without sound.
  private func abandon(_ failure: Failure) {
    shared.fail(failure)
    clock.abandon(at: .now)
    keep()
  }

  private func keep() {
    let new = pump.takeHeard()
    guard !new.isEmpty else { return }
    shared.heard.withLock { heard in
      heard += new
      if let keeps, heard.count > keeps { heard.removeFirst(heard.count - keeps) }
    }
  }
}
