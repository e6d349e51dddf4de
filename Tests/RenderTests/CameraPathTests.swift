import Foundation
import Frames
import Render
import Support
import Testing

@Suite struct EasingTests {
  /// CSS's curves, bisected to the last bit by an independent implementation in Python.
  private static let judge = """
    import sys
    curves = {"ease-in": (0.42, 0, 1, 1), "ease-out": (0, 0, 0.58, 1), "ease-in-out": (0.42, 0, 0.58, 1)}
    def bezier(t, a, b): return 3 * (1 - t) ** 2 * t * a + 3 * (1 - t) * t * t * b + t ** 3
    for name, (x1, y1, x2, y2) in curves.items():
      for step in range(201):
        low, high = 0.0, 1.0
        for _ in range(200):
          middle = (low + high) / 2
          if bezier(middle, x1, x2) < step / 200: low = middle
          else: high = middle
        print(name, step, repr(bezier((low + high) / 2, y1, y2)))
    """

  @Test(.enabled("there is no python3") { PythonJudge.hasCSV || PythonJudge.isRequired })
  func curvesAreThoseOfCSS() throws {
    let (status, output) = try PythonJudge.run(Self.judge, module: "csv", [])
    let rows = output.split(separator: "\n").map { $0.split(separator: " ") }
    try #require(status == 0 && rows.count == 3 * 201, "\(output)")
    for row in rows {
      let easing = try #require(Easing(rawValue: String(row[0])))
      let (step, value) = (try #require(Double(row[1])), try #require(Double(row[2])))
      #expect(abs(easing.progress(step / 200) - value) < 1e-9, "\(easing) at \(step / 200)")
    }
  }

  /// By hand: at t = ½ ease-in-out's x and y are ½, and ease-in's are ½³ + ⅜ + ⅜ · 0.42 = 0.6575 and ½.
  @Test func somePointsAreKnownByHand() {
    #expect(Easing.easeInOut.progress(0.5) == 0.5 && Easing.linear.progress(0.3) == 0.3)
    #expect(abs(Easing.easeIn.progress(0.6575) - 0.5) < 1e-12)
    #expect(abs(Easing.easeOut.progress(0.3425) - 0.5) < 1e-12)
    #expect(Easing.hold.progress(0.999) == 0 && Easing.hold.progress(1) == 1)
  }

  @Test(arguments: Easing.allCases)
  func allRiseFromZeroToOne(easing: Easing) {
    #expect(easing.progress(0) == 0 && easing.progress(1) == 1 && easing.progress(-3) == 0 && easing.progress(9) == 1)
    var last = 0.0
    for step in 0...10_000 {
      let value = easing.progress(Double(step) / 10_000)
      #expect(value >= last && value <= 1)
      if easing != .hold { #expect(value - last < 5e-4) }
      last = value
    }
  }
}

@Suite struct CameraPathTests {
  private static func key(
    _ seconds: Double, pan: Double? = nil, tilt: Double? = nil, fov: Double? = nil, _ easing: Easing = .linear
  ) -> CameraPath.Keyframe {
    .init(time: MediaTime(seconds: seconds), pan: pan, tilt: tilt, fieldOfView: fov, easing: easing)
  }

  private static func look(_ path: CameraPath, _ seconds: Double, from start: Camera = Camera()) -> Camera {
    path.camera(from: start, at: MediaTime(seconds: seconds))
  }

  @Test func keyframesAreReachedAndTheWayBetweenIsEased() throws {
    let path = try #require(
      CameraPath(keyframes: [
        Self.key(1, pan: 0, tilt: -10, fov: 90), Self.key(3, pan: 40, tilt: 10, fov: 50, .hold),
        Self.key(5, pan: -40, tilt: 0, fov: 60, .easeIn), Self.key(6, pan: 60, tilt: 0, fov: 60),
      ]))
    #expect(Self.look(path, 1) == Camera(pan: 0, tilt: -10, fieldOfView: 90))
    #expect(Self.look(path, 2) == Camera(pan: 20, tilt: 0, fieldOfView: 70))
    #expect(Self.look(path, 3) == Camera(pan: 40, tilt: 10, fieldOfView: 50))
    #expect(Self.look(path, 4.999) == Self.look(path, 3), "held")
    #expect(Self.look(path, 5) == Camera(pan: -40, tilt: 0, fieldOfView: 60))
    #expect(abs(Self.look(path, 5.6575).pan - 10) < 1e-6)
    #expect(Self.look(path, 6).pan == 60)
    #expect(Self.look(path, 0) == Self.look(path, 1) && Self.look(path, 99) == Self.look(path, 6), "ends hold")
  }

  @Test func pansAreNotWrapped() throws {
    let path = try #require(CameraPath(keyframes: [Self.key(0, pan: 0), Self.key(8, pan: 720)]))
    #expect(Self.look(path, 4).pan == 360 && Self.look(path, 7).pan == 630)
  }

  @Test func missingFieldsUseTheStartView() throws {
    let path = try #require(CameraPath(keyframes: [Self.key(0), Self.key(2, pan: 30)]))
    let start = Camera(pan: 10, tilt: 5, roll: 3, fieldOfView: 40)
    #expect(Self.look(path, 1, from: start) == Camera(pan: 20, tilt: 5, roll: 3, fieldOfView: 40))
    #expect(CameraMotion.path(path).camera(from: start, at: MediaTime(seconds: 2)).pan == 30)
  }

  @Test func loopsStartAgainAtZero() throws {
    let keys = [Self.key(1, pan: 10), Self.key(3, pan: 30), Self.key(4, pan: 10)]
    let path = try #require(CameraPath(keyframes: keys, loops: true))
    #expect(Self.look(path, 4.5).pan == 10 && Self.look(path, 6).pan == 20 && Self.look(path, 402).pan == 20)
    #expect(Self.look(path, -2).pan == 20)
    let still = try #require(CameraPath(keyframes: [Self.key(0, pan: 7)], loops: true))
    #expect(Self.look(still, 3).pan == 7)
  }

  @Test func decreasingTimesAreRefused() {
    #expect(CameraPath(keyframes: []) == nil)
    #expect(CameraPath(keyframes: [Self.key(-1)]) == nil)
    #expect(CameraPath(keyframes: [Self.key(1), Self.key(1)]) == nil)
    #expect(CameraPath(keyframes: [Self.key(2), Self.key(1)]) == nil)
  }

  /// Between two keyframes each value stays between theirs and moves monotonically, for every easing.
  @Test func randomPathsAreContinuousAndStayBetweenTheirKeyframes() throws {
    var generator = SeededGenerator(for: "randomPathsAreContinuousAndStayBetweenTheirKeyframes")
    for _ in 0..<40 {
      var time = 0.0
      let easings: [Easing] = [.linear, .easeIn, .easeOut, .easeInOut]
      let keys = (0..<Int.random(in: 2...9, using: &generator)).map { _ in
        time += Double.random(in: 0.1...3, using: &generator)
        return Self.key(
          time, pan: .random(in: -720...720, using: &generator), tilt: .random(in: -90...90, using: &generator),
          fov: .random(in: 1...179, using: &generator), easings.randomElement(using: &generator) ?? .linear)
      }
      let path = try #require(CameraPath(keyframes: keys))
      for (from, to) in zip(keys, keys.dropFirst()) {
        let (a, b) = (from.time.seconds, to.time.seconds)
        var last = Self.look(path, a)
        #expect(last.pan == from.pan && last.tilt == from.tilt, "seed \(generator.seed)")
        for step in 1...200 {
          let camera = Self.look(path, a + (b - a) * Double(step) / 200)
          let span = abs((to.pan ?? 0) - (from.pan ?? 0))
          #expect(abs(camera.pan - last.pan) <= span * 0.02 + 1e-6, "seed \(generator.seed)")
          let low = min(from.fieldOfView ?? 0, to.fieldOfView ?? 0) - 1e-9
          let high = max(from.fieldOfView ?? 0, to.fieldOfView ?? 0) + 1e-9
          #expect((low...high).contains(camera.fieldOfView), "seed \(generator.seed)")
          last = camera
        }
      }
    }
  }
}
