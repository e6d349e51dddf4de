import Frames
import GPU
import Render
import Support
import Testing

/// Colours after the matrix, and every format with every way to read it: shaders against their twin.
@Suite(.enabled(if: TestDevice.isAvailable, "no Vulkan device"))
struct ColorShaderTests {
  /// Signalled primaries and transfer: unchanged, converted and tone-mapped ones.
  static let signalled: [(primaries: String, transfer: String)] = [
    ("bt709", "iec61966-2-1"), ("bt709", "linear"), ("smpte170m", "smpte170m"), ("bt470bg", "bt470bg"),
    ("bt470m", "bt470m"), ("smpte432", "iec61966-2-1"), ("bt2020", "bt2020-10"), ("bt2020", "smpte2084"),
    ("smpte432", "smpte2084"), ("bt2020", "arib-std-b67"), ("bt709", "arib-std-b67"),
  ]
  static let size = PictureSize(width: 256, height: 128)

  @Test(arguments: signalled, Shading.allCases)
  func conversionsAgree(_ signalled: (primaries: String, transfer: String), _ shading: Shading) throws {
    var generator = SeededGenerator()
    for format in [PictureFormat.yuv420p, .planar(.none, bitDepth: 12)] {
      for peak in [nil, 600, 4000.0] {
        let color = ColorDescription(
          matrix: .bt2020, range: .limited, primaries: signalled.primaries, transfer: signalled.transfer, peakNits: peak
        )
        let frame = TestPictures.noisy(format: format, size: Self.size, color: color, generator: &generator)
        let difference = try Difference(
          frame, PictureGeometry(projection: .equirectangular), Camera.random(using: &generator),
          PictureSize(width: 161, height: 90), shading)
        #expect(
          difference.largest <= 3 && difference.shareWithinOne >= 0.999,
          "\(difference), \(color), seed \(generator.seed)")
      }
    }
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

  /// Chosen at random out of all formats, matrices, ranges and sitings; `ShaderTests` has each at least once.
  @Test(arguments: PictureFormat.all, Shading.allCases)
  func formatsAgree(_ format: PictureFormat, _ shading: Shading) throws {
    var generator = SeededGenerator()
    for matrix in ColorDescription.Matrix.allCases {
      let color = ColorDescription(
        matrix: matrix, range: Bool.random(using: &generator) ? .full : .limited,
        siting: ColorDescription.ChromaSiting.allCases.randomElement(using: &generator) ?? .left)
      let frame = TestPictures.noisy(
        format: format, size: PictureSize(width: 129, height: 65), color: color, generator: &generator)
      for projection in Projection.allCases {
        let difference = try Difference(
          frame, PictureGeometry(projection: projection), Camera.random(using: &generator),
          PictureSize(width: 96, height: 54), shading)
        #expect(
          difference.largest <= 3 && difference.shareWithinOne >= 0.998,
          "\(difference), \(color), seed \(generator.seed)")
      }
    }
    #expect(try TestDevice.validationMessages() == [])
  }
}
