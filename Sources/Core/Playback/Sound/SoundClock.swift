import Frames
import Synchronization

/// The clock of sound: the moment that is heard. A straight line that follows the positions which the device tells, so that their
/// jitter moves no picture.
///
/// A start waits for the first sample to be heard: the frame of that moment is due only then, and neither of the two runs ahead. A device
/// that plays nothing for `patience` is not waited for. Any thread.
public final class SoundClock: MediaClock {
  fileprivate let state = Mutex(State())

  /// What the sound thread is to do.
  package enum Order: Sendable, Hashable {
    case play(at: MediaTime, rate: Double)
    /// What is played goes on, and what follows on it has another rate.
    case rate(Double)
    case pause
  }

  fileprivate struct State {
    /// Both name the same moment.
    var instant = MonotonicTime(nanoseconds: 0)
    var position = MediaTime.zero
    var rate = 1.0
    var isRunning = false
    /// Nothing was heard since it was started.
    var awaits = false
    /// Sound is loaded up to this place, and no further: the moment that is heard does not pass it.
    var limit: MediaTime?
    /// There is no sound to wait for, now or later.
    var isAbandoned = false
    var order: Order?
    var wake: @Sendable () -> Void = {}
  }

  /// How long a start waits for the first sample.
  package static let patience = MediaTime(seconds: 0.3)
  /// A device farther off than this has lost or gained sound: the clock goes where it is.
  package static let largestError = MediaTime(seconds: 0.08)
  /// The part of an error that one reading corrects. With a reading each 10 ms half of it is gone after 0.14 s.
  static let gain = 0.05

  package init() {}

  public var rate: Double { state.withLock { $0.rate } }

  public func start(at position: MediaTime, instant: MonotonicTime, rate: Double) {
    order(.play(at: position, rate: rate)) { state in
      (state.position, state.instant, state.rate) = (position, instant, rate)
      (state.isRunning, state.awaits) = (true, !state.isAbandoned)
    }
  }

  /// A rate that is nearly the same, as of catching up, leaves what is on its way to the ear: it is heard, and the readings draw out the
  /// little that it is off. Another one begins anew.
  public func setRate(_ rate: Double, at instant: MonotonicTime) {
    let wake = state.withLock { state -> (@Sendable () -> Void)? in
      guard state.isRunning, abs(rate - state.rate) <= Self.gentleStep else { return nil }
      if !state.awaits { (state.position, state.instant) = (state.position(at: instant), instant) }
      state.rate = rate
      if case .play(let place, _) = state.order {
        state.order = .play(at: place, rate: rate)
      } else {
        state.order = .rate(rate)
      }
      return state.wake
    }
    if let wake { return wake() }
    start(at: position(at: instant), instant: instant, rate: rate)
  }

  /// Of rates.
  static let gentleStep = 0.11

  public func stop() {
    order(.pause) { ($0.isRunning, $0.awaits) = (false, false) }
  }

  public func position(at instant: MonotonicTime) -> MediaTime { state.withLock { $0.position(at: instant) } }

  /// Sound that is not loaded yet is waited for.
  public func isHeld(at instant: MonotonicTime) -> Bool { state.withLock { $0.isHeld(at: instant) } }

  private func order(_ order: Order, _ change: (inout State) -> Void) {
    let wake = state.withLock { state in
      change(&state)
      state.order = order
      return state.wake
    }
    wake()
  }
}

// The sound thread's side.
extension SoundClock {
  /// Called whenever there is an order.
  package func onOrder(_ wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

  package func takeOrder() -> Order? {
    state.withLock { state in
      defer { state.order = nil }
      return state.order
    }
  }

  /// This place is heard at that instant. Left out while an order waits: it tells of sound that is no longer wanted.
  package func heard(_ place: MediaTime, at instant: MonotonicTime) {
    state.withLock { state in
      guard state.isRunning, state.order == nil else { return }
      let error = place - state.line(at: instant)
      if state.awaits || abs(error.nanoseconds) > Self.largestError.nanoseconds {
        (state.position, state.instant, state.awaits) = (place, instant, false)
      } else {
        state.position = state.position + MediaTime(seconds: error.seconds * Self.gain)
      }
    }
  }

  /// Sound is loaded up to this place; nil: as far as the output takes it.
  package func limit(_ place: MediaTime?, at now: MonotonicTime) {
    state.withLock { state in
      guard place != state.limit else { return }
      // The line goes on where it stood, not where it would be without the wait.
      if state.isHeld(at: now) {
        (state.position, state.instant) = (state.awaits ? state.position : state.limit ?? state.position, now)
      }
      state.limit = place
    }
  }

  /// No sound will come: from now on it runs as the display's clock does.
  package func abandon(at now: MonotonicTime) {
    state.withLock { state in
      if state.awaits { state.instant = now }
      (state.awaits, state.isAbandoned, state.limit) = (false, true, nil)
    }
  }

  /// Nothing is heard yet: where that has taken too long, the clock runs without it.
  package func heardNothing(at now: MonotonicTime) {
    state.withLock { state in
      guard state.awaits, state.limit == nil, now.nanoseconds - state.instant.nanoseconds > Self.patience.nanoseconds
      else { return }
      (state.instant, state.awaits) = (now, false)
    }
  }

  package var isRunning: Bool { state.withLock { $0.isRunning } }
}

extension SoundClock.State {
  func line(at instant: MonotonicTime) -> MediaTime {
    let passed = instant.nanoseconds - self.instant.nanoseconds
    return position + (rate == 1 ? MediaTime(nanoseconds: passed) : MediaTime(seconds: Double(passed) * rate / 1e9))
  }

  /// Just before the moment that it starts at, until that is heard: the frame of that moment is not due yet, and no picture of it stands
  /// longer than the others.
  func position(at instant: MonotonicTime) -> MediaTime {
    let place = awaits ? position - MediaTime(seconds: 0.005 * rate) : line(at: instant)
    return limit.map { min(place, $0) } ?? place
  }

  func isHeld(at instant: MonotonicTime) -> Bool {
    limit.map { !isRunning || awaits || line(at: instant) >= $0 } ?? false
  }
}
