import Frames
import GPU
import Render
import Support
import Testing

/// Four texels mixed by the shader, and by the device's sampler: the same picture. CPU devices mix; the samplers of GPUs have fewer bits, of which
/// `ShaderTests` know.
@Suite(
  .tier(.test),
  .enabled(if: (try? TestDevice.device().info.isSoftware) == true, "no Vulkan device that renders on the CPU"))
struct TexelMixTests {
  struct Case: Sendable, CustomTestStringConvertible {
    /// Stereo layout and shading are one property, so that pairs with it are triples.
    static let counts = [
      Projection.allCases.count, formats.count, StereoLayout.allCases.count * Shading.allCases.count, 2,
    ]
    private static let formats = ["yuv420p", "nv12", "yuv444p10le", "gray"].compactMap(PictureFormat.named)

    var projection: Projection
    var format: PictureFormat
    var stereo: StereoLayout
    var shading: Shading
    /// The camera looks far to both sides of the seam, so that edges and seams are in sight.
    var isWide: Bool

    init(_ row: [Int]) {
      projection = Projection.allCases[row[0]]
      format = Self.formats[row[1]]
      stereo = StereoLayout.allCases[row[2] / Shading.allCases.count]
      shading = Shading.allCases[row[2] % Shading.allCases.count]
      isWide = row[3] == 0
    }

    var testDescription: String { "\(projection) \(format.name) \(stereo) \(shading)" + (isWide ? " wide" : "") }
  }

  @Test(arguments: Sampling.pairwise(Case.counts).map(Case.init))
  func bothAreTheSame(_ example: Case) throws {
    try Self.expectTheSame(example)
  }

  @Test(.tier(.full), arguments: Sampling.product(Case.counts).map(Case.init))
  func everyCombinationIsTheSame(_ example: Case) throws {
    try Self.expectTheSame(example)
  }

  private static func expectTheSame(_ example: Case) throws {
    var generator = SeededGenerator()
    // No powers of two: what goes round is computed another way there. And in floats (0.5 / 82) · 82 is less than 0.5, as with 94, so that the outermost
    // place lies beyond the texel that it means.
    let frame = TestPictures.noisy(
      format: example.format, size: PictureSize(width: 82, height: 94),
      color: ColorDescription(matrix: .bt709, range: .limited), generator: &generator)
    let geometry = PictureGeometry(
      projection: example.projection, stereo: example.stereo, eye: .right, sampleAspect: 1.3)
    let camera = example.isWide ? Camera(pan: 180, fieldOfView: 120) : .random(using: &generator)
    let views = try [true, false].map {
      try renderedView(
        frame, geometry, camera, PictureSize(width: 161, height: 90), example.shading, mixesTexels: $0)
    }
    let largest = zip(views[0], views[1]).map { abs(Int($0) - Int($1)) }.max()
    #expect(largest.map { $0 <= 1 } == true, "seed \(generator.seed), \(camera): \(largest ?? -1)")
    #expect(try TestDevice.validationMessages() == [])
  }
}
