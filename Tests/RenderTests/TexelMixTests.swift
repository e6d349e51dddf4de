import Frames
import GPU
import Render
import Support
import Testing

/// Four texels mixed by the shader, and by the device's sampler: the same picture. CPU devices mix; the samplers of GPUs have fewer bits, of which
/// `ShaderTests` know.
@Suite(.enabled(if: (try? TestDevice.device().info.isSoftware) == true, "no Vulkan device that renders on the CPU"))
struct TexelMixTests {
  private static let formats = ["yuv420p", "nv12", "yuv444p10le", "gray"].compactMap(PictureFormat.named)

  @Test(arguments: Shading.allCases, formats)
  func bothAreTheSame(_ shading: Shading, _ format: PictureFormat) throws {
    var generator = SeededGenerator()
    let device = try TestDevice.device()
    let ways = try [true, false].map { try ViewPipelines(device: device, shading: shading, mixesTexels: $0) }
    let color = ColorDescription(matrix: .bt709, range: .limited)
    // No powers of two: what goes round is computed another way there. And in floats (0.5 / 82) · 82 is less than 0.5, as with 94, so that the outermost
    // place lies beyond the texel that it means.
    let frame = TestPictures.noisy(
      format: format, size: PictureSize(width: 82, height: 94), color: color, generator: &generator)
    for projection in Projection.allCases {
      for stereo in StereoLayout.allCases {
        let geometry = PictureGeometry(projection: projection, stereo: stereo, eye: .right, sampleAspect: 1.3)
        // Far to both sides, so that edges and seams are in sight.
        for camera in [Camera(pan: 180, fieldOfView: 120), .random(using: &generator)] {
          let views = try ways.map { pipelines in
            let renderer = try ViewRenderer(
              pipelines: pipelines, geometry: geometry, targetSize: PictureSize(width: 161, height: 90))
            _ = try renderer.render(frame, camera: camera, wantsPixels: true)
            return try #require(try renderer.drain().last?.pixels)
          }
          let largest = zip(views[0], views[1]).map { abs(Int($0) - Int($1)) }.max()
          #expect(
            largest.map { $0 <= 1 } == true,
            "seed \(generator.seed), \(projection) \(stereo) \(camera): \(largest ?? -1)")
        }
      }
    }
    #expect(try TestDevice.validationMessages() == [])
  }
}
