import Foundation
import Support
import Testing

extension CommandTests {
  @Suite struct DeviceTests {
    /// Where the driver that renders on the CPU is described to the Vulkan loader.
    private static let softwareDriver = ["/usr/share/vulkan/icd.d", "/usr/local/share/vulkan/icd.d"].lazy.flatMap {
      folder in
      ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasPrefix("lvp_icd") }
        .map { folder + "/" + $0 }
    }.first
    private static let noDriver = ["VK_DRIVER_FILES": "/nonexistent.json", "VK_ICD_FILENAMES": "/nonexistent.json"]
    private static let isStrict = ProcessInfo.processInfo.environment["CI"] == "true"

    @Test func devicesAreListedAsJSON() throws {
      let result = try Program.run(["devices", "--json"], in: NSTemporaryDirectory())
      #expect(result.status == 0, "\(result.errors)")
      let listing = try RecordText(result.output).values
      let devices = try #require(listing["devices"] as? [[String: Any]])
      #expect(!devices.isEmpty && devices.allSatisfy { $0["name"] is String && $0["uuid"] is String })
      #expect((listing["decoders"] as? [String])?.contains("software") == true)
      #expect(listing["present_sources"] is [String])
      let sound = try #require(listing["sound_devices"] as? [String])
      #expect(sound.isEmpty == (listing["sound_obstacle"] is String))
    }

    @Test func aDeviceIsChosenByIndexNameAndUUID() throws {
      let listing = try RecordText(Program.run(["devices", "--json"], in: NSTemporaryDirectory()).output).values
      let device = try #require((listing["devices"] as? [[String: Any]])?.first)
      let name = try #require(device["name"] as? String)
      let uuid = try #require(device["uuid"] as? String)
      try Program.withClip { folder, clip in
        for wanted in ["0", name, String(name.prefix(4)).uppercased(), uuid] {
          let result = try Program.run(
            ["snapshot", clip, "-o", "x.png", "--size", "64x64", "--device", wanted], in: folder)
          #expect(result.status == 0, "--device \(wanted): \(result.errors)")
        }
      }
    }

    @Test func withoutADriverDrawingIsRefusedAndDecodingIsNot() throws {
      try Program.withClip { folder, clip in
        for arguments in [Program.shortRun(clip) + ["-o", "x.json"], ["snapshot", clip, "-o", "x.png"]] {
          try Program.run(arguments, in: folder, environment: Self.noDriver)
            .expectRefusal(saying: ["Vulkan", "no Vulkan driver is installed", "mesa-vulkan-drivers"])
        }
        #expect(try names(in: folder) == [clip])
        let decode = try Program.run(
          Program.shortRun(clip, scenario: "decode") + ["-o", "-"], in: folder, environment: Self.noDriver)
        #expect(decode.status == 0, "\(decode.errors)")
        #expect(try RecordText(decode.output).values["device"] is NSNull)
        let devices = try Program.run(["devices", "--json"], in: folder, environment: Self.noDriver)
        #expect(devices.status == 1)
        #expect((try RecordText(devices.output).values["devices"] as? [Any])?.isEmpty == true)
      }
    }

    @Test(.enabled("Mesa's lavapipe is not installed") { softwareDriver != nil || isStrict })
    func aDeviceOnTheCPUDoesNotMeetRequireGPU() throws {
      let driver = try #require(Self.softwareDriver)
      let environment = ["VK_DRIVER_FILES": driver, "VK_ICD_FILENAMES": driver]
      try Program.withClip { folder, clip in
        for arguments in [Program.shortRun(clip) + ["-o", "x.json"], ["snapshot", clip, "-o", "x.png"]] {
          try Program.run(arguments + ["--require-gpu"], in: folder, environment: environment)
            .expectRefusal(saying: ["--require-gpu", "renders on the CPU"])
        }
        #expect(try names(in: folder) == [clip])
      }
    }

    @Test(arguments: ["99", "voodoo"])
    func aDeviceThatIsNotThereIsRefused(device: String) throws {
      try Program.withClip { folder, clip in
        try Program.run(Program.shortRun(clip) + ["-o", "x.json", "--device", device], in: folder)
          .expectRefusal(saying: ["'\(device)'", "no Vulkan device matches", "available: 0 '"])
        #expect(try names(in: folder) == [clip])
      }
    }

    @Test func aPictureLargerThanTheDevicesImagesIsRefused() throws {
      let listing = try RecordText(Program.run(["devices", "--json"], in: NSTemporaryDirectory()).output).values
      let device = try #require((listing["devices"] as? [[String: Any]])?.first)
      let largest = try #require(device["max_image_size"] as? Int)
      try TestFolders.withTemporary { folder in
        let width = largest + 128
        try Program.ffmpeg(
          ["-f", "lavfi", "-i", "color=black:s=\(width)x32:r=25:d=0.2", "-c:v", "mjpeg", "wide.mov"], in: folder)
        for arguments in [
          Program.shortRun("wide.mov") + ["-o", "x.json"], ["snapshot", "wide.mov", "-o", "x.png"],
        ] {
          try Program.run(arguments + ["--device", "0"], in: folder)
            .expectRefusal(saying: ["'wide.mov'", "\(width)x32", "larger than", "\(largest)"])
        }
        #expect(try names(in: folder) == ["wide.mov"])
      }
    }
  }
}
