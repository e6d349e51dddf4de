import Foundation
import Frames
import GPU
import Render
import Support
import Testing

/// Projections as pure functions, and the directions they map.
struct ProjectionTests {
  static let spheres = Projection.allCases.filter(\.usesCamera)
  private static let picture = PictureSize(width: 768, height: 512)

  @Test(arguments: spheres)
  func inverseUndoesPlace(_ projection: Projection) throws {
    var generator = SeededGenerator(for: "inverseUndoesPlace")
    var shown = 0
    for _ in 0..<2000 {
      let geometry = PictureGeometry(
        projection: projection, lensFieldOfView: .random(in: 1...360, using: &generator))
      let direction = Vector3.random(using: &generator)
      let place = geometry.place(of: direction, picture: Self.picture)
      guard place.isShown else { continue }
      shown += 1
      #expect((0...1).contains(place.at.u) && (0...1).contains(place.at.v), "seed \(generator.seed), \(direction)")
      let back = try #require(geometry.direction(at: place.at, picture: Self.picture), "seed \(generator.seed)")
      // Places of cubes end 1e-5 of a face before its edge.
      #expect(direction.distance(to: back) < 3e-5, "seed \(generator.seed), \(direction), \(place.at)")
    }
    #expect(shown > 500)
  }

  @Test(arguments: spheres)
  func pixelsInvertViews(_ projection: Projection) throws {
    var generator = SeededGenerator(for: "pixelsInvertViews")
    let target = PictureSize(width: 640, height: 360)
    let geometry = PictureGeometry(projection: projection)
    for _ in 0..<500 {
      let camera = Camera.random(using: &generator)
      let (x, y) = (Double.random(in: 1..<639, using: &generator), Double.random(in: 1..<359, using: &generator))
      let rays = geometry.rays(camera, size: target)
      let direction = geometry.direction(seenAlong: rays.through(x, y), forward: rays.forward)
      let place = geometry.place(of: direction, picture: Self.picture)
      guard place.isShown else { continue }
      let pixel = try #require(
        geometry.pixel(u: place.at.u, v: place.at.v, picture: Self.picture, target: target, camera: camera),
        "seed \(generator.seed), \(camera)")
      #expect(abs(pixel.x - x) < 0.1 && abs(pixel.y - y) < 0.1, "seed \(generator.seed), \(camera)")
    }
  }

  /// The middle of each face, by FFmpeg's order of them, and where the strips of an EAC go on from face to face.
  @Test func facesAreWhereTheyShouldBe() {
    func place(_ projection: Projection, _ x: Double, _ y: Double, _ z: Double) -> Place {
      PictureGeometry(projection: projection).place(
        of: Vector3(x, y, z), picture: PictureSize(width: 600_000, height: 400_000)
      ).at
    }
    func isNear(_ a: Place, _ u: Double, _ v: Double) -> Bool { abs(a.u - u) < 1e-4 && abs(a.v - v) < 1e-4 }
    let middles = [
      Vector3(1, 0, 0), Vector3(-1, 0, 0), Vector3(0, 1, 0), Vector3(0, -1, 0), Vector3(0, 0, 1), Vector3(0, 0, -1),
    ]
    for (index, direction) in middles.enumerated() {
      let number = Double(index + 1)
      let (six, three) = (
        place(.cubemap6x1, direction.x, direction.y, direction.z),
        place(.cubemap3x2, direction.x, direction.y, direction.z)
      )
      #expect(isNear(six, (number - 0.5) / 6, 0.5))
      let row = number > 3 ? 1.0 : 0
      #expect(isNear(three, (number - 3 * row - 0.5) / 3, 0.25 + 0.5 * row))
    }
    for (x, y, z, u, v) in [
      (0.0, 0.0, 1.0, 0.5, 0.25), (-1, 0, 0, 1.0 / 6, 0.25), (1, 0, 0, 5.0 / 6, 0.25),
      (0, -1, 0, 1.0 / 6, 0.75), (0, 0, -1, 0.5, 0.75), (0, 1, 0, 5.0 / 6, 0.75),
    ] {
      #expect(isNear(place(.eac, x, y, z), u, v), "\(x), \(y), \(z)")
    }
    #expect(isNear(place(.eac, 0, -1, -1), 1.0 / 3, 0.75) && isNear(place(.eac, 0, 1, -1), 2.0 / 3, 0.75))
  }

  /// Solid angles of pixels, by the area of the spherical quadrilateral between their corners.
  @Test(arguments: [Projection.equirectangular, .littlePlanet, .cubemap3x2])
  func weightsAreSolidAngles(_ projection: Projection) {
    var generator = SeededGenerator(for: "weightsAreSolidAngles")
    let target = PictureSize(width: 400, height: 300)
    let geometry = PictureGeometry(projection: projection)
    let frame = EyePicture.world(geometry, size: PictureSize(width: 96, height: 64)).frame()
    for _ in 0..<20 {
      let camera = Camera.random(using: &generator)
      let twin = ExactTwin(frame: frame, geometry: geometry, camera: camera, target: target)
      let rays = geometry.rays(camera, size: target)
      func seen(_ x: Int, _ y: Int) -> Vector3 {
        geometry.direction(seenAlong: rays.through(Double(x), Double(y)), forward: rays.forward).normalised
      }
      func area(_ x: Int, _ y: Int) -> Double {
        let across = seen(x + 1, y) + -1 * seen(x, y)
        let down = seen(x, y + 1) + -1 * seen(x, y)
        let normal = across.cross(down)
        return normal.dot(normal).squareRoot()
      }
      let (x, y) = (Int.random(in: 0..<399, using: &generator), Int.random(in: 0..<299, using: &generator))
      let expected = area(x, y) / area(200, 150)
      #expect(abs(twin.weight(x, y) / twin.weight(200, 150) / expected - 1) < 0.05, "seed \(generator.seed), \(camera)")
    }
  }

  /// At rest it looks straight down, and the horizon is a circle as far from the middle as the camera is above it.
  @Test func thePlanetLiesBelow() throws {
    let geometry = PictureGeometry(projection: .littlePlanet)
    let size = PictureSize(width: 200, height: 200)
    func pixel(_ u: Double, _ v: Double) -> (x: Double, y: Double)? {
      geometry.pixel(u: u, v: v, picture: size, target: size, camera: Camera(fieldOfView: 90))
    }
    let below = try #require(pixel(0.3, 1))
    #expect(abs(below.x - 100) < 1e-9 && abs(below.y - 100) < 1e-9)
    // 90° at the camera, so the circle of 45° from the middle touches the target's edges; what is ahead is on top.
    let ahead = try #require(pixel(0.5, 0.5 + 1e-6))
    #expect(abs(ahead.x - 100) < 1e-6 && ahead.y >= 0 && ahead.y < 1e-2)
    let right = try #require(pixel(0.75, 0.5 + 1e-6))
    #expect(abs(right.y - 100) < 1e-6 && right.x > 199.99)
    #expect(pixel(0.5, 0) == nil)
  }

  @Test func onlyFilesThatSayCubemapHaveOne() {
    #expect(Projection(metadata: "cubemap") == .cubemap3x2 && Projection(metadata: "rectilinear") == nil)
  }
}

extension Vector3 {
  static func random(using generator: inout SeededGenerator) -> Vector3 {
    func one() -> Double { Double.random(in: -1...1, using: &generator) }
    return Vector3(one(), one(), one()).normalised
  }

  var normalised: Vector3 { 1 / dot(self).squareRoot() * self }

  /// Between the unit vectors.
  func distance(to other: Vector3) -> Double {
    let difference = normalised + -1 * other.normalised
    return difference.dot(difference).squareRoot()
  }
}
