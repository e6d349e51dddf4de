import Decode
import Frames
import GPU
import Media
import Playback
import Render
import Support
import TestPicture
import Testing

/// Views that are drawn while the one before is shown: what is seen of them is read from their pixels, and the counters must say
/// the same as if each had been drawn at its refresh.
@Suite(.tier(.test), .enabled(if: TestDevice.isAvailable, "no Vulkan device"))
struct PreparedViewTests {
  private static func played(
    _ rate: Int32, on refresh: Int32, moves: Bool = false, rendering: @escaping (Int) -> Double
  ) throws -> (log: PlayLog, ticks: [PlayTick], numbers: [Int], drawer: TimedDrawer?) {
    var drawer: TimedDrawer?
    let (log, ticks, _) = try PlayStage(rate, on: refresh, cost: 0.001).play(
      rendering: rendering, moves: moves, drawer: { drawer = $0 })
    return (log, ticks.filter { $0.view != nil }, try ticks.compactMap(PlayStage.number), drawer)
  }

  @Test(arguments: [(30, 60), (60, 60), (24, 60), (60, 50)] as [(Int32, Int32)])
  func viewsAreBegunBeforeTheirRefresh(_ rate: Int32, _ refresh: Int32) throws {
    let (log, ticks, numbers, drawer) = try Self.played(rate, on: refresh) { _ in 0.9 / Double(refresh) }
    let shown = log.fates.filter { $0.fate == .presented }.map { $0.frame.index % 50 }
    #expect(numbers == shown && log.dropped == 0 && log.late == 0 && log.repeated == 0)
    #expect(log.presented + log.skipped == Int(rate) * 3)
    // The first has nothing before it, and where the camera rests is known after two refreshes.
    for tick in ticks.dropFirst(2) {
      let (taken, ready) = (try #require(tick.taken), try #require(tick.ready))
      #expect(taken < tick.tick.timestamp && ready >= tick.tick.timestamp && ready <= tick.tick.target)
    }
    let (prepared, used) = (try #require(drawer?.prepared), try #require(drawer?.shownPrepared))
    #expect(used >= ticks.count - 2 && prepared == used, "\(used) of \(prepared) for \(ticks.count)")
  }

  /// A view may take nearly two refreshes now and then, where it takes less than one in the mean. Drawn at its refresh, each of
  /// those would be late.
  @Test(arguments: [false, true])
  func aSlowViewIsMadeUpFor(moves: Bool) throws {
    let (log, _, numbers, _) = try Self.played(60, on: 60, moves: moves) { $0 % 7 == 3 ? 1.7 / 60 : 0.6 / 60 }
    #expect(numbers == (0..<180).map { $0 % 50 })
    #expect(log.presented == 180 && log.late == 0 && log.dropped == 0 && log.repeated == 0)
  }

  /// Too slow is still too slow: what cannot be shown in time counts as before.
  @Test func whatIsTooSlowIsStillCounted() throws {
    let (log, ticks, numbers, _) = try Self.played(60, on: 60) { $0 % 11 == 5 ? 2.6 / 60 : 0.5 / 60 }
    #expect(log.late > 10 && log.presented + log.dropped == 180 && log.skipped == 0)
    #expect(numbers.count == ticks.count && log.presented <= numbers.count)
    for (view, next) in zip(log.views, log.views.dropFirst()) { #expect(view.seen < next.seen) }
    for view in log.views { #expect(view.seen >= view.ready && view.seen >= view.due) }
  }

  /// Each refresh shows the view of its own moment, made at the one before.
  @Test func aPathIsDrawnAheadToo() throws {
    func camera(_ moment: MediaTime) -> Camera { Camera(pan: moment.seconds * 40) }
    var drawer: TimedDrawer?
    let stage = try PlayStage(30, on: 60, cost: 0.001)
    var seen: [(camera: Camera?, moment: MediaTime)] = []
    let (log, ticks, _) = try stage.play(
      rendering: { _ in 0.015 }, moves: true, camera: camera, drawer: { drawer = $0 },
      commands: { session, _ in
        if let camera = drawer?.lastCamera { seen.append((camera, session.log.views.last?.moment ?? .zero)) }
        return session.log.views.count < 170
      })
    #expect(seen.count > 150)
    for (shown, moment) in seen { #expect(shown == camera(moment)) }
    for (view, next) in zip(log.views, log.views.dropFirst()) {
      #expect(abs((next.moment - view.moment).seconds - 1.0 / 60) < 1e-6)
    }
    #expect(try #require(drawer?.shownPrepared) >= log.views.count - 2 && log.late == 0)
    #expect(ticks.last?.state == .playing)
  }

  /// A hand at random refreshes, which turns the view or changes something else about it: with any view prepared, the refresh draws
  /// what the hand made of it; meanwhile nothing is made ahead.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func aHandIsAnsweredAtItsRefresh(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let (moving, drawer) = (Box(Camera()), Box(TimedDrawer?.none))
    var (isStale, moved, begun, before) = (false, 0, 0, (prepared: 0, shown: 0))
    let stage = try PlayStage(30, on: 60, cost: 0.001)
    var wanted: [Camera] = []
    let (log, ticks, _) = try stage.play(
      rendering: { _ in 0.006 }, camera: { _ in moving.value }, redraws: { isStale }, drawer: { drawer.value = $0 },
      commands: { session, number in
        if let shown = drawer.value?.lastCamera { #expect(shown == wanted.last, "seed \(seed), refresh \(number)") }
        let made = (drawer.value?.prepared ?? 0, drawer.value?.shownPrepared ?? 0)
        if isStale { #expect(made == before, "seed \(seed), refresh \(number)") }
        before = made
        isStale = number % 20 < 10 && Bool.random(using: &generator)
        if isStale {
          moving.value.pan += Double.random(in: 0...1, using: &generator).rounded()
          moved += 1
        }
        if number % 20 == 9 { begun = drawer.value?.prepared ?? 0 }
        wanted.append(moving.value)
        return session.log.views.count < 170
      })
    #expect(moved > 20 && log.late == 0 && log.dropped == 0, "seed \(seed)")
    let (prepared, shown) = (try #require(drawer.value?.prepared), try #require(drawer.value?.shownPrepared))
    #expect(shown > 20 && prepared <= shown + moved && begun > 0, "seed \(seed): \(shown) of \(prepared)")
    #expect(ticks.count { $0.view != nil } >= log.views.count)
  }

  /// The same where only the camera tells of the hand: a new picture looks where the hand is at its refresh, also with a view made ahead,
  /// and nothing is made ahead while the hand turns.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func newPicturesLookWhereTheHandIs(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let (camera, drawer) = (Box(Camera()), Box(TimedDrawer?.none))
    var (turns, turned, before) = (false, 0, (views: 0, prepared: 0))
    _ = try PlayStage(30, on: 60, cost: 0.001).play(
      rendering: { _ in 0.006 }, camera: { _ in camera.value }, drawer: { drawer.value = $0 },
      commands: { session, number in
        let (views, prepared) = (session.log.views.count, drawer.value?.prepared ?? 0)
        if views > before.views {
          #expect(drawer.value?.lastCamera == camera.value, "seed \(seed), refresh \(number)")
        }
        if turns { #expect(prepared == before.prepared, "seed \(seed), refresh \(number)") }
        before = (views, prepared)
        turns = number % 20 < 10 && Bool.random(using: &generator)
        if turns {
          camera.value.pan += 1
          turned += 1
        }
        return views < 85
      })
    let (prepared, shown) = (try #require(drawer.value?.prepared), try #require(drawer.value?.shownPrepared))
    #expect(turned > 20 && shown > 20 && prepared > shown, "seed \(seed): \(shown) of \(prepared)")
  }

  /// Seeks, pauses, steps and rates at random: what a refresh shows is the frame that was decided, never one that was made
  /// before.
  @Test(arguments: [11, 12, 13, 14] as [UInt64])
  func commandsNeverShowWhatWasMadeForAnotherRefresh(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let stage = try PlayStage(try PlayStage.clip(25), on: 50, cost: 0.001, loops: true)
    stage.source.seeking = MediaTime(seconds: 0.01)
    let (log, ticks, _) = try stage.play(rendering: { _ in 0.012 }, end: nil) { session, number in
      switch Int.random(in: 0..<12, using: &generator) {
      case 0:
        let place = Double.random(in: 0..<49, using: &generator) / 25
        session.seek(SeekRequest(target: MediaTime(seconds: place)))
      case 1: session.pause()
      case 2, 3: session.play()
      case 4: session.stepForward()
      case 5: session.setRate([0.5, 1, 2].randomElement(using: &generator) ?? 1)
      case 6: session.captures = true
      default: break
      }
      return number < 400
    }
    var compared = 0
    for tick in ticks {
      guard let number = try PlayStage.number(tick), let view = tick.view else { continue }
      #expect(number == Int((view.frame.presentationTime.seconds * 25).rounded()), "seed \(seed)")
      if let frame = tick.frame { #expect(frame.presentationTime == view.frame.presentationTime, "seed \(seed)") }
      compared += 1
    }
    #expect(compared > 40, "seed \(seed): \(compared)")
    let fates = log.fates.map(\.frame.index)
    #expect(fates == Array(0..<fates.count), "seed \(seed): each frame has one fate, in order")
  }

  /// What closures of a session share.
  private final class Box<Value> {
    var value: Value
    init(_ value: Value) { self.value = value }
  }
}
