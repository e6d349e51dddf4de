import Decode
import Encode
import Frames
import GPU
import Render
import Session
import Support
import Testing

/// Views of a stream whose format changes look as those of its parts alone: pixel by pixel.
@Suite(.tier(.test), .enabled(if: TestDevice.isAvailable, "no Vulkan device"))
struct FormatChangeViewTests {
  private static let parts = [
    SharedClips.small { ($0.projection, $0.frames, $0.gop) = (.flat, 40, 10) },
    SharedClips.small {
      ($0.codec, $0.bitDepth, $0.projection, $0.frames, $0.gop) = ("hevc", 10, .flat, 40, 10)
      ($0.size, $0.matrix) = (PictureSize(width: 320, height: 240), .bt601)
    },
  ]

  /// By the frame's number in the file.
  private static func views(_ path: String) throws -> [(frame: VideoFrame, pixels: [UInt8]?)] {
    var options = RenderSession.Options()
    options.targetSize = PictureSize(width: 160, height: 90)
    options.validates = true
    options.decoder.threads = 1
    let session = try RenderSession(path: path, options: options)
    var finished: [FrameRing.Finished] = []
    while let frame = try session.reader.next() {
      finished += try session.renderer.render(frame, camera: Camera(), wantsPixels: true)
    }
    finished += try session.renderer.drain()
    #expect(session.device.instance.validation.messages == [])
    return finished.map { ($0.frame, $0.pixels) }
  }

  @Test func partsLookAsTheyDoAlone() throws {
    let (path, alone) = try SharedClips.joined("change-views", Self.parts)
    let (joined, views) = (try Self.views(path), try alone.map { try Self.views($0) })
    let change = try #require(
      joined.indices.dropFirst().first { joined[$0].frame.stream !== joined[$0 - 1].frame.stream })
    #expect(joined[..<36].map(\.pixels) == views[0][..<36].map(\.pixels))
    #expect(joined[change...].map(\.pixels) == views[1].map(\.pixels) && views[1].count == 40)
    #expect(joined[change].frame.format.isDeep && joined[change].frame.color.matrix == .bt601)
    #expect(joined.allSatisfy { $0.pixels != nil })
  }
}
