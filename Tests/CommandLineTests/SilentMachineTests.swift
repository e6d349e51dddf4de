import Foundation
import Support
import Testing

extension CommandTests {
  /// Machines that cannot be heard: without a sound device, and without OpenAL Soft. Everything runs, and it is said once.
  @Suite struct SilentMachineTests {
    /// How a machine is silent, what that takes in the environment, and what is said.
    enum Machine: CaseIterable {
      case withoutDevice, withoutLibrary

      func environment(_ folder: String) throws -> [String: String] {
        switch self {
        case .withoutDevice: return ["ALSOFT_DRIVERS": "null"]
        case .withoutLibrary:
          // The loader finds these first, and they are no libraries.
          for library in ["libopenal.so.1", "libdbus-1.so.3"] {
            try Data().write(to: URL(filePath: folder + "/lib/" + library))
          }
          return ["LD_LIBRARY_PATH": folder + "/lib"]
        }
      }

      var cause: String {
        switch self {
        case .withoutDevice: "this machine has no sound device"
        case .withoutLibrary: "libopenal.so.1 is not installed"
        }
      }
    }

    private static func with(
      _ machine: Machine, _ body: (_ folder: String, _ environment: [String: String]) throws -> Void
    ) throws {
      try TestFolders.withTemporary { folder in
        try FileManager.default.createDirectory(atPath: folder + "/lib", withIntermediateDirectories: true)
        for name in ["one.mp4", "two.mp4"] {
          try Program.generate(
            name, in: folder,
            ["--projection", "flat", "--size", "640x360", "--duration", "1", "--audio", "tone"])
        }
        try body(folder, try machine.environment(folder))
      }
    }

    /// Two clips, one sentence; the second one plays to its end, and the window closes.
    @Test(
      .enabled(if: VirtualDisplay.isAvailable, "Xvfb is not installed"),
      .enabled(if: TestDevice.isAvailable, "no Vulkan device"), arguments: Machine.allCases)
    func theViewerSaysItOnce(machine: Machine) throws {
      try Self.with(machine) { folder, environment in
        let stage = try ViewCommandTests.ViewTests.Stage(
          ["one.mp4", "two.mp4"], in: folder,
          environment: environment.merging(["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder)/bus"]) { $1 })
        stage.shows("two.mp4")
        #expect(try stage.number { $0 == 29 } == 29)
        #expect(Patience.until { (try? stage.act("pointer 300 60")) != nil })
        let result = try stage.close()
        let lines = result.errors.split(separator: "\n")
        #expect(result.status == 0 && lines.count == 1 && result.errors.contains(machine.cause), "\(result.errors)")
      }
    }

    /// The null device needs neither; a real one that is missing is a warning.
    @Test(arguments: Machine.allCases) func measuringGoesOn(machine: Machine) throws {
      try Self.with(machine) { folder, environment in
        for (output, warnings) in [("null", 0), ("auto", 1)] {
          let result = try Program.run(
            Program.shortRun("one.mp4", scenario: "play", seconds: 1) + ["-o", "\(output).json", "--audio", output],
            in: folder,
            environment: environment)
          #expect(result.status == 0, "\(result.errors)")
          let record = try RecordText(file: folder + "/\(output).json")
          #expect(record.warningCodes.count { $0 == "audio" } == warnings, "\(record.warningCodes)")
          #expect(record.samples("av_sync_ms").isEmpty == (warnings > 0))
        }
        // OpenAL's device that plays nothing has a name, and is listed by it.
        guard machine == .withoutLibrary else { return }
        let devices = try Program.run(["devices"], in: folder, environment: environment)
        #expect(devices.text.contains("sound devices    none: "), "\(devices.text)")
        // Chosen by the user, so that 'doctor' does not measure it.
        let doctor = try Program.run(
          ["doctor"], in: folder, environment: environment.merging(["LP_NATIVE_VECTOR_WIDTH": "256"]) { $1 })
        #expect(doctor.text.contains("view plays no sound"), "\(doctor.text)")
      }
    }
  }
}
