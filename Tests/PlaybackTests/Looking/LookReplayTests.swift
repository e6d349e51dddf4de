import Frames
import Playback
import Render
import Support
import Testing

/// Events as a window's loop takes them, and as they are kept.
@Suite struct LookReplayTests {
  private static let size = PictureSize(width: 1280, height: 720)

  private static func event(_ random: inout SeededGenerator) -> LookEvent {
    let (x, y) = (Double.random(in: 0...1280, using: &random), Double.random(in: 0...720, using: &random))
    let turn = LookAround.Turn.allCases.randomElement(using: &random) ?? .left
    let camera = Camera(
      pan: .random(in: -180...180, using: &random), tilt: .random(in: -90...90, using: &random),
      roll: .random(in: -180...180, using: &random), fieldOfView: .random(in: 25...95, using: &random))
    let events: [LookEvent] = [
      .grab(x: x, y: y), .drag(x: x, y: y), .letGo, .zoom(steps: .random(in: -2...2, using: &random), x: x, y: y),
      .recentre(x: x, y: y), .hold(turn), .release(turn), .releaseAll, .reset, .look(camera),
    ]
    return events.randomElement(using: &random) ?? .letGo
  }

  private static func recording(_ random: inout SeededGenerator, seconds: Double) -> LookRecording {
    let count = Int.random(in: 1...200, using: &random)
    let times = (0..<count).map { _ in Double.random(in: 0...seconds, using: &random) }.sorted()
    return LookRecording(size: size, moments: times.map { .init($0, event(&random)) })
  }

  private static func ticks(_ rate: Double, _ count: Int, start: Int64) -> [DisplayTick] {
    let period = 1e9 / rate
    func instant(_ number: Int) -> MonotonicTime {
      MonotonicTime(nanoseconds: start + Int64((Double(number) * period).rounded()))
    }
    return (0..<count).map {
      DisplayTick(
        timestamp: instant($0), target: instant($0 + 1), period: MediaTime(nanoseconds: Int64(period.rounded())))
    }
  }

  /// What the same hand does by the methods that windows have always called, refresh after refresh: the slow twin.
  private static func perform(_ event: LookEvent, on look: inout LookAround, at now: MonotonicTime) {
    switch event {
    case .grab(let x, let y): look.grab(x, y, in: size, at: now)
    case .drag(let x, let y): look.drag(to: x, y, in: size, at: now)
    case .letGo: look.letGo(at: now)
    case .zoom(let steps, let x, let y): look.zoom(steps, about: x, y, in: size)
    case .recentre(let x, let y): look.recentre(x, y, in: size)
    case .hold(let turn): look.hold(turn, true, at: now)
    case .release(let turn): look.hold(turn, false, at: now)
    case .releaseAll: look.releaseAll()
    case .reset: look.reset()
    case .look(let camera): look.look(camera)
    }
  }

  @Test(arguments: [50.0, 59.94, 60, 144])
  func everyEventIsShownAtTheFirstRefreshAfterIt(_ rate: Double) {
    var random = SeededGenerator(for: "everyEventIsShownAtTheFirstRefreshAfterIt")
    for _ in 0..<40 {
      let recording = Self.recording(&random, seconds: 1)
      let home = Camera(pan: .random(in: -180...180, using: &random), fieldOfView: 80)
      var replay = LookReplay(recording, on: LookAround(home: home), size: Self.size)
      var twin = LookAround(home: home)
      var taken = 0
      var shown = 0
      let ticks = Self.ticks(rate, Int(rate * 1.1), start: 987_654_321)
      for tick in ticks {
        let redraws = replay.begin(tick, at: tick.timestamp)
        let before = twin.camera
        var latencies: [Double] = []
        while taken < recording.moments.count {
          let moment = recording.moments[taken]
          let age = tick.timestamp.seconds(since: ticks[0].timestamp) - moment.seconds
          guard age > -1e-9 else { break }
          // No wait lasts longer than to the next refresh.
          #expect(age < 1 / rate + 1e-6)
          let last = twin.camera
          Self.perform(moment.event, on: &twin, at: tick.timestamp)
          if twin.camera != last { latencies.append((age + 0.003) * 1000) }
          taken += 1
        }
        let isMoved = twin.advance(to: tick.target)
        #expect(replay.look.camera == twin.camera)
        if twin.camera != before || isMoved { #expect(redraws, "what changed is drawn") }
        let answers = replay.drew(in: tick, ready: tick.timestamp.advanced(byMilliseconds: 3))
        #expect(answers.allSatisfy { $0.milliseconds <= 1000 / rate + 3.001 && $0.milliseconds >= 2.999 && !$0.isLate })
        // The events that started the movement may be among them as well.
        for latency in latencies { #expect(answers.contains { abs($0.milliseconds - latency) < 1e-3 }) }
        #expect(answers.count >= latencies.count)
        shown += answers.count
      }
      #expect(taken == recording.moments.count && shown <= taken)
    }
  }

  /// A refresh that is missed, and a view that is not drawn, make what waits for them late.
  @Test func whoWaitsForTheNextRefreshButOneIsLate() {
    let recording = LookRecording(
      size: Self.size,
      moments: [0.001, 0.011, 0.021, 0.031].map { .init($0, .zoom(steps: 1, x: 640, y: 360)) })
    var replay = LookReplay(recording, on: LookAround(home: Camera()), size: Self.size)
    let ticks = Self.ticks(100, 6, start: 0)
    func begin(_ number: Int) -> Bool { replay.begin(ticks[number], at: ticks[number].timestamp) }
    // Nothing is drawn in the second of them.
    #expect([0, 1, 2].map { begin($0) } == [false, true, true])
    let both = replay.drew(in: ticks[2], ready: ticks[2].timestamp.advanced(byMilliseconds: 4))
    #expect(both.map(\.isLate) == [true, false])
    #expect(zip(both.map(\.milliseconds), [23, 13]).allSatisfy { abs($0 - $1) < 1e-6 }, "\(both)")
    // The refresh between was missed.
    #expect(begin(4))
    let rest = replay.drew(in: ticks[4], ready: ticks[4].timestamp.advanced(byMilliseconds: 25))
    #expect(rest.map(\.isLate) == [true, false], "a slow view alone is not late")
    let none = replay.drew(in: ticks[5], ready: ticks[5].timestamp)
    #expect(replay.isOver && none.isEmpty)
  }

  /// A key and a hand that lets go change nothing themselves: their answer is the view that has moved.
  @Test func whatSetsTheViewOffIsSeenWhenItMoves() {
    let moments: [LookRecording.Moment] = [
      .init(0.004, .hold(.right)), .init(0.024, .release(.right)), .init(0.034, .letGo), .init(0.044, .hold(.up)),
      .init(0.045, .hold(.down)),
    ]
    var replay = LookReplay(
      LookRecording(size: Self.size, moments: moments), on: LookAround(home: Camera()), size: Self.size)
    var answers: [[Double]] = []
    for tick in Self.ticks(100, 7, start: 0) {
      let redraws = replay.begin(tick, at: tick.timestamp)
      answers.append(redraws ? replay.drew(in: tick, ready: tick.timestamp).map { $0.milliseconds.rounded() } : [])
    }
    #expect(answers == [[], [6], [], [], [], [], []])
  }

  @Test func placesFollowTheViewsSize() {
    let half = PictureSize(width: 640, height: 180)
    #expect(LookEvent.drag(x: 1280, y: 360).scaled(from: Self.size, to: half) == .drag(x: 640, y: 90))
    #expect(LookEvent.zoom(steps: 2, x: 2, y: 4).scaled(from: Self.size, to: half) == .zoom(steps: 2, x: 1, y: 1))
    #expect(LookEvent.hold(.up).scaled(from: Self.size, to: half) == .hold(.up))
    let empty = PictureSize(width: 0, height: 0)
    #expect(LookEvent.grab(x: 1, y: 1).scaled(from: empty, to: half) == .grab(x: 1, y: 1))
  }

  /// The same hand on a view of half the size leads to the same directions.
  @Test func aSmallerViewIsLedAlike() {
    var random = SeededGenerator(for: "aSmallerViewIsLedAlike")
    let half = PictureSize(width: Self.size.width / 2, height: Self.size.height / 2)
    for _ in 0..<20 {
      let recording = Self.recording(&random, seconds: 0.5)
      var whole = LookReplay(recording, on: LookAround(home: Camera()), size: Self.size)
      var small = LookReplay(recording, on: LookAround(home: Camera()), size: half)
      for tick in Self.ticks(60, 40, start: 0) {
        let redraws = (whole.begin(tick, at: tick.timestamp), small.begin(tick, at: tick.timestamp))
        #expect(redraws.0 == redraws.1)
        let (a, b) = (whole.look.camera, small.look.camera)
        // Nearly: a place that no tilt reaches may fall to either side.
        #expect(abs(a.pan - b.pan) < 1e-6 && abs(a.tilt - b.tilt) < 1e-6 && abs(a.fieldOfView - b.fieldOfView) < 1e-9)
      }
    }
  }

  @Test func recordersKeepWhatIsDoneAndWhen() {
    var recorder = LookRecorder()
    #expect(recorder.recording == nil)
    let start = MonotonicTime(nanoseconds: 5_000_000_000)
    // What ends nothing begins nothing.
    for event in [LookEvent.releaseAll, .letGo, .release(.up)] {
      recorder.add(event, in: Self.size, at: MonotonicTime(nanoseconds: 1))
    }
    #expect(recorder.recording == nil)
    recorder.add(.grab(x: 100, y: 50), in: Self.size, at: start)
    recorder.add(
      .drag(x: 100, y: 50), in: PictureSize(width: 640, height: 360), at: start.advanced(byMilliseconds: 250))
    recorder.add(.letGo, in: Self.size, at: start.advanced(byMilliseconds: 200))
    let expected: [LookRecording.Moment] = [
      .init(0, .grab(x: 100, y: 50)), .init(0.25, .drag(x: 200, y: 100)), .init(0.25, .letGo),
    ]
    #expect(recorder.recording == LookRecording(size: Self.size, moments: expected) && !recorder.isFull)
    recorder.add(.reset, in: Self.size, at: start.advanced(byMilliseconds: 3_600_001))
    #expect(recorder.isFull && recorder.recording?.moments == expected)
  }

  @Test func recordersHaveAnEnd() {
    var recorder = LookRecorder()
    for _ in 0...LookRecording.momentLimit { recorder.add(.reset, in: Self.size, at: MonotonicTime(nanoseconds: 0)) }
    #expect(recorder.isFull && recorder.recording?.moments.count == LookRecording.momentLimit)
  }
}
