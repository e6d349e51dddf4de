import Decode
import Foundation
import Frames
import Media
import Support
import Testing

/// How a picture covers the sphere, read from the boxes of V1 and V2; FFmpeg judges what it knows, too.
@Suite(.tier(.test)) struct SphericalTests {
  private static let entry = BoxEditor.sampleEntry()
  private static let track = ["moov", "trak"]

  private static func judged(_ path: String) throws -> FFprobe.SideData? {
    try Judge.ffprobe(path).streams?.first?.sideDataList?.first { $0.projection != nil }
  }

  // MARK: V2

  @Test func partsOfTheSphereAndPosesAreThoseOfV2() throws {
    let pose = Pose(yaw: 30, pitch: -20, roll: 7)
    let path = try Made.clip("v2-part.mp4") {
      $0.insert(Made.st3d(1), into: Self.entry)
      $0.insert(
        Made.sv3d(Made.equi(top: 0.125, bottom: 0.25, left: 0.0625, right: 0.5), pose: pose), into: Self.entry)
    }
    let info = try probe(path)
    let sphere = try #require(info.video.spherical)
    #expect(sphere.projection == "equirectangular" && sphere.source == .v2 && sphere.pose == pose)
    #expect(sphere.bounds == SphereBounds(left: 0.0625, top: 0.125, width: 0.4375, height: 0.625))
    #expect(info.video.stereo == .topBottom && sphere.initialView == nil && sphere.insteadOf == nil)
    let judge = try #require(try Self.judged(path))
    #expect(judge.projection == "tiled equirectangular")
    #expect(judge.yaw == pose.yaw && judge.pitch == pose.pitch && judge.roll == pose.roll)
    // FFmpeg counts whole pixels of a sphere that is 160 / 0.4375 pixels wide and 90 / 0.625 high.
    let pixels = [judge.boundLeft, judge.boundRight, judge.boundTop, judge.boundBottom].map { Double($0 ?? -9) }
    let expected = [0.0625 * 160 / 0.4375, 0.5 * 160 / 0.4375, 0.125 * 90 / 0.625, 0.25 * 90 / 0.625]
    #expect(zip(pixels, expected).allSatisfy { abs($0 - $1) <= 1 }, "\(pixels) for \(expected)")
  }

  @Test func theWholeSphereHasNoBounds() throws {
    let path = try Made.clip("v2-whole.mp4") { $0.insert(Made.sv3d(Made.equi()), into: Self.entry) }
    let sphere = try #require(try probe(path).video.spherical)
    #expect(sphere.bounds == nil && sphere.pose == .none && sphere.source == .v2)
    #expect(try Self.judged(path)?.projection == "equirectangular")
  }

  @Test func cubemapsTellTheirPadding() throws {
    let path = try Made.clip("v2-cube.mp4") { $0.insert(Made.sv3d(Made.cbmp(padding: 3)), into: Self.entry) }
    let sphere = try #require(try probe(path).video.spherical)
    #expect(sphere.projection == "cubemap" && sphere.padding == 3 && sphere.layout == 0 && sphere.bounds == nil)
    let judge = try #require(try Self.judged(path))
    #expect(judge.projection == "cubemap" && judge.padding == sphere.padding)
  }

  /// The same through FFmpeg alone, which has read the boxes and written them as Matroska's elements.
  @Test func matroskaSaysTheSame() throws {
    let part = try Made.clip("v2-mkv.mp4") {
      $0.insert(Made.st3d(2), into: Self.entry)
      let bounds = Made.equi(top: 0.25, bottom: 0.25, left: 0.25, right: 0.25)
      $0.insert(Made.sv3d(bounds, pose: Pose(yaw: -90, pitch: 45, roll: 10)), into: Self.entry)
    }
    let path = try SharedClips.ffmpeg("v2.mkv", ["-i", part, "-c", "copy", "-strict", "unofficial"])
    let (boxes, elements) = (try probe(part).video, try probe(path).video)
    #expect(elements.spherical == boxes.spherical && elements.spherical?.bounds?.width == 0.5)
    #expect(elements.stereo == .sideBySide && elements.spherical?.source == .v2)
  }

  // MARK: V1

  @Test func everyElementOfV1IsRead() throws {
    let xml = Made.xml([
      "StereoMode": "left-right", "CroppedAreaImageWidthPixels": " 500\n", "CroppedAreaImageHeightPixels": "250",
      "CroppedAreaLeftPixels": "100", "CroppedAreaTopPixels": "50", "FullPanoWidthPixels": "1000",
      "FullPanoHeightPixels": "500", "InitialViewHeadingDegrees": "90", "InitialViewPitchDegrees": "-30",
      "InitialViewRollDegrees": "15",
    ])
    let path = try Made.clip("v1-all.mp4") { $0.insert(Made.uuid(xml), into: Self.track) }
    let info = try probe(path)
    let sphere = try #require(info.video.spherical)
    #expect(sphere.projection == "equirectangular" && sphere.source == .v1 && info.video.stereo == .sideBySide)
    #expect(sphere.bounds == SphereBounds(left: 0.1, top: 0.1, width: 0.5, height: 0.5))
    #expect(sphere.initialView == InitialView(heading: 90, pitch: -30, roll: 15) && sphere.pose == .none)
    #expect(try Self.judged(path)?.projection == "equirectangular")
  }

  @Test func whatV1LeavesOutIsTheFrameItself() throws {
    let xml = Made.xml(["FullPanoWidthPixels": "320", "FullPanoHeightPixels": "180", "CroppedAreaLeftPixels": "80"])
    let path = try Made.clip("v1-defaults.mp4") { $0.insert(Made.uuid(xml), into: Self.track) }
    let sphere = try #require(try probe(path).video.spherical)
    #expect(sphere.bounds == SphereBounds(left: 0.25, top: 0, width: 0.5, height: 0.5) && sphere.initialView == nil)
  }

  /// Matroska holds V1 as a tag.
  @Test func matroskasTagIsV1() throws {
    let xml = Made.xml(["StereoMode": "top-bottom", "InitialViewHeadingDegrees": "-45"])
    let path = try SharedClips.ffmpeg(
      "v1.mkv", ["-i", SharedClips.many("mp4"), "-c", "copy", "-metadata:s:v:0", "SPHERICAL-VIDEO=\(xml)"])
    let video = try probe(path).video
    #expect(video.spherical?.source == .v1 && video.spherical?.initialView?.heading == -45)
    #expect(video.stereo == .topBottom)
  }

  private static let odd: [(name: String, xml: String, projection: String?, isPart: Bool)] = {
    let size = "<GSpherical:FullPanoWidthPixels>100</GSpherical:FullPanoWidthPixels>"
    return [
      ("not-spherical", Made.xml([:]).replacing("Spherical>true", with: "Spherical>false"), nil, false),
      ("unstitched", Made.xml([:]).replacing("Stitched>true", with: "Stitched>false"), "unstitched", false),
      ("other", Made.xml([:], projection: "Cylindrical"), "cylindrical", false),
      ("shouting", Made.xml([:], projection: "no; word \u{1b}[31m"), "unknown", false),
      ("first-counts", Made.xml(["ProjectionType": "cubemap"]), "equirectangular", false),
      ("comment", "<!-- \(Made.xml([:])) -->", nil, false),
      (
        "commented", "<!-- <GSpherical:Stitched>false</GSpherical:Stitched> -->" + Made.xml([:]), "equirectangular",
        false
      ),
      ("cdata", "<![CDATA[\(Made.xml([:]))]]>", nil, false),
      ("endless-comment", "<!--" + Made.xml([:]), nil, false),
      ("endless-cdata", "<![CDATA[" + Made.xml([:]), nil, false),
      (
        "endless", Made.xml([:]).replacing("</rdf:SphericalVideo>", with: "<GSpherical:StereoMode"), "equirectangular",
        false
      ),
      ("no-ends", String(repeating: "<GSpherical:Stitched ", count: 3_000), nil, false),
      ("only-opened", String(repeating: "<", count: 60_000), nil, false),
      ("empty-tags", "<GSpherical:Spherical/><GSpherical:Spherical></GSpherical:Spherical>", nil, false),
      ("half-a-size", Made.xml([:]).replacing("</rdf", with: size + "</rdf"), "equirectangular", false),
      ("zero", Made.xml(["FullPanoWidthPixels": "0", "FullPanoHeightPixels": "0"]), "equirectangular", false),
      ("outside", Made.xml(["FullPanoWidthPixels": "100", "FullPanoHeightPixels": "50"]), "equirectangular", false),
      ("huge", Made.xml(["FullPanoWidthPixels": "1e300", "FullPanoHeightPixels": "nan"]), "equirectangular", false),
      (
        "negative", Made.xml(["FullPanoWidthPixels": "-320", "FullPanoHeightPixels": "-180"]), "equirectangular", false
      ),
      (
        "bomb",
        "<!DOCTYPE b [<!ENTITY a \"aaaaaaaaaa\">" + (0..<9).map { "<!ENTITY a\($0) \"&a;&a;&a;&a;&a;\">" }.joined()
          + "]>"
          + Made.xml(["StereoMode": "&a8;"]), "equirectangular", false
      ),
      ("long-value", Made.xml(["StereoMode": String(repeating: "x", count: 40_000)]), "equirectangular", false),
      ("too-late", String(repeating: " ", count: 70_000) + Made.xml([:]), nil, false),
      ("part", Made.xml(["FullPanoWidthPixels": "320", "FullPanoHeightPixels": "90"]), "equirectangular", true),
    ]
  }()

  @Test(arguments: odd.map(\.name))
  func oddTextIsReadAsFarAsItMakesSense(name: String) throws {
    let row = try #require(Self.odd.first { $0.name == name })
    let path = try Made.clip("odd-\(name).mp4") { $0.insert(Made.uuid(row.xml), into: Self.track) }
    let sphere = try probe(path).video.spherical
    #expect(sphere?.projection == row.projection)
    #expect((sphere?.bounds != nil) == row.isPart)
  }

  // MARK: Both

  /// V1 lies behind the sample entry: FFmpeg 5.1 refuses a track in which it comes first.
  @Test func v2WinsOverV1() throws {
    let xml = Made.xml(["StereoMode": "left-right", "InitialViewHeadingDegrees": "90"])
    let path = try Made.clip("both.mp4") {
      $0.insert(Made.uuid(xml), into: Self.track)
      $0.insert(Made.st3d(1), into: Self.entry)
      $0.insert(Made.sv3d(Made.cbmp(padding: 0)), into: Self.entry)
    }
    let video = try probe(path).video
    #expect(video.spherical?.projection == "cubemap" && video.spherical?.source == .v2)
    #expect(video.spherical?.initialView == nil && video.stereo == .topBottom)
  }

  @Test func aMeshAloneIsNamed() throws {
    let path = try Made.clip("mesh.mp4") { $0.insert(Made.sv3d(Made.mshp), into: Self.entry) }
    let sphere = try #require(try probe(path).video.spherical)
    #expect(sphere.projection == "mesh" && sphere.source == .v2 && sphere.bounds == nil)
  }

  /// Both schemes mean the same, so that what can be read stands in for what cannot.
  @Test func v1StandsInForAMesh() throws {
    let xml = Made.xml(["StereoMode": "left-right", "FullPanoWidthPixels": "320", "FullPanoHeightPixels": "90"])
    let path = try Made.clip("mesh-and-v1.mp4") {
      $0.insert(Made.st3d(3), into: Self.entry)
      $0.insert(Made.sv3d(Made.mshp, pose: Pose(yaw: 12)), into: Self.entry)
      $0.insert(Made.uuid(xml), into: Self.track)
    }
    let video = try probe(path).video
    let sphere = try #require(video.spherical)
    #expect(sphere.projection == "equirectangular" && sphere.source == .v1 && sphere.insteadOf == "mesh")
    #expect(sphere.bounds?.width == 0.5 && sphere.pose.yaw == 12 && video.stereo == .sideBySide)
  }

  @Test func aV1ThatSaysNothingReadableDoesNotStandIn() throws {
    let path = try Made.clip("mesh-and-odd.mp4") {
      $0.insert(Made.sv3d(Made.mshp), into: Self.entry)
      $0.insert(Made.uuid(Made.xml([:], projection: "cubemap")), into: Self.track)
    }
    #expect(try probe(path).video.spherical?.projection == "mesh")
  }

  @Test func secondViewsAreSaidToBeThere() throws {
    let plain = try SharedClips.synthetic("hevc.mp4") { ($0.codec, $0.frames) = ("hevc", 2) }
    let path = try Made.clip("lhvC.mp4", from: plain) { $0.insert(Made.lhvC, into: BoxEditor.sampleEntry("hvc1")) }
    #expect(try probe(path).video.isMultiview)
    // FFmpeg 7.1 writes one of these for every sphere.
    let extended = try Made.clip("vexu.mp4") { $0.insert(BoxEditor.box("vexu", Made.equi()), into: Self.entry) }
    #expect(try !probe(extended).video.isMultiview)
    #expect(try !probe(SharedClips.many("mp4")).video.isMultiview)
  }

  @Test(.enabled(if: TestFolders.media != nil, "BENCH360_MEDIA names no folder of clips"))
  func realClipsHaveTheirSpheres() throws {
    let folder = "googlevr+gvr-android-sdk/samples/sdk-simplevideowidget/src/main/assets/"
    let part = try probe(#require(TestFolders.clip(folder + "sphericalv2.mp4"))).video
    #expect(part.spherical?.insteadOf == "mesh" && part.stereo == .topBottom)
    let expected = SphereBounds(left: 876 / 2824, top: 328 / 1412, width: 1072 / 2824, height: 754 / 1412)
    #expect(part.spherical?.bounds == expected)
    let congo = try probe(#require(TestFolders.clip(folder + "congo.mp4"))).video
    #expect(congo.spherical == SphericalInfo(projection: "equirectangular", source: .v1) && congo.stereo == .topBottom)
    let water = "joeyparrish+shaka-packager/packager/media/test/data/water-mv-hevc.mp4"
    #expect(try probe(#require(TestFolders.clip(water))).video.isMultiview)
  }
}
