import Frames
import Playback
import Support
import Verdict

/// A player, a display and a decoder whose time is a number: nothing waits, everything can be repeated.
struct Simulation {
  /// A clip as a decoder delivers it, in output order.
  struct Clip {
    var frames: [Frame] = []
    var loops = false

    struct Frame {
      var stamp: MediaTime
      var duration: MediaTime
      /// Another frame refers to it.
      var isReference = true
      var isSync = false
    }

    /// Frames on the stroke of a rate, every second one a reference, a sync sample every `group`.
    static func steady(_ rate: Ratio, count: Int, group: Int = 30) -> Clip {
      let base = Ratio(rate.denominator, rate.numerator)
      return Clip(
        frames: (0..<count).map { number in
          let stamp = MediaTime(ticks: Int64(number), timeBase: base)
          return Frame(
            stamp: stamp, duration: MediaTime(ticks: Int64(number) + 1, timeBase: base) - stamp,
            isReference: number % 2 == 0, isSync: number % group == 0)
        })
    }
  }

  /// How long frames take to decode.
  struct Decoder {
    var cost = MediaTime(seconds: 0.001)
    /// Frames that take longer: a slow disk, a slow network.
    var pauses: [Int: MediaTime] = [:]
    var lookAhead = 8
    var failsAfter: Int?
  }

  var player: PlayMachine<Int>
  let link: ManualDisplayLink
  private(set) var log: [PlaybackEvent] = []
  /// What each refresh showed: the frame's number in the clip, nil before the first; and whether it was new.
  private(set) var screen: [(tick: DisplayTick, number: Int?, isNew: Bool)] = []
  /// Frames that the decoder left out.
  private(set) var leftOut = 0
  let clip: Clip
  private let decoder: Decoder
  private var timeline = Timeline()
  private var next = 0
  private var added = 0
  private var isRestart = false
  private var isDecoding = MonotonicTime(nanoseconds: 0)
  private var places: [Int: MediaTime] = [:]

  init(
    _ clip: Clip, refresh: Ratio, decoder: Decoder = Decoder(), limits: PlayMachine<Int>.Limits = .init(),
    clock: any MediaClock = DisplayClock()
  ) {
    self.clip = clip
    self.decoder = decoder
    player = PlayMachine(limits: limits, clock: clock)
    link = ManualDisplayLink(rate: refresh)
    player.open()
  }

  /// Plays until the player has ended or failed, or for so many refreshes.
  mutating func run(refreshes limit: Int, _ command: (inout Simulation, Int) -> Void = { _, _ in }) {
    for number in 0..<limit {
      if case .failed = player.state { return }
      if player.state == .ended { return }
      command(&self, number)
      guard let tick = link.advance() else { return }
      step(tick)
    }
  }

  private mutating func step(_ tick: DisplayTick) {
    // The box gathers what happens while the player is being changed.
    let box = EventBox()
    player.onEvent = { box.events.append($0) }
    decode(until: tick.timestamp)
    let before = screen.last?.number
    switch player.tick(tick) {
    case .show(_, let number): screen.append((tick, number, true))
    case .hold: screen.append((tick, before, false))
    }
    player.onEvent = { _ in }
    log += box.events
  }

  private final class EventBox {
    var events: [PlaybackEvent] = []
  }

  /// Seeks as a reader would: the next frame is the one that holds the place.
  mutating func seek(to number: Int) {
    next = number
    isRestart = true
  }

  private mutating func decode(until now: MonotonicTime) {
    while player.queue.count < decoder.lookAhead {
      if decoder.failsAfter == next {
        player.fail(Failure(.media, "cannot decode", cause: "it is damaged"))
        return
      }
      guard next < clip.frames.count else {
        guard clip.loops else { return player.end() }
        (next, isRestart) = (0, true)
        continue
      }
      if isLeftOut(clip.frames[next]) {
        leftOut += 1
        next += 1
        continue
      }
      let cost = decoder.cost + (decoder.pauses[next] ?? .zero)
      let ready = MonotonicTime(nanoseconds: isDecoding.nanoseconds + cost.nanoseconds)
      guard ready <= now else { return }
      isDecoding = ready
      add(clip.frames[next])
    }
    // A decoder that waited for room begins its next frame now.
    isDecoding = max(isDecoding, now)
  }

  private mutating func add(_ frame: Clip.Frame) {
    let place = timeline.place(of: frame.stamp, duration: frame.duration, isRestart ? .restart : .onward)
    isRestart = false
    player.add(PacedFrame(index: added, time: place, duration: frame.duration), next)
    added += 1
    next += 1
  }

  private func isLeftOut(_ frame: Clip.Frame) -> Bool {
    switch player.effort {
    case .everything: false
    case .references: !frame.isReference
    case .syncSample(let place): !(frame.isSync && frame.stamp >= place)
    }
  }
}

extension Simulation {
  func count(_ fate: FrameFate) -> Int {
    log.count { if case .fate(_, fate) = $0 { true } else { false } }
  }

  var repeated: Int { log.count { $0 == .repeated } }
  var late: Int { log.count { if case .late = $0 { true } else { false } } }
  var stalls: [MediaTime] { log.compactMap { if case .stalled(let time) = $0 { time } else { nil } } }
  var states: [PlaybackState] { log.compactMap { if case .state(let state) = $0 { state } else { nil } } }

  /// How many refreshes each frame that was shown stayed, in order.
  var cadence: [Int] {
    var counts: [Int] = []
    for refresh in screen where refresh.number != nil {
      if refresh.isNew { counts.append(1) } else { counts[counts.count - 1] += 1 }
    }
    return counts
  }

  /// Where in the log the decoder was asked to leave frames out for the first time.
  var firstSaving: Int? { log.firstIndex { if case .effort(.references) = $0 { true } else { false } } }

  /// Of what the screen showed from a refresh on, but its last frame; a frame that was left out adds to the one before it.
  func roughness(from refresh: Int) -> Double? {
    let shown = screen.dropFirst(refresh).filter(\.isNew)
    let durations = zip(shown, shown.dropFirst()).map { one, next in
      Roughness.Duration(
        intended: (clip.frames[next.number ?? 0].stamp - clip.frames[one.number ?? 0].stamp).milliseconds,
        actual: Double(next.tick.target.nanoseconds - one.tick.target.nanoseconds) / 1e6)
    }
    return Roughness(durations)?.milliseconds
  }
}
