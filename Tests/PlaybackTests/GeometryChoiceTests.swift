import Decode
import Foundation
import Frames
import Playback
import Render
import Support
import Testing

@Suite struct GeometryChoiceTests {
  private static func info(_ change: (inout MediaInfo) -> Void) throws -> MediaInfo {
    var info = try probe(SharedClips.many("mp4"))
    change(&info)
    return info
  }

  private static func spherical(_ projection: String) throws -> SphericalInfo {
    let text = #"{"projection": "\#(projection)", "yaw": 0, "pitch": 0, "roll": 0}"#
    return try JSONDecoder().decode(SphericalInfo.self, from: Data(text.utf8))
  }

  @Test func autoFollowsTheFile() throws {
    let sphere = try Self.spherical("equirectangular")
    let (tagged, reasons) = GeometryChoice().resolve(
      try Self.info {
        $0.video.spherical = sphere
        $0.video.stereo = .topBottom
      })
    #expect(tagged.projection == .equirectangular && tagged.stereo == .topBottom && tagged.eye == .left)
    #expect(Set(reasons.keys) == ["projection", "stereo"])
    let (plain, why) = GeometryChoice().resolve(
      try Self.info {
        $0.video.sampleAspect = Ratio(4, 3)
        $0.video.rotation = 90
      })
    #expect(plain.projection == .flat && plain.stereo == .mono && plain.rotation == 90)
    #expect(abs(plain.sampleAspect - 4.0 / 3) < 1e-12 && why["projection"]?.contains("no spherical") ?? false)
  }

  @Test func projectionsNotDrawnYetAreSaidToBe() throws {
    let cube = try Self.spherical("cubemap")
    let (geometry, reasons) = GeometryChoice().resolve(try Self.info { $0.video.spherical = cube })
    #expect(geometry.projection == .flat && reasons["projection"]?.contains("cubemap") ?? false)
  }

  @Test func choicesWinAndNeedNoReason() throws {
    for projection in Projection.allCases {
      for stereo in StereoLayout.allCases {
        for eye in PictureGeometry.Eye.allCases {
          let choice = GeometryChoice(projection: projection, stereo: stereo, eye: eye)
          let (geometry, reasons) = choice.resolve(try Self.info { $0.video.stereo = .sideBySide })
          #expect(geometry.projection == projection && geometry.stereo == stereo && geometry.eye == eye)
          #expect(reasons.isEmpty)
        }
      }
    }
  }

  @Test func twiceAsWideAsHighMayBeASphere() throws {
    let wide = PictureSize(width: 200, height: 100)
    #expect(try Self.info { $0.video.size = wide }.looksSpherical)
    #expect(try !Self.info { $0.video.size.width = 1000 }.looksSpherical)
    let tagged = try Self.spherical("equirectangular")
    #expect(try !Self.info { ($0.video.size, $0.video.spherical) = (wide, tagged) }.looksSpherical)
  }
}
