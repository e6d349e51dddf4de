import Frames
import Glibc
import Render
import Support
import Testing
import Viewer
import Window

/// Sticks, triggers and buttons in numbers; there is no device.
@Suite struct GamepadHandTests {
  private static let home = Camera(pan: 10, tilt: 5, roll: 0, fieldOfView: 80)

  private static func pad(_ change: (inout Gamepad) -> Void = { _ in }) -> Gamepad {
    var pad = Gamepad(name: "pad")
    change(&pad)
    return pad
  }

  /// What so many milliseconds in steps of 10 come to.
  private static func hold(
    _ pad: Gamepad?, for milliseconds: Int, from camera: Camera = home
  ) -> (camera: Camera, views: Int) {
    var hand = GamepadHand()
    var camera = camera
    var views = 0
    for step in 0...milliseconds / 10 {
      let now = MonotonicTime(nanoseconds: Int64(step) * 10_000_000)
      guard let moved = hand.advance(pad, to: now, camera: camera, home: home).camera else { continue }
      (camera, views) = (moved, views + 1)
    }
    return (camera, views)
  }

  @Test func sticksAtTheirEndTurnAtFullSpeed() {
    let right = Self.hold(Self.pad { $0.left.x = 1 }, for: 500)
    #expect(abs(right.camera.pan - 70) < 1e-9 && right.camera.tilt == 5 && right.views == 50)
    // Up is less, as in windows, and looks up.
    let up = Self.hold(Self.pad { $0.left.y = -1 }, for: 500)
    #expect(abs(up.camera.tilt - 65) < 1e-9 && up.camera.pan == 10)
    #expect(Self.hold(Self.pad { $0.left.y = -1 }, for: 2000).camera.tilt == 90)
    #expect(Self.hold(Self.pad { $0.left.y = 1 }, for: 2000).camera.tilt == -90)
    // In a view half as wide, half as fast.
    var narrow = Self.home
    narrow.fieldOfView = 40
    #expect(abs(Self.hold(Self.pad { $0.left.x = -1 }, for: 500, from: narrow).camera.pan + 20) < 1e-9)
  }

  @Test func sticksNearTheirMiddleMeanNothing() {
    var random = SeededGenerator(for: "sticksNearTheirMiddleMeanNothing")
    for _ in 0..<200 {
      let (angle, way) = (
        Double.random(in: 0...(2 * .pi), using: &random), Double.random(in: 0...0.1499, using: &random)
      )
      let pad = Self.pad {
        $0.left = .init(x: way * cos(angle), y: way * sin(angle))
        $0.right = .init(x: 1, y: Double.random(in: -0.1499...0.1499, using: &random))
        ($0.leftTrigger, $0.rightTrigger) = (0.1, 0.149)
      }
      #expect(Self.hold(pad, for: 100) == (Self.home, 0))
    }
  }

  /// Slow near the dead zone, faster and faster behind it, and where the stick points.
  @Test func sticksAnswerByTheSquare() {
    func speed(_ x: Double, _ y: Double = 0) -> (pan: Double, tilt: Double) {
      let camera = Self.hold(Self.pad { $0.left = .init(x: x, y: y) }, for: 100).camera
      return ((camera.pan - 10) * 10, (camera.tilt - 5) * 10)
    }
    #expect(abs(speed(0.575).pan - 30) < 1e-9, "half of the way behind the dead zone is a quarter of the speed")
    #expect(abs(speed(-0.575).pan + 30) < 1e-9 && abs(speed(1).pan - 120) < 1e-9 && speed(0.16).pan < 0.05)
    let (slanting, steep) = (speed(0.4, -0.3), speed(0.3, -0.4))
    #expect(abs(slanting.pan / slanting.tilt - 4 / 3.0) < 1e-9 && abs(slanting.pan - steep.tilt) < 1e-9)
    // Corners of a square stick are no faster than its sides.
    let corner = speed(1, -1)
    #expect(abs((corner.pan * corner.pan + corner.tilt * corner.tilt).squareRoot() - 120) < 1e-9)
  }

  @Test func theRightStickZoomsAndTriggersRoll() {
    let near = Self.hold(Self.pad { $0.right.y = -1 }, for: 500).camera
    #expect(abs(near.fieldOfView - 80 / 2.0.squareRoot()) < 1e-9 && near.pan == 10)
    #expect(Self.hold(Self.pad { $0.right.y = -1 }, for: 5000).camera.fieldOfView == 25)
    #expect(Self.hold(Self.pad { $0.right.y = 1 }, for: 5000).camera.fieldOfView == 95)
    // A command may have asked for more than sticks give: it is not taken away, nor made worse.
    var wide = Self.home
    wide.fieldOfView = 130
    #expect(Self.hold(Self.pad { $0.right.y = 1 }, for: 500, from: wide) == (wide, 0))
    #expect(abs(Self.hold(Self.pad { $0.rightTrigger = 1 }, for: 500).camera.roll - 30) < 1e-9)
    #expect(abs(Self.hold(Self.pad { $0.leftTrigger = 1 }, for: 500).camera.roll + 30) < 1e-9)
    #expect(Self.hold(Self.pad { ($0.leftTrigger, $0.rightTrigger) = (1, 1) }, for: 500).camera == Self.home)
  }

  @Test func buttonsActWhenTheyGoDown() {
    var hand = GamepadHand()
    var time = Int64(0)
    func press(_ buttons: Gamepad.Buttons?) -> [ViewerAction] {
      time += 16_000_000
      let pad = buttons.map { buttons in Self.pad { $0.buttons = buttons } }
      return hand.advance(pad, to: MonotonicTime(nanoseconds: time), camera: Self.home, home: Self.home).actions
    }
    #expect(press([]) == [] && press(.a) == [.playOrPause] && press(.a) == [] && press([]) == [])
    #expect(press([.a, .b]) == [.playOrPause, .resetView] && press(.leftBumper) == [.skip(-5)])
    #expect(press([.leftBumper, .rightBumper]) == [.skip(5)])
    #expect(press([.x, .y, .start, .back]) == [], "they have no meaning")
    // Unplugged while one is down, and plugged in again: it was pressed once.
    #expect(press(.a) == [.playOrPause] && press(nil) == [] && press(.a) == [] && press([]) == [])
    #expect(press(.a) == [.playOrPause])
  }

  @Test func unpluggedSticksAreLetGoOf() {
    var hand = GamepadHand()
    func advance(_ milliseconds: Int64, _ pad: Gamepad?) -> Camera? {
      let now = MonotonicTime(nanoseconds: milliseconds * 1_000_000)
      return hand.advance(pad, to: now, camera: Self.home, home: Self.home).camera
    }
    let pad = Self.pad { $0.left.x = 1 }
    #expect(advance(0, pad) == nil, "no time has passed")
    #expect(advance(10, pad) != nil && advance(20, nil) == nil && advance(30, nil) == nil)
    #expect(abs((advance(40, pad)?.pan ?? 0) - 11.2) < 1e-9, "it moves on from where it was, by one refresh")
    // No refresh for a minute: the view does not spin.
    #expect(abs((advance(60_000, pad)?.pan ?? 0) - 40) < 1e-9)
    #expect(advance(59_000, pad) == nil)
  }
}
