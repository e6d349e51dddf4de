import Frames
import Playback
import Render
import Support
import Testing

/// Hands on a view, in numbers: what is under them, and what time makes of it.
@Suite struct LookAroundTests {
  private let size = PictureSize(width: 1280, height: 720)

  private func at(_ milliseconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: Int64(milliseconds * 1e6)) }

  private func direction(_ look: LookAround, _ x: Double, _ y: Double) -> Vector3 {
    let ray = look.camera.rays(size: size).through(x, y)
    return (1 / ray.dot(ray).squareRoot()) * ray
  }

  /// Degrees between two directions.
  private func angle(_ a: Vector3, _ b: Vector3) -> Double {
    let sine = a.cross(b)
    return 180 / .pi * sine.dot(sine).squareRoot()
  }

  /// The greatest height at which any tilt shows something at a place.
  private func reach(_ look: LookAround, _ x: Double, _ y: Double) -> Double {
    var upright = look.camera
    (upright.pan, upright.tilt) = (0, 0)
    let ray = upright.rays(size: size).through(x, y)
    return ((ray.y * ray.y + ray.z * ray.z) / ray.dot(ray)).squareRoot() - 1e-9
  }

  private func look(_ random: inout SeededGenerator) -> LookAround {
    LookAround(
      home: Camera(
        pan: .random(in: -180...180, using: &random), tilt: .random(in: -60...60, using: &random),
        roll: [0, 0, .random(in: -40...40, using: &random)].randomElement(using: &random) ?? 0,
        fieldOfView: .random(in: 25...95, using: &random)))
  }

  @Test func whatWasGrabbedStaysUnderTheHand() {
    var random = SeededGenerator(for: "whatWasGrabbedStaysUnderTheHand")
    for round in 0..<500 {
      var look = look(&random)
      let roll = look.camera.roll
      let (x, y) = (Double.random(in: 0...1280, using: &random), Double.random(in: 0...720, using: &random))
      look.grab(x, y, in: size, at: at(0))
      let grabbed = direction(look, x, y)
      for step in 1...10 {
        let (x, y) = (
          x + Double(step) * .random(in: -25...25, using: &random),
          y + Double(step) * .random(in: -9...9, using: &random)
        )
        look.drag(to: x, y, in: size, at: at(Double(step) * 16))
        #expect(abs(look.camera.tilt) <= 90 && abs(look.camera.pan) <= 180 && look.camera.roll == roll)
        // At a pole, or where no tilt lifts the direction so high, it is as near as it gets.
        guard abs(look.camera.tilt) < 90, abs(grabbed.y) < reach(look, x, y) else { continue }
        #expect(angle(direction(look, x, y), grabbed) < 1e-6, "round \(round), step \(step)")
      }
    }
  }

  @Test func tiltEndsAtThePoles() {
    var look = LookAround(home: Camera())
    look.grab(640, 100, in: size, at: at(0))
    for step in 1...200 { look.drag(to: 640, 100 + Double(step) * 40, in: size, at: at(Double(step) * 16)) }
    #expect(look.camera.tilt <= 90 && look.camera.tilt > 40)
    look.hold(.up, true, at: at(5000))
    _ = look.advance(to: at(5010))
    for tick in 0..<600 { _ = look.advance(to: at(5010 + Double(tick) * 16)) }
    #expect(look.camera.tilt == 90)
  }

  @Test func wheelsZoomAboutTheHand() {
    var random = SeededGenerator(for: "wheelsZoomAboutTheHand")
    for _ in 0..<300 {
      var look = look(&random)
      let (x, y) = (Double.random(in: 200...1080, using: &random), Double.random(in: 100...620, using: &random))
      let before = (direction: direction(look, x, y), width: look.camera.fieldOfView)
      let steps = Double.random(in: -3...3, using: &random)
      look.zoom(steps, about: x, y, in: size)
      #expect(LookAround.fieldsOfView.contains(look.camera.fieldOfView))
      #expect(steps > 0 ? look.camera.fieldOfView <= before.width : look.camera.fieldOfView >= before.width)
      guard abs(look.camera.tilt) < 90, abs(before.direction.y) < reach(look, x, y) else { continue }
      #expect(angle(direction(look, x, y), before.direction) < 1e-6)
    }
    // A command may have asked for more than a wheel gives: it is not taken away, nor made worse.
    var wide = LookAround(home: Camera(fieldOfView: 130))
    wide.zoom(-1, about: 640, 360, in: size)
    #expect(wide.camera.fieldOfView == 130)
    wide.zoom(1, about: 640, 360, in: size)
    #expect(abs(wide.camera.fieldOfView - 117) < 1e-9)
  }

  @Test func aPointIsBroughtToTheMiddle() {
    var random = SeededGenerator(for: "aPointIsBroughtToTheMiddle")
    for _ in 0..<200 {
      var look = look(&random)
      let (x, y) = (Double.random(in: 0...1280, using: &random), Double.random(in: 0...720, using: &random))
      let wanted = direction(look, x, y)
      look.recentre(x, y, in: size)
      #expect(angle(direction(look, 640, 360), wanted) < 1e-6)
    }
  }

  /// Let go of at 100 degrees a second, it goes on for a third of that in all, ever slower.
  @Test func aViewThatIsLetGoOfDriftsOn() {
    var look = LookAround(home: Camera(fieldOfView: 60))
    look.grab(640, 360, in: size, at: at(0))
    for tick in 1...12 { look.drag(to: 640 - Double(tick) * 20, 360, in: size, at: at(Double(tick) * 16)) }
    let (start, before) = (look.camera.pan, look.camera)
    look.letGo(at: at(12 * 16))
    #expect(look.isMoving && !look.isHeld && look.camera == before)
    var steps: [Double] = []
    var now = 12.0 * 16
    while look.isMoving {
      let pan = look.camera.pan
      now += 16
      _ = look.advance(to: at(now))
      steps.append(look.camera.pan - pan)
    }
    #expect(zip(steps, steps.dropFirst()).allSatisfy { $1 < $0 } && steps.allSatisfy { $0 > 0 })
    // The hand's speed, times the time in which a drift fades; what is below half a degree a second is cut off.
    let speed = 20 / 16e-3 * 60 / 720
    #expect(abs((look.camera.pan - start) - speed * 0.325) < speed * 0.08, "\(look.camera.pan - start), \(speed)")
    #expect(now < 3000)
  }

  @Test func driftsDoNotDependOnTheRefresh() {
    func end(_ step: Double) -> Camera {
      var look = LookAround(home: Camera())
      look.grab(640, 360, in: size, at: at(0))
      for tick in 1...5 {
        look.drag(to: 640 + Double(tick) * 30, 360 + Double(tick) * 7, in: size, at: at(Double(tick) * 16))
      }
      look.letGo(at: at(80))
      var now = 80.0
      while now < 80 + 960 {
        now += step
        _ = look.advance(to: at(now))
      }
      return look.camera
    }
    for step in [4.0, 8, 32, 96] {
      #expect(abs(end(step).pan - end(16).pan) < 0.01 && abs(end(step).tilt - end(16).tilt) < 0.01)
    }
  }

  @Test func handsThatRestOrWithoutInertiaLeaveItThere() {
    for (pause, hasInertia) in [(200.0, true), (0, false)] {
      var look = LookAround(home: Camera())
      look.hasInertia = hasInertia
      look.grab(640, 360, in: size, at: at(0))
      for tick in 1...5 { look.drag(to: 640 + Double(tick) * 30, 360, in: size, at: at(Double(tick) * 16)) }
      look.letGo(at: at(80 + pause))
      #expect(!look.isMoving && !look.advance(to: at(1000)))
    }
  }

  @Test func keysTurnForAsLongAsTheyAreDown() {
    var look = LookAround(home: Camera(fieldOfView: 85))
    look.hold(.right, true, at: at(0))
    for tick in 1...60 { _ = look.advance(to: at(Double(tick) * 1000 / 60)) }
    look.hold(.right, false, at: at(1000))
    #expect(abs(look.camera.pan - 60) < 1e-6 && !look.isMoving && !look.advance(to: at(2000)))
    // Both at once cancel out; a nearer view turns slower.
    look.reset()
    look.hold(.left, true, at: at(2000))
    look.hold(.right, true, at: at(2000))
    _ = look.advance(to: at(2100))
    #expect(look.camera.pan == 0)
    look.releaseAll()
    look.zoom(7, about: 640, 360, in: size)
    look.hold(.down, true, at: at(3000))
    _ = look.advance(to: at(3100))
    #expect(abs(look.camera.tilt + 6 * look.camera.fieldOfView / 85) < 1e-6)
    // No refresh for a minute: it does not spin round.
    look.hold(.down, false, at: at(3100))
    look.hold(.right, true, at: at(3100))
    _ = look.advance(to: at(63_100))
    #expect(abs(look.camera.pan) <= 15)
  }

  /// Press and release between two refreshes: the view moves by at least a hundredth of its height, as it does for a hold of 80 ms.
  @Test(arguments: LookAround.Turn.allCases)
  func shortTapsMoveAVisibleStep(turn: LookAround.Turn) {
    var look = LookAround(home: Camera(fieldOfView: 85))
    _ = look.advance(to: at(0))
    look.hold(turn, true, at: at(5))
    look.hold(turn, false, at: at(5))
    #expect(look.isMoving && !look.holds(turn))
    let hasMoved = look.advance(to: at(16))
    #expect(hasMoved && !look.isMoving)
    var held = LookAround(home: Camera(fieldOfView: 85))
    _ = held.advance(to: at(0))
    held.hold(turn, true, at: at(5))
    _ = held.advance(to: at(85))
    #expect(look.camera == held.camera)
    let home = Camera(fieldOfView: 85)
    let moved = [
      look.camera.pan - home.pan, look.camera.tilt - home.tilt, look.camera.roll - home.roll,
      look.camera.fieldOfView - home.fieldOfView,
    ]
    #expect(moved.contains { abs($0) > 2 }, "\(moved)")
  }

  @Test func theViewGoesBackToWhereItBegan() {
    let home = Camera(pan: 170, tilt: 10, fieldOfView: 70)
    var look = LookAround(home: home)
    look.look(Camera(pan: 530, tilt: 100, roll: -200, fieldOfView: 50))
    #expect(look.camera == Camera(pan: 170, tilt: 90, roll: 160, fieldOfView: 50))
    look.reset()
    #expect(look.camera == home)
  }
}
