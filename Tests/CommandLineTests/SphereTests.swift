import Foundation
import Support
import Testing

extension CommandTests {
  /// What a file says of its sphere, from the file to `probe`, the picture and the record.
  @Suite(.tier(.test)) struct SphereTests {
    private static let xml = """
      <GSpherical:Spherical>true</GSpherical:Spherical><GSpherical:Stitched>true</GSpherical:Stitched>\
      <GSpherical:StitchingSoftware>a test</GSpherical:StitchingSoftware>\
      <GSpherical:ProjectionType>equirectangular</GSpherical:ProjectionType>\
      <GSpherical:InitialViewHeadingDegrees>90</GSpherical:InitialViewHeadingDegrees>\
      <GSpherical:InitialViewPitchDegrees>-20</GSpherical:InitialViewPitchDegrees>
      """
    private static let globalMetadataID: [UInt8] = [
      0xff, 0xcc, 0x82, 0x63, 0xf8, 0x55, 0x4a, 0x93, 0x88, 0x14, 0x58, 0x7a, 0x02, 0x52, 0x1f, 0xdd,
    ]

    /// `plain.mp4` says nothing; `v1.mp4` is the same with V1's XML, which looks to the right and down.
    private static func withClips(_ body: (_ folder: String) throws -> Void) throws {
      try TestFolders.withTemporary { folder in
        let plain = try SharedClips.file("command-sphere.mp4") { path in
          try Program.generate("plain.mp4", in: folder, ["--projection", "flat"])
          try FileManager.default.moveItem(atPath: folder + "/plain.mp4", toPath: path)
        }
        try FileManager.default.copyItem(atPath: plain, toPath: folder + "/plain.mp4")
        var editor = BoxEditor(try [UInt8](Data(contentsOf: URL(filePath: folder + "/plain.mp4"))))
        editor.insert(BoxEditor.box("uuid", globalMetadataID + Array(xml.utf8)), into: ["moov", "trak"])
        try Data(editor.bytes).write(to: URL(filePath: folder + "/v1.mp4"))
        try body(folder)
      }
    }

    private static func picture(_ clip: String, _ options: [String], in folder: String) throws -> Data {
      let result = try Program.run(["snapshot", clip, "-o", "x.png", "--size", "160x90"] + options, in: folder)
      #expect(result.status == 0, "\(result.errors)")
      return try Data(contentsOf: URL(filePath: folder + "/x.png"))
    }

    @Test func theFirstViewIsTheFilesOwn() throws {
      try Self.withClips { folder in
        let first = try Self.picture("v1.mp4", [], in: folder)
        let sphere = ["--projection", "equirectangular"]
        #expect(try first == Self.picture("plain.mp4", sphere + ["--view", "90,-20"], in: folder))
        #expect(
          try Self.picture("v1.mp4", ["--view", "0,0"], in: folder) == Self.picture("plain.mp4", sphere, in: folder))
        #expect(try first != Self.picture("plain.mp4", sphere, in: folder))
      }
    }

    @Test func theRecordSaysWhereTheViewCameFrom() throws {
      try Self.withClips { folder in
        func settings(_ options: [String]) throws -> [String: Any] {
          let result = try Program.run(Program.shortRun("v1.mp4") + ["-o", "-"] + options, in: folder)
          #expect(result.status == 0, "\(result.errors)")
          return try #require(try RecordText(result.output).values["settings"] as? [String: Any])
        }
        let automatic = try settings([])
        #expect((automatic["view"] as? [String: Double]) == ["pan": 90, "tilt": -20, "fov": 85, "roll": 0])
        #expect((automatic["reasons"] as? [String: String])?["view"] == "the file says where to look first")
        let chosen = try settings(["--view", "1,2,70,5", "--bounds", "0.25,0,0.5,1", "--pose", "0,0,9"])
        #expect((chosen["view"] as? [String: Double]) == ["pan": 1, "tilt": 2, "fov": 70, "roll": 5])
        let reasons = try #require(chosen["reasons"] as? [String: String])
        #expect(["view", "bounds", "pose"].allSatisfy { reasons[$0] == nil })
        #expect((chosen["bounds"] as? [String: Double]) == ["left": 0.25, "top": 0, "width": 0.5, "height": 1])
        #expect((chosen["pose"] as? [String: Double])?["roll"] == 9)
      }
    }

    @Test func aMeshIsShownFlatWithAWarning() throws {
      try Self.withClips { folder in
        var editor = BoxEditor(try [UInt8](Data(contentsOf: URL(filePath: folder + "/plain.mp4"))))
        let mesh = BoxEditor.box("proj", BoxEditor.box("mshp", [UInt8](repeating: 0, count: 12)))
        editor.insert(BoxEditor.box("sv3d", mesh), into: BoxEditor.sampleEntry())
        try Data(editor.bytes).write(to: URL(filePath: folder + "/mesh.mp4"))
        let automatic = try Program.run(Program.shortRun("mesh.mp4") + ["-o", "-"], in: folder)
        let chosen = try Program.run(
          Program.shortRun("mesh.mp4") + ["-o", "-", "--projection", "equirectangular"], in: folder)
        #expect(automatic.status == 0 && chosen.status == 0, "\(automatic.errors)\(chosen.errors)")
        #expect(try RecordText(automatic.output).warningCodes.contains("shown_flat"))
        #expect(automatic.text.contains("mesh (mshp), which is not read: name a --projection"))
        #expect(try !RecordText(chosen.output).warningCodes.contains("shown_flat"))
      }
    }

    @Test func probeTellsWhatTheFileSays() throws {
      try Self.withClips { folder in
        let text = try Program.run(["probe", "v1.mp4"], in: folder).text
        for words in ["equirectangular (the file says so)", "from V1 metadata", "heading 90.0°, pitch -20.0°"] {
          #expect(text.contains(words), "\(text)")
        }
        let json = try Program.run(["probe", "v1.mp4", "--json"], in: folder).output
        let video = try #require(try RecordText(json).values["video"] as? [String: Any])
        let sphere = try #require(video["spherical"] as? [String: Any])
        #expect(sphere["source"] as? String == "v1" && video["is_multiview"] as? Bool == false)
        #expect((sphere["initial_view"] as? [String: Double]) == ["heading": 90, "pitch": -20, "roll": 0])
        #expect(try !Program.run(["probe", "plain.mp4"], in: folder).text.contains("sphere"))
      }
    }
  }

  /// `--camera` with a file.
  @Suite(.tier(.test)) struct CameraTests {
    private static func write(_ name: String, pan: Double, in folder: String) throws {
      let text = """
        {"schema": "bench360-camera/1", "keyframes": [{"time": 0, "easing": "ease-in"}, {"time": 1, "pan": \(pan)}]}
        """
      try Data(text.utf8).write(to: URL(filePath: folder + "/" + name))
    }

    @Test func theRecordKnowsTheFileByItsContent() throws {
      try Program.withClip { folder, clip in
        try FileManager.default.createDirectory(atPath: folder + "/paths", withIntermediateDirectories: true)
        try Self.write("paths/tour.json", pan: 90, in: folder)
        try Self.write("other.json", pan: 91, in: folder)
        for (camera, output) in [("paths/tour.json", "a.json"), ("other.json", "b.json")] {
          let result = try Program.run(
            Program.shortRun(clip, scenario: "render") + ["-o", output, "--camera", camera], in: folder)
          #expect(result.status == 0, "\(result.errors)")
        }
        let settings = try #require(try RecordText(file: folder + "/a.json").values["settings"] as? [String: Any])
        let judge = try CommandOutput.of("sha256sum", [folder + "/paths/tour.json"]).text.prefix(64)
        #expect(settings["camera"] as? String == "tour.json" && settings["camera_sha256"] as? String == String(judge))
        let compared = try Program.run(["compare", "a.json", "b.json", "--gate", "render/max_error"], in: folder)
        #expect(compared.status == 7 && compared.errors.contains("camera"), "\(compared.errors)")
        if PythonJudge.hasJSONSchema {
          #expect(try PythonJudge.schemaRefusals([folder + "/a.json", folder + "/b.json"]).isEmpty)
        }
      }
    }

    @Test func filesThatAreNoPathAreRefusedBeforeMeasuring() throws {
      try Program.withClip { folder, clip in
        try Data("{}".utf8).write(to: URL(filePath: folder + "/empty.json"))
        for (camera, words) in [("none.json", "no such file"), ("empty.json", "schema is missing")] {
          let result = try Program.run(Program.shortRun(clip) + ["-o", "x.json", "--camera", camera], in: folder)
          result.expectRefusal(saying: ["'\(camera)'", words])
        }
        #expect(try names(in: folder) == [clip, "empty.json"])
      }
    }
  }
}
