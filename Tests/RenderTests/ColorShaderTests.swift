import Frames
import GPU
import Render
import Support
import Testing

/// Colours after the matrix, and every format with every way to read it: shaders against their twin.
@Suite(.tier(.test), .enabled(if: TestDevice.isAvailable, "no Vulkan device"))
struct ColorShaderTests {
  /// Signalled primaries and transfer: unchanged, converted and tone-mapped ones.
  static let signalled: [(primaries: String, transfer: String)] = [
    ("bt709", "iec61966-2-1"), ("bt709", "linear"), ("smpte170m", "smpte170m"), ("bt470bg", "bt470bg"),
    ("bt470m", "bt470m"), ("smpte432", "iec61966-2-1"), ("bt2020", "bt2020-10"), ("bt2020", "smpte2084"),
    ("smpte432", "smpte2084"), ("bt2020", "arib-std-b67"), ("bt709", "arib-std-b67"),
  ]
  private static let formats = [PictureFormat.yuv420p, .planar(.none, bitDepth: 12)]
  private static let peaks = [nil, 600, 4000.0]
  static let conversions = [signalled.count, formats.count * Shading.allCases.count, peaks.count]

  /// - Parameter row: indexes of what is signalled, of a format and shading, and of a peak.
  @Test(arguments: Sampling.pairwise(conversions))
  func conversionsAgree(_ row: [Int]) throws {
    try Self.expectTheTwinsConversion(row)
  }

  @Test(.tier(.full), arguments: Sampling.product(conversions))
  func everyConversionAgrees(_ row: [Int]) throws {
    try Self.expectTheTwinsConversion(row)
  }

  private static func expectTheTwinsConversion(_ row: [Int]) throws {
    var generator = SeededGenerator()
    let shading = Shading.allCases[row[1] % Shading.allCases.count]
    let color = ColorDescription(
      matrix: .bt2020, range: .limited, primaries: signalled[row[0]].primaries, transfer: signalled[row[0]].transfer,
      peakNits: peaks[row[2]])
    let frame = TestPictures.noisy(
      format: formats[row[1] / Shading.allCases.count], size: PictureSize(width: 256, height: 128), color: color,
      generator: &generator)
    let difference = try Difference(
      frame, PictureGeometry(projection: .equirectangular), Camera.random(using: &generator),
      PictureSize(width: 161, height: 90), shading)
    #expect(
      difference.largest <= 3 && difference.shareWithinOne >= 0.999,
      "\(difference), \(frame.format.name), \(color), \(shading), seed \(generator.seed)")
    #expect(try TestDevice.validationMessages() == [])
  }

  /// Every code value of luma, from below black to above white, without chroma: where the curves have their ends.
  @Test(arguments: signalled, ["gray10le", "p010le"])
  func everyGreyAgrees(_ signalled: (primaries: String, transfer: String), _ name: String) throws {
    let format = try #require(PictureFormat.named(name))
    let size = PictureSize(width: 32, height: 32)
    for range in ColorDescription.Range.allCases {
      let color = ColorDescription(
        matrix: .bt2020, range: range, primaries: signalled.primaries, transfer: signalled.transfer)
      let frame = TestPictures.filled(format: format, size: size, color: color) { plane, column, row in
        plane == 0 ? row * 32 + column : 512
      }
      let difference = try Difference(frame, PictureGeometry(projection: .flat), Camera(), size)
      #expect(difference.largest <= 1, "\(color)")
    }
  }

  static let odd = [
    PictureFormat.all.count, Projection.allCases.count, Shading.allCases.count,
    ColorDescription.Matrix.allCases.count,
  ]

  /// Pictures of odd width and height, with a range and a siting at random.
  ///
  /// - Parameter row: indexes of a format, a projection, a shading and a matrix.
  @Test(arguments: Sampling.pairwise(odd))
  func oddFormatsAgree(_ row: [Int]) throws {
    try Self.expectTheTwinsOddPicture(row)
  }

  @Test(.tier(.full), arguments: Sampling.product(odd))
  func everyOddFormatAgrees(_ row: [Int]) throws {
    try Self.expectTheTwinsOddPicture(row)
  }

  private static func expectTheTwinsOddPicture(_ row: [Int]) throws {
    var generator = SeededGenerator()
    let color = ColorDescription(
      matrix: ColorDescription.Matrix.allCases[row[3]], range: Bool.random(using: &generator) ? .full : .limited,
      siting: ColorDescription.ChromaSiting.allCases.randomElement(using: &generator) ?? .left)
    let frame = TestPictures.noisy(
      format: PictureFormat.all[row[0]], size: PictureSize(width: 129, height: 65), color: color,
      generator: &generator)
    let (projection, shading) = (Projection.allCases[row[1]], Shading.allCases[row[2]])
    let difference = try Difference(
      frame, PictureGeometry(projection: projection), Camera.random(using: &generator),
      PictureSize(width: 96, height: 54), shading)
    #expect(
      difference.largest <= 3 && difference.shareWithinOne >= 0.998,
      "\(difference), \(frame.format.name), \(projection), \(shading), \(color), seed \(generator.seed)")
    #expect(try TestDevice.validationMessages() == [])
  }
}
