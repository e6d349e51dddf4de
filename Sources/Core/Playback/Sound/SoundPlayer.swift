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
      shared.state.read { $0.places.offset(at: place) }
    }
    shared.state.withLock { $0.places.note(place: .zero, time: start) }
    levels = hasLevels ? SoundLevels() : nil
    pump.levels = levels
    clock.onOrder { shared.order { _ in } }
    self.shared = shared
    let serving = Serving(pump, shared, clock, fallback: fallback, keeps: keeps)
    do throws(Failure) {
      thread = try WorkerThread { serving.serve() }
    } catch {
      thread = nil
      shared.fail(error)
      clock.abandon(at: .now)
      shared.state.withLock { $0.isReady = true }
    }
  }

  deinit { stop() }

  public var outputName: String { shared.output.withLock { $0.name } }

  /// A frame came from the decoder: the clip's time that its place on the timeline means.
  public func follow(place: MediaTime, time: MediaTime) {
    shared.state.withoutWaking { $0.places.note(place: place, time: time) }
  }

  /// Waits until the output is filled with the clip's first sound, or that has failed.
  public func waitUntilReady() {
    shared.state.wait { $0.isReady ? () : nil }
  }

  /// Plays another track, of the same format, as soon as it can go on where the present one is; until then that is heard. One that
  /// cannot be loaded leaves the present one, and is a `failure`.
  public func change(to source: sending any SoundSource) {
    let box = SourceBox(source)
    shared.order { $0.next = box }
  }

  /// Sound is heard so much later than the clip has it; negative: earlier.
  public func delay(by delay: MediaTime) {
    shared.order { $0.delay = delay }
  }

  /// Sound that was heard since the last call, oldest first.
  public func takeHeard() -> [HeardSound] {
    shared.state.withoutWaking { state in
      defer { state.heard.removeAll() }
      return state.heard
    }
  }

  /// What decoding or the device failed with; nil: neither. Playing goes on, with the fallback or without sound.
  public var failure: Failure? { shared.state.read { $0.failure } }

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
    let wasStopped = shared.order { state in
      defer { state.isStopped = true }
      return state.isStopped
    }
    guard !wasStopped else { return }
    thread?.join()
    shared.output.withLock { $0.pause() }
  }
}

/// What the sound thread and the others share.
private final class SoundState: Sendable {
  struct State: Sendable {
    var places = PlaceMap()
    var heard: [HeardSound] = []
    var failure: Failure?
    /// The track to change to.
    var next: SourceBox?
    var delay = MediaTime.zero
    /// The sound thread has something new to do.
    var isOrdered = false
    var isStopped = false
    /// The output is filled.
    var isReady = false
  }
  let state = Monitor(State())
  let output: Mutex<any AudioOutput>

  init(_ output: any AudioOutput) { self.output = Mutex(output) }

  /// Wakes the sound thread, which looks at everything again.
  func order<Result>(_ change: (inout State) -> Result) -> Result {
    state.withLock { state in
      state.isOrdered = true
      return change(&state)
    }
  }

  func fail(_ failure: Failure) { state.withoutWaking { $0.failure = $0.failure ?? failure } }

  var upcoming: SourceBox? { state.read { $0.next } }

  /// Unless another track was chosen since.
  func drop(_ box: SourceBox) { state.withoutWaking { if $0.next === box { $0.next = nil } } }

  /// The sound thread waits for something to do; at most `seconds`, where given.
  func waitForOrder(seconds: Double?) {
    let end = seconds.map { MonotonicTime.now.advanced(byMilliseconds: $0 * 1000) }
    state.wait(until: end) { state -> Void? in
      guard state.isOrdered || state.isStopped else { return nil }
      state.isOrdered = false
      return ()
    }
  }
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

  /// Seconds between two looks at the output while it plays.
  private static let interval = 0.005
  /// Seconds between two looks for media that is being loaded, in a pause.
  private static let patience = 0.02

  init(
    _ pump: SoundPump, _ shared: SoundState, _ clock: SoundClock,
    fallback: (@Sendable (SoundFormat) -> any AudioOutput)?, keeps: Int?
  ) {
    (self.pump, self.shared, self.clock) = (pump, shared, clock)
    (self.fallback, self.keeps) = (fallback, keeps)
  }

  func serve() {
    do throws(Failure) {
      defer { shared.state.withLock { $0.isReady = true } }
      try pump.prepare(at: .zero)
    } catch {
      return abandon(error)
    }
    while !shared.state.read(\.isStopped) {
      do throws(Failure) {
        if let failure = pump.output.failure { try replace(pump.output, because: failure) }
        try changeTrack()
        try pump.delay(by: shared.state.read(\.delay), now: .now)
        try pump.step(now: .now)
      } catch {
        return abandon(error)
      }
      keep()
      if clock.isRunning {
        shared.waitForOrder(seconds: Self.interval)
      } else {
        shared.waitForOrder(seconds: pump.isStarving || shared.upcoming != nil ? Self.patience : nil)
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
    shared.state.withoutWaking { state in
      state.heard += new
      if let keeps, state.heard.count > keeps { state.heard.removeFirst(state.heard.count - keeps) }
    }
  }
}
