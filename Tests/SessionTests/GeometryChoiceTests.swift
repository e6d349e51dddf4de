import Decode
import Frames
import Media
import Render
import Session
import Support
import Testing

@Suite struct GeometryChoiceTests {
  private static func info(_ change: (inout MediaInfo) -> Void) throws -> MediaInfo {
    var info = try probe(SharedClips.many("mp4"))
    change(&info)
    return info
  }

  @Test func autoFollowsTheFile() throws {
    let sphere = SphericalInfo(projection: "equirectangular")
    let (tagged, reasons) = GeometryChoice().resolve(
      try Self.info {
        $0.video.spherical = sphere
        $0.video.stereo = .topBottom
      })
    #expect(tagged.projection == .equirectangular && tagged.stereo == .topBottom && tagged.eye == .left)
    #expect(Set(reasons.keys) == [.projection, .stereo])
    let chosen = GeometryChoice(projection: .flat)
    #expect(chosen.automaticProjection(try Self.info { $0.video.spherical = sphere }) == .equirectangular)
    let (plain, why) = GeometryChoice().resolve(
      try Self.info {
        $0.video.sampleAspect = Ratio(4, 3)
        $0.video.rotation = 90
      })
    #expect(plain.projection == .flat && plain.stereo == .mono && plain.rotation == 90)
    #expect(abs(plain.sampleAspect - 4.0 / 3) < 1e-12 && why[.projection]?.contains("no spherical") ?? false)
  }

  @Test func unsupportedProjectionsAreReported() throws {
    let tiled = SphericalInfo(projection: "tiled equirectangular")
    let (geometry, reasons) = GeometryChoice().resolve(try Self.info { $0.video.spherical = tiled })
    #expect(geometry.projection == .flat && reasons[.projection]?.contains("tiled") ?? false)
  }

  @Test func cubemapsAreDrawn() throws {
    let cube = SphericalInfo(projection: "cubemap")
    let (geometry, _) = GeometryChoice(lensFieldOfView: 200).resolve(try Self.info { $0.video.spherical = cube })
    #expect(geometry.projection == .cubemap3x2 && geometry.lensFieldOfView == 200)
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

  private static let part = SphereBounds(left: 0.25, top: 0, width: 0.5, height: 1)

  @Test func boundsAndPoseAreTheFilesUnlessChosen() throws {
    let sphere = SphericalInfo(projection: "equirectangular", bounds: Self.part, pose: Pose(yaw: 10), source: .v2)
    let info = try Self.info { $0.video.spherical = sphere }
    let (automatic, reasons) = GeometryChoice().resolve(info)
    #expect(automatic.bounds == Self.part && automatic.pose == Pose(yaw: 10))
    #expect(Set(reasons.keys) == [.projection, .stereo, .bounds, .pose])
    let whole = SphereBounds(left: 0, top: 0, width: 1, height: 1)
    let (chosen, why) = GeometryChoice(bounds: whole, pose: Pose(roll: 3)).resolve(info)
    #expect(chosen.bounds == nil && chosen.pose == Pose(roll: 3) && why[.bounds] == nil && why[.pose] == nil)
    let (flat, _) = GeometryChoice(projection: .flat).resolve(info)
    #expect(flat.bounds == nil && flat.pose == .none)
  }

  /// A part is a part of the file's own projection: a mesh's neighbour has none.
  @Test func boundsOfAnotherProjectionAreLeftOut() throws {
    let info = try Self.info { $0.video.spherical = SphericalInfo(projection: "cubemap", bounds: Self.part) }
    #expect(GeometryChoice(projection: .equirectangular).resolve(info).geometry.bounds == nil)
    let untagged = GeometryChoice(projection: .equirectangular, bounds: Self.part).resolve(try Self.info { _ in })
    #expect(untagged.geometry.bounds == Self.part && untagged.reasons[.bounds] == nil)
  }

  @Test func meshesAreRefusedWithARemedy() throws {
    let (geometry, reasons) = GeometryChoice().resolve(
      try Self.info { $0.video.spherical = SphericalInfo(projection: "mesh", source: .v2) })
    #expect(geometry.projection == .flat)
    #expect(
      reasons[.projection] == "the file maps its picture by a mesh (mshp), which is not read: name a --projection")
    var stand = SphericalInfo(projection: "equirectangular", source: .v1)
    stand.insteadOf = "mesh"
    let (used, why) = GeometryChoice().resolve(try Self.info { $0.video.spherical = stand })
    #expect(used.projection == .equirectangular && why[.projection]?.contains("V1") ?? false)
    #expect(why[.projection]?.contains("'mesh', which is not read") ?? false)
  }

  @Test func theFirstViewIsTheFilesOwn() throws {
    #expect(try Self.info { _ in }.firstView == nil)
    func first(_ view: InitialView) throws -> Camera? {
      try Self.info { $0.video.spherical = SphericalInfo(projection: "equirectangular", initialView: view) }.firstView
    }
    #expect(
      try first(InitialView(heading: 30, pitch: 20, roll: -10)) == Camera(pan: 30, tilt: 20, roll: -10, fieldOfView: 85)
    )
    #expect(try first(InitialView(heading: 350, pitch: 91)) == Camera(pan: -10, tilt: 90))
    #expect(try first(InitialView(heading: -1e9, pitch: -1e9))?.tilt == -90)
  }
}
