import Frames
import GPU
import Render
import Support
import Testing

/// HTY360Player's mesh beside the ray for every pixel: against its own twin, and how far it is from the sphere.
@Suite(.tier(.test), .enabled(if: TestDevice.isAvailable, "no Vulkan device"))
struct MeshTests {
  private static let target = PictureSize(width: 96, height: 54)

  /// The twin's pixels in the place of one: odd, so that one lies in its middle.
  private static let fineness = 231

  private func picture(_ generator: inout SeededGenerator, width: Int = 256) -> VideoFrame {
    TestPictures.noisy(
      format: .yuv420p, size: PictureSize(width: width, height: width / 2),
      color: ColorDescription(matrix: .bt709, range: .limited), generator: &generator)
  }

  private static let cameras = [Camera(pan: 180, fieldOfView: 20), Camera(tilt: 90), Camera(tilt: -90), nil]
  private static let counts = [StereoLayout.allCases.count, PictureGeometry.Eye.allCases.count, cameras.count]

  /// - Parameter row: indexes of a stereo layout, an eye and a camera.
  @Test(arguments: Sampling.pairwise(counts))
  func agreesWithItsTwin(_ row: [Int]) throws {
    try expectTheTwinsView(row)
  }

  @Test(.tier(.full), arguments: Sampling.product(counts))
  func everyCombinationAgreesWithItsTwin(_ row: [Int]) throws {
    try expectTheTwinsView(row)
  }

  private func expectTheTwinsView(_ row: [Int]) throws {
    var generator = SeededGenerator()
    let frame = picture(&generator)
    let geometry = PictureGeometry(
      projection: .equirectangular, stereo: StereoLayout.allCases[row[0]], eye: PictureGeometry.Eye.allCases[row[1]],
      sphere: .mesh)
    let camera = Self.cameras[row[2]] ?? .random(using: &generator)
    let difference = try Difference(frame, geometry, camera, Self.target)
    #expect(difference.shareWithinOne >= 0.999, "seed \(generator.seed), \(camera), \(geometry)")
    let wrong = try pixelsThatAreWrongAllAround(frame, geometry, camera)
    #expect(wrong == 0, "seed \(generator.seed), \(camera), \(geometry)")
    #expect(try TestDevice.validationMessages() == [])
  }

  /// Rasterisers round corners to 1/256 of a pixel: a pixel on the edge of a triangle may belong to its neighbour,
  /// which near a pole is a slice apart. So a pixel counts as wrong when the twin gives nothing like it within 1/33 of
  /// a pixel, looked for in steps of 1/231: noise that is squeezed together has other colours in between. The right
  /// value is undefined within a pixel and a half of a pole, where two hundred triangles meet.
  private func pixelsThatAreWrongAllAround(
    _ frame: VideoFrame, _ geometry: PictureGeometry, _ camera: Camera
  ) throws -> Int {
    let pixels = try renderedView(frame, geometry, camera, Self.target)
    let fine = ExactTwin(
      frame: frame, geometry: geometry, camera: camera,
      target: PictureSize(width: Self.target.width * Self.fineness, height: Self.target.height * Self.fineness))
    func isNear(_ column: Int, _ row: Int) -> Bool {
      guard let color = fine.pixel(column, row) else { return false }
      let pixel = (row / Self.fineness * Self.target.width + column / Self.fineness) * 4
      return zip([color.x, color.y, color.z], pixels[pixel..<pixel + 3]).allSatisfy { abs($0 - Double($1)) <= 3.5 }
    }
    return (0..<Self.target.width * Self.target.height).count { pixel in
      guard !isAtPole(geometry, camera, pixel) else { return false }
      let middle = Self.fineness / 2
      let column = pixel % Self.target.width * Self.fineness + middle
      let row = pixel / Self.target.width * Self.fineness + middle
      let around = -Self.fineness / 33...Self.fineness / 33
      return !isNear(column, row)
        && !around.contains { dy in around.contains { dx in isNear(column + dx, row + dy) } }
    }
  }

  private func isAtPole(_ geometry: PictureGeometry, _ camera: Camera, _ pixel: Int) -> Bool {
    let (column, row) = (pixel % Self.target.width, pixel / Self.target.width)
    let eyes = geometry.eyes(in: Self.target)
    let region = eyes.second.map { column >= $0.region.left ? $0.region : eyes.first.region } ?? eyes.first.region
    let rays = camera.rays(size: region.size)
    let ray = rays.through(Double(column - region.left) + 0.5, Double(row) + 0.5)
    return (ray.x * ray.x + ray.z * ray.z).squareRoot() < 1.5 * rays.perX.dot(rays.perX).squareRoot()
  }

  /// Places are exact where vertices are: the direction of any of them, looked up, is its place.
  @Test func verticesAreOnTheSphere() throws {
    let mesh = PictureGeometry(projection: .equirectangular, sphere: .mesh)
    let ray = PictureGeometry(projection: .equirectangular)
    let size = PictureSize(width: 256, height: 128)
    for parallel in stride(from: 1, to: 100, by: 7) {
      for slice in stride(from: 0, to: 200, by: 13) {
        let place = Place(u: Double(slice) / 200, v: Double(parallel) / 100)
        let direction = try #require(ray.direction(at: place, picture: size))
        let met = mesh.place(of: direction, picture: size).at
        #expect(abs(met.v - place.v) < 1e-9 && abs(remainder(met.u - place.u)) < 1e-9)
      }
    }
  }

  private func remainder(_ turns: Double) -> Double { turns - turns.rounded() }

  /// A chord of 1.8° leaves its arc by 1.2e-4 of the radius: nowhere but at the poles is the mesh off by more than a
  /// tenth of the 1.8° between two vertices.
  @Test func liesCloseToTheSphereButForThePoles() throws {
    var generator = SeededGenerator()
    let mesh = PictureGeometry(projection: .equirectangular, sphere: .mesh)
    let ray = PictureGeometry(projection: .equirectangular)
    let size = PictureSize(width: 256, height: 128)
    var worst = 0.0
    for _ in 0..<5000 {
      let place = Place(u: .random(in: 0..<1, using: &generator), v: .random(in: 0.1...0.9, using: &generator))
      let direction = try #require(ray.direction(at: place, picture: size))
      let met = mesh.place(of: direction, picture: size).at
      worst = max(worst, abs(met.v - place.v) * 100, abs(remainder(met.u - place.u)) * 200)
    }
    #expect(worst > 1e-4 && worst < 0.1, "seed \(generator.seed), \(worst) of a cell")
  }

  @Test func onlySpheresHaveParts() throws {
    let bounds = SphereBounds(left: 0.25, top: 0, width: 0.5, height: 1)
    for projection in Projection.allCases where projection.usesCamera {
      for sphere in SphereShape.allCases {
        let geometry = PictureGeometry(projection: projection, sphere: sphere, bounds: bounds)
        let isDrawn = [.equirectangular, .halfEquirectangular].contains(projection) && sphere == .ray
        let made = Result {
          try ViewRenderer(pipelines: KeptPipelines.of(.fragment), geometry: geometry, targetSize: Self.target)
        }
        #expect(isDrawn == ((try? made.get()) != nil), "\(projection), \(sphere)")
      }
    }
  }

  @Test func onlySpheresHaveOne() throws {
    #expect(throws: Failure.self) {
      try ViewRenderer(
        pipelines: KeptPipelines.of(.fragment), geometry: PictureGeometry(projection: .flat, sphere: .mesh),
        targetSize: Self.target)
    }
    #expect(throws: Failure.self) {
      try ViewRenderer(
        pipelines: KeptPipelines.of(.compute),
        geometry: PictureGeometry(projection: .equirectangular, sphere: .mesh), targetSize: Self.target)
    }
  }
}
