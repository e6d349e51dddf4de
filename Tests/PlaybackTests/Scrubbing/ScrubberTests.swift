import Decode
import Frames
import Media
import Playback
import Support
import Testing

/// A hand, a clock that is advanced by hand, and a decoder whose time is a number.
struct ScrubBench {
  var scrubber: Scrubber
  /// Milliseconds.
  private(set) var now = 0.0
  /// The wanted times in order, and how long after its request each seek was done.
  private(set) var seeks: [ScrubSeek] = []
  private(set) var latencies: [Double] = []
  private(set) var playing: [ScrubAction] = []
  private var running: (seek: ScrubSeek, done: Double)?
  private let cost: Double
  private let frame: MediaTime
  /// How far before its target a coarse seek lands.
  private let misses: MediaTime

  init(
    _ tolerance: ScrubTolerance = .fixed(.zero), cost: Double = 100, frame: MediaTime = MediaTime(seconds: 0.04),
    misses: MediaTime = .zero,
    slider: ScrubSlider = ScrubSlider(duration: MediaTime(seconds: 100), width: 1000)
  ) {
    scrubber = Scrubber(slider: slider, tolerance: tolerance)
    self.cost = cost
    self.frame = frame
    self.misses = misses
  }

  private var instant: MonotonicTime { MonotonicTime(nanoseconds: Int64(now * 1e6)) }

  mutating func begin(rate: Double = 0) { take(scrubber.begin(rate: rate)) }
  mutating func move(_ seconds: Double) { take(scrubber.move(to: MediaTime(seconds: seconds), at: instant)) }
  mutating func end() { take(scrubber.end(at: instant)) }
  mutating func tick() { take(scrubber.tick(at: instant)) }

  /// Time passes, and seeks that are done by then land.
  mutating func pass(_ milliseconds: Double) {
    let end = now + milliseconds
    while let next = running, next.done <= end {
      now = next.done
      running = nil
      latencies.append(instant.milliseconds(since: next.seek.requested))
      take(
        scrubber.landed(
          next.seek.id, interval: interval(around: next.seek.request.target - (next.seek.isExact ? .zero : misses)),
          at: instant))
    }
    now = end
  }

  /// The frame of a clip of constant rate that is shown at a time.
  private func interval(around time: MediaTime) -> Range<MediaTime> {
    let start = MediaTime(nanoseconds: time.nanoseconds / frame.nanoseconds * frame.nanoseconds)
    return start..<(start + frame)
  }

  private mutating func take(_ actions: [ScrubAction]) {
    for action in actions {
      guard case .seek(let seek) = action else {
        playing.append(action)
        continue
      }
      #expect(running == nil, "one seek at a time")
      seeks.append(seek)
      running = (seek, now + cost)
    }
  }

  var targets: [Double] { seeks.map(\.request.target.seconds) }
}

@Suite struct ScrubberTests {
  /// Chase time: while one seek runs, only the newest place is kept.
  @Test func ofManyMovesDuringASeekOnlyTheNewestSurvives() {
    var bench = ScrubBench(cost: 100)
    bench.begin()
    for place in 1...6 {
      bench.move(Double(place))
      bench.pass(10)
    }
    #expect(bench.targets == [1], "the first one runs to its end")
    bench.pass(200)
    #expect(bench.targets == [1, 6] && bench.scrubber.seeksIssued == 2 && bench.scrubber.seeksCoalesced == 4)
    // Asked for at 50, begun at 100, there at 200: waiting counts, superseded ones are not timed.
    #expect(bench.latencies == [100, 150])
  }

  /// Beside a list of all places, of which each landing takes the newest: the slow twin.
  @Test func everyHandIsChasedAsByAListOfAllItsPlaces() {
    var random = SeededGenerator(for: "everyHandIsChasedAsByAListOfAllItsPlaces")
    for _ in 0..<200 {
      let cost = Double(Int.random(in: 1...300, using: &random))
      var bench = ScrubBench(cost: cost)
      var (places, expected, busyUntil, now) = ([Double](), [Double](), -1.0, 0.0)
      func chase(until time: Double) {
        while busyUntil >= 0, busyUntil <= time {
          let landed = busyUntil
          busyUntil = -1
          guard let newest = places.last else { continue }
          places = []
          // What is shown already is not sought again.
          guard newest != expected.last else { continue }
          expected.append(newest)
          busyUntil = landed + cost
        }
      }
      bench.begin()
      var moves = 0
      var last = -1.0
      for _ in 0..<Int.random(in: 1...60, using: &random) {
        let place = Double(Int.random(in: 0...99, using: &random))
        bench.move(place)
        if place != last {
          moves += 1
          if busyUntil < 0 {
            expected.append(place)
            busyUntil = now + cost
          } else {
            places.append(place)
          }
        }
        last = place
        let step = Double(Int.random(in: 0...40, using: &random))
        bench.pass(step)
        now += step
        chase(until: now)
      }
      bench.pass(10_000)
      chase(until: now + 10_000)
      #expect(bench.targets == expected)
      #expect(bench.scrubber.seeksIssued + bench.scrubber.seeksCoalesced == moves)
      #expect(bench.latencies.count == bench.scrubber.seeksIssued)
    }
  }

  @Test func lettingGoLandsExactlyAndPlaysOnAtTheOldRate() {
    var bench = ScrubBench(.fixed(MediaTime(seconds: 1)))
    bench.begin(rate: 1.5)
    #expect(bench.playing == [.pause] && bench.scrubber.resumes)
    bench.move(10)
    bench.pass(20)
    bench.move(20)
    bench.pass(20)
    bench.end()
    #expect(bench.scrubber.state == .landing && bench.playing == [.pause], "not before the picture is there")
    bench.pass(59)
    #expect(bench.targets == [10] && bench.scrubber.seeksCoalesced == 1, "the exact one takes the coarse one's place")
    bench.pass(1)
    #expect(bench.targets == [10, 20] && bench.seeks.map(\.isExact) == [false, true])
    bench.pass(99)
    #expect(bench.playing == [.pause] && bench.scrubber.resumes)
    bench.pass(1)
    #expect(bench.playing == [.pause, .play(rate: 1.5)] && bench.scrubber.state == .idle && !bench.scrubber.resumes)
  }

  @Test func whatWasPausedStaysPaused() {
    var bench = ScrubBench()
    bench.begin(rate: 0)
    bench.move(10)
    #expect(!bench.scrubber.resumes)
    bench.end()
    bench.pass(1000)
    #expect(bench.scrubber.state == .idle && bench.playing.isEmpty && bench.targets == [10])
  }

  /// The player stands because of the first touch: that it stands is not what it goes back to.
  @Test func aHandThatComesBackBeforeTheLandingKeepsTheRate() {
    var bench = ScrubBench()
    bench.begin(rate: 2)
    bench.move(10)
    bench.end()
    bench.pass(50)
    bench.begin(rate: 0)
    bench.pass(100)
    #expect(bench.scrubber.state == .scrubbing && bench.playing == [.pause])
    bench.move(30)
    bench.end()
    bench.pass(100)
    #expect(bench.playing == [.pause, .play(rate: 2)] && bench.targets == [10, 30])
    // The next time it counts anew.
    bench.begin(rate: 0)
    bench.end()
    #expect(bench.playing == [.pause, .play(rate: 2)])
  }

  @Test func aTouchWithoutMovementSeeksNothing() {
    var bench = ScrubBench()
    bench.begin(rate: 1)
    bench.tick()
    bench.end()
    #expect(bench.playing == [.pause, .play(rate: 1)] && bench.seeks.isEmpty && bench.scrubber.state == .idle)
    bench.move(5)
    bench.end()
    #expect(bench.seeks.isEmpty, "there is no hand")
  }

  @Test func aRestingHandGetsTheExactPictureOnce() {
    var bench = ScrubBench(.fixed(MediaTime(seconds: 1)), cost: 10, misses: MediaTime(seconds: 0.5))
    bench.begin()
    bench.move(10)
    bench.pass(99)
    bench.tick()
    #expect(bench.seeks.count == 1, "it may still move")
    bench.pass(1)
    bench.tick()
    #expect(bench.seeks.map(\.isExact) == [false, true] && bench.targets == [10, 10])
    for _ in 0..<20 {
      bench.tick()
      bench.move(10)
      bench.pass(16)
    }
    bench.end()
    bench.pass(100)
    #expect(bench.seeks.count == 2 && bench.scrubber.state == .idle)
  }

  /// A coarse landing whose frame is the exact one needs no other.
  @Test func whatIsShownAlreadyIsNotSoughtAgain() {
    var bench = ScrubBench(.fixed(MediaTime(seconds: 1)), cost: 10)
    bench.begin(rate: 1)
    bench.move(10)
    bench.pass(500)
    bench.tick()
    bench.end()
    #expect(bench.seeks.count == 1 && bench.playing == [.pause, .play(rate: 1)])
  }

  /// Half a pixel around a slow hand; for a fast one, from the soonest to the latest place that it may have come to.
  @Test(arguments: [1.0, -1])
  func fastHandsAreForeseen(way: Double) {
    var bench = ScrubBench(.adaptive, cost: 40)
    bench.begin()
    var place = 50.0
    func move(_ seconds: Double) -> SeekRequest? {
      place += way * seconds
      bench.move(place)
      bench.pass(100)
      return bench.seeks.last?.request
    }
    // 100 s on 1000 pixels: half a pixel is 50 ms. Slow: a pixel in a second.
    for _ in 0..<5 {
      bench.pass(900)
      let request = move(0.1)
      #expect(
        request?.toleranceBefore == MediaTime(seconds: 0.05) && request?.toleranceAfter == request?.toleranceBefore)
      #expect(abs((request?.target.seconds ?? 0) - place) < 0.02)
    }
    // 10 s a second: in twice the 40 ms of a seek the hand goes 0.8 s; 0.6 to 2 times of that.
    let fast = move(1)
    #expect(abs((fast?.target.seconds ?? 0) - (place + way * 1.3 * 0.8)) < 1e-6)
    #expect(abs((fast?.toleranceBefore.seconds ?? 0) - 0.7 * 0.8) < 1e-6)
    #expect(fast?.toleranceAfter == fast?.toleranceBefore)
    // A hand that rests, and one that lets go, get what they point at.
    bench.tick()
    #expect(bench.seeks.last?.isExact == true && abs((bench.targets.last ?? 0) - place) < 1e-6)
    bench.end()
    bench.pass(100)
    #expect(bench.scrubber.state == .idle)
  }

  /// However long seeks take, no more than 0.15 s are foreseen; and nothing lies beside the clip.
  @Test func foresightHasLimits() {
    var bench = ScrubBench(.adaptive, cost: 500)
    bench.begin()
    for place in [10.0, 11, 12] {
      bench.move(place)
      bench.pass(1000)
    }
    bench.move(22)
    #expect(abs((bench.targets.last ?? 0) - (22 + 1.3 * 1.5)) < 1e-6)
    bench.pass(1000)
    bench.move(99.9)
    #expect(bench.targets.last == 100)
  }

  /// A picture of where the hand will be is not sought again until the hand has come near its end.
  @Test func whatWasForeseenIsNotSoughtAgain() {
    var bench = ScrubBench(.adaptive, cost: 30, frame: MediaTime(seconds: 1))
    bench.begin()
    for tick in 0..<60 {
      bench.move(10 + Double(tick) * 0.1)
      bench.pass(16)
    }
    #expect(
      (5...15).contains(bench.scrubber.seeksIssued), "\(bench.scrubber.seeksIssued) for 6 s of frames of a second")
  }

  @Test func aFixedToleranceIsKept() {
    for tolerance in [MediaTime.zero, MediaTime(seconds: 0.1), MediaTime(nanoseconds: .max)] {
      var bench = ScrubBench(.fixed(tolerance), cost: 1)
      bench.begin()
      for place in [0.0, 90, 1, 50] {
        bench.move(place)
        bench.pass(2)
      }
      #expect(bench.seeks.count == 4 && bench.seeks.allSatisfy { $0.request.toleranceAfter == tolerance })
    }
  }

  @Test func landingsOfOthersAreNone() {
    var scrubber = Scrubber(slider: ScrubSlider(duration: MediaTime(seconds: 10), width: 100))
    let now = MonotonicTime(nanoseconds: 5)
    #expect(scrubber.landed(1, interval: nil, at: now).isEmpty)
    _ = scrubber.begin(rate: 1)
    #expect(scrubber.begin(rate: 3).isEmpty, "it has the hand")
    guard case .seek(let seek) = scrubber.move(to: MediaTime(seconds: 1), at: now).first else {
      Issue.record("the first move is sought at once")
      return
    }
    _ = scrubber.move(to: MediaTime(seconds: 2), at: now)
    #expect(scrubber.landed(seek.id + 1, interval: nil, at: now).isEmpty, "that one has not begun")
    #expect(scrubber.landed(seek.id, interval: nil, at: now).count == 1)
    #expect(scrubber.landed(seek.id, interval: nil, at: now).isEmpty, "it has landed before")
  }
}

@Suite struct ScrubSliderTests {
  @Test func halfAPixelIsAsTheOldPlayerHadIt() {
    // 0.5 × 600 s ⁄ 1280
    #expect(ScrubSlider(duration: MediaTime(seconds: 600), width: 1280).halfPixel == MediaTime(seconds: 0.234375))
  }

  @Test func pixelsGoFromTheStartToTheEnd() {
    let slider = ScrubSlider(duration: MediaTime(seconds: 10), width: 101)
    #expect(slider.time(atPixel: 0) == .zero && slider.time(atPixel: 100) == MediaTime(seconds: 10))
    #expect(slider.time(atPixel: 50) == MediaTime(seconds: 5))
    #expect(slider.time(atPixel: -7) == .zero && slider.time(atPixel: 1000) == MediaTime(seconds: 10))
    let none = ScrubSlider(duration: MediaTime(seconds: -1), width: 0)
    #expect(none.time(atPixel: 1) == .zero && none.halfPixel == .zero)
  }
}
