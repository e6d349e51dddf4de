import Frames
import Render
import Support
import Testing

/// Cameras, colour and placement as pure functions.
struct GeometryTests {
  @Test func looksWhereItSays() {
    func ahead(_ camera: Camera) -> Vector3 { camera.orientation * Vector3(0, 0, 1) }
    #expect(ahead(Camera(pan: 90)) == Vector3(1, 0, 0))
    #expect(ahead(Camera(tilt: 90)) == Vector3(0, 1, 0))
    #expect(ahead(Camera(pan: 180)) == Vector3(0, 0, -1))
    // Rolled clockwise by 90°, the camera's right is the world's down.
    #expect(Camera(roll: 90).orientation * Vector3(1, 0, 0) == Vector3(0, -1, 0))
  }

  @Test func fieldOfViewIsVertical() throws {
    let size = PictureSize(width: 200, height: 100)
    let rays = Camera(fieldOfView: 90).rays(size: size)
    let top = rays.origin + 100 * rays.perX
    #expect(abs(top.y / top.z - 1) < 1e-12)
    #expect(abs(top.x) < 1e-12)
  }

  @Test func pixelsInvertRays() throws {
    var generator = SeededGenerator()
    let size = PictureSize(width: 640, height: 360)
    for _ in 0..<200 {
      let camera = Camera.random(using: &generator)
      let (x, y) = (
        Double.random(in: 0..<640, using: &generator), Double.random(in: 0..<360, using: &generator)
      )
      let rays = camera.rays(size: size)
      let back = try #require(
        rays.pixel(of: rays.through(x, y), size: size), "seed \(generator.seed)")
      #expect(abs(back.x - x) < 1e-6 && abs(back.y - y) < 1e-6, "seed \(generator.seed), \(camera)")
    }
  }

  /// Yaw turns the content to the left, pitch lifts it, roll turns it clockwise: where a viewer finds it afterwards.
  @Test func poseTurnsTheContent() throws {
    let size = PictureSize(width: 200, height: 100)
    func seen(_ pose: Pose, u: Double = 0.5, camera: Camera = Camera()) throws -> (x: Double, y: Double) {
      let geometry = PictureGeometry(projection: .equirectangular, pose: pose)
      return try #require(geometry.pixel(u: u, v: 0.5, picture: size, target: size, camera: camera))
    }
    func isMiddle(_ place: (x: Double, y: Double)) -> Bool { abs(place.x - 100) < 1e-6 && abs(place.y - 50) < 1e-6 }
    #expect(isMiddle(try seen(Pose(yaw: 30), u: 0.5 + 30.0 / 360)))
    #expect(isMiddle(try seen(Pose(yaw: 30), camera: Camera(pan: -30))))
    #expect(try seen(Pose(pitch: 20)).y < 40)
    #expect(isMiddle(try seen(Pose(pitch: 20), camera: Camera(tilt: 20))))
    #expect(try seen(Pose(roll: 10), u: 0.55).y > 52)
    // One after the other, each about what the one before has turned: as a camera's.
    let all = Pose(yaw: -40, pitch: 25, roll: 15)
    let camera = Camera(pan: 40, tilt: 25, roll: 15)
    #expect(isMiddle(try seen(all, camera: camera)))
    #expect(abs(try seen(all, u: 0.55, camera: camera).y - 50) < 1e-6)
  }

  @Test func nothingIsSeenBehind() {
    let size = PictureSize(width: 16, height: 9)
    #expect(Camera().rays(size: size).pixel(of: Vector3(0, 0, -1), size: size) == nil)
  }

  @Test(arguments: ColorDescription.Matrix.allCases, ColorDescription.Range.allCases)
  func greysStayGrey(_ matrix: ColorDescription.Matrix, _ range: ColorDescription.Range) {
    for depth in [8, 10, 12] {
      let color = YCbCrMatrix(ColorDescription(matrix: matrix, range: range), bitDepth: depth)
      let full = Double((1 << depth) - 1)
      let step = Double(1 << (depth - 8))
      let (black, white) = range == .limited ? (16 * step / full, 235 * step / full) : (0, 1)
      let middle = 128 * step / full
      for (luma, expected) in [(black, 0.0), (white, 1.0)] {
        let code = Vector3(luma, middle, middle)
        for (row, offset) in [
          (color.red, color.offset.x), (color.green, color.offset.y), (color.blue, color.offset.z),
        ] {
          #expect(abs(row.dot(code) + offset - expected) < 1e-12)
        }
      }
    }
  }

  /// BT.709's own numbers: pure red is Y = 0.2126, Cr at the end of its range.
  @Test func redIsRed() {
    let color = YCbCrMatrix(ColorDescription(matrix: .bt709, range: .full), bitDepth: 8)
    let code = Vector3(0.2126, 128 / 255.0 - 0.2126 / 1.8556, 128 / 255.0 + 0.5)
    #expect(abs(color.red.dot(code) + color.offset.x - 1) < 1e-9)
    #expect(abs(color.green.dot(code) + color.offset.y) < 1e-9)
    #expect(abs(color.blue.dot(code) + color.offset.z) < 1e-9)
  }

  @Test func letterboxes() throws {
    let wide = PictureGeometry(projection: .flat)
    let target = PictureSize(width: 100, height: 100)
    let map = wide.flatMapping(picture: PictureSize(width: 200, height: 100), target: target)
    #expect(map.v.dot(Vector3(50, 25, 1)) == 0)
    #expect(map.v.dot(Vector3(50, 75, 1)) == 1)
    #expect(map.u.dot(Vector3(0, 50, 1)) == 0)
    let anamorphic = PictureGeometry(projection: .flat, sampleAspect: 2)
    let tall = anamorphic.flatMapping(picture: PictureSize(width: 100, height: 100), target: target)
    #expect(tall.v.dot(Vector3(50, 25, 1)) == 0)
  }

  /// Fill: the picture covers the target, and its edges are cut off.
  @Test(arguments: [(200, 100), (100, 200), (100, 100)])
  func fillsTheTarget(width: Int, height: Int) {
    var geometry = PictureGeometry(projection: .flat)
    geometry.fills = true
    let target = PictureSize(width: 100, height: 100)
    let picture = PictureSize(width: width, height: height)
    let map = geometry.flatMapping(picture: picture, target: target)
    for (x, y) in [(0.0, 0.0), (100, 0), (0, 100), (100, 100)] {
      let (u, v) = (map.u.dot(Vector3(x, y, 1)), map.v.dot(Vector3(x, y, 1)))
      #expect((-1e-12...1 + 1e-12).contains(u) && (-1e-12...1 + 1e-12).contains(v), "no letterbox at \(x), \(y)")
    }
    let across = map.u.dot(Vector3(100, 0, 1)) - map.u.dot(Vector3(0, 0, 1))
    #expect(abs(across - min(1, 100 / Double(width) * Double(height) / 100)) < 1e-12)
    #expect(geometry.pixel(u: 0.5, v: 0.5, picture: picture, target: target, camera: Camera())?.x == 50)
    if width > height {
      #expect(geometry.pixel(u: 0.1, v: 0.5, picture: picture, target: target, camera: Camera()) == nil, "cut off")
    }
  }

  /// Turned clockwise by 90°, the picture's left edge is on top.
  @Test func turnsClockwise() {
    let turned = PictureGeometry(projection: .flat, rotation: 90)
    let size = PictureSize(width: 100, height: 100)
    let map = turned.flatMapping(picture: size, target: size)
    #expect(abs(map.u.dot(Vector3(50, 0, 1))) < 1e-12)
    #expect(abs(map.v.dot(Vector3(0, 50, 1)) - 1) < 1e-12)
  }

  /// Mirrored, then turned clockwise by 90°: the picture's right edge is on top.
  @Test func mirrorsBeforeItTurns() {
    let size = PictureSize(width: 100, height: 100)
    let mirrored = PictureGeometry(projection: .flat, isMirrored: true).flatMapping(picture: size, target: size)
    #expect(abs(mirrored.u.dot(Vector3(0, 50, 1)) - 1) < 1e-12)
    let turned = PictureGeometry(projection: .flat, rotation: 90, isMirrored: true)
    #expect(abs(turned.flatMapping(picture: size, target: size).u.dot(Vector3(50, 0, 1)) - 1) < 1e-12)
  }

  @Test(arguments: StereoLayout.allCases)
  func flatInverseUndoesTheMapping(_ stereo: StereoLayout) throws {
    var generator = SeededGenerator()
    let size = PictureSize(width: 320, height: 180)
    let picture = PictureSize(width: 400, height: 200)
    for rotation in [0, 90, 180, 270] {
      let geometry = PictureGeometry(projection: .flat, stereo: stereo, sampleAspect: 0.8, rotation: rotation)
      let (u, v) = (Double.random(in: 0..<1, using: &generator), Double.random(in: 0..<1, using: &generator))
      let pixel = try #require(
        geometry.pixel(u: u, v: v, picture: picture, target: size, camera: Camera()), "seed \(generator.seed)")
      let map = geometry.flatMapping(picture: picture, target: size)
      #expect(abs(map.u.dot(Vector3(pixel.x, pixel.y, 1)) - u) < 1e-9, "seed \(generator.seed)")
      #expect(abs(map.v.dot(Vector3(pixel.x, pixel.y, 1)) - v) < 1e-9, "seed \(generator.seed)")
    }
  }

  @Test func motionsAreFunctionsOfTime() {
    let start = Camera(pan: 10)
    #expect(CameraMotion.still.camera(from: start, at: MediaTime(seconds: 9)) == start)
    #expect(CameraMotion.pan.camera(from: start, at: MediaTime(seconds: 2)).pan == 70)
    #expect(CameraMotion.pan.camera(from: start, at: MediaTime(seconds: 10)).pan == -50)
    let orbit = CameraMotion.orbit.camera(from: start, at: MediaTime(seconds: 2.5))
    #expect(abs(orbit.tilt - 20) < 1e-9 && orbit.pan == 85)
  }
}
