import Foundation
import Support
import Testing

extension CommandTests {
  @Suite struct DoctorTests {
    private static let noDriver = ["VK_DRIVER_FILES": "/nonexistent.json", "VK_ICD_FILENAMES": "/nonexistent.json"]

    @Test func itEndsWithASentenceAndHasThatAsJSONToo() throws {
      let result = try Program.run(
        ["doctor"], in: NSTemporaryDirectory(), environment: ["LP_NATIVE_VECTOR_WIDTH": "256"])
      let devices = try Program.run(["devices"], in: NSTemporaryDirectory())
      #expect(result.status == devices.status && result.errors.isEmpty, "\(result.errors)")
      let last = try #require(result.lines.last)
      #expect(["numbers", "fail"].contains { last.contains($0) }, "\(last)")
      #expect(result.lines.dropLast().allSatisfy { $0.contains(#/^(ok|info|warning|problem|       →) +/#) })

      let report = try RecordText(Program.run(["doctor", "--json"], in: NSTemporaryDirectory()).output).values
      let findings = try #require(report["findings"] as? [[String: Any]])
      #expect(report["summary"] is String && findings.count >= 3)
      // Measured where llvmpipe draws, and its user has not chosen.
      let widths = findings.first { $0["code"] as? String == "vector_width" }
      let draws = findings.contains { ($0["text"] as? String)?.contains("chooses 'llvmpipe") == true }
      #expect((widths != nil) == draws, "\(findings)")
      #expect(!result.text.contains("vector_width"))
      for finding in findings {
        #expect(finding["code"] is String && finding["text"] is String)
        #expect(["ok", "info", "warning", "problem"].contains(finding["status"] as? String))
      }
    }

    @Test func withoutADriverRunFailsAndItSaysSo() throws {
      let result = try Program.run(["doctor"], in: NSTemporaryDirectory(), environment: Self.noDriver)
      #expect(result.status == 1 && result.errors.isEmpty)
      #expect(result.text.hasPrefix("problem  vulkan") && result.text.contains("unset VK_DRIVER_FILES"))
      #expect(result.lines.last?.hasPrefix("1 thing makes 'run' fail: vulkan") == true)
    }

    @Test func nvidiaSMIThatHangsIsNotWaitedFor() throws {
      try TestFolders.withTemporary { folder in
        let script = folder + "/nvidia-smi"
        try TestFiles.writeProgram("#!/bin/sh\nexec sleep 100\n", to: script)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let started = Date()
        let result = try Program.run(
          ["doctor"], in: folder, environment: ["PATH": folder + ":" + path, "LP_NATIVE_VECTOR_WIDTH": "256"])
        #expect(result.errors.isEmpty && !result.text.contains("gpu_users"))
        #expect(Date().timeIntervalSince(started) < 60, "it ends long before the other program")
      }
    }
  }

  @Suite struct PinTests {
    @Test func trialsStayOnTheirCPUs() throws {
      try Program.withClip { folder, clip in
        let result = try Program.run(
          Program.shortRun(clip, scenario: "decode") + ["-o", "-", "--pin", "0"], in: folder)
        #expect(result.status == 0, "\(result.errors)")
        let record = try RecordText(result.output)
        let settings = try #require(record.values["settings"] as? [String: Any])
        #expect(settings["pin"] as? String == "0")
        #expect(settings["threads"] as? Int == 1, "libavcodec takes as many threads as it may use CPUs")
        let cores = (record.values["machine"] as? [String: Any])?["cores"] as? Int
        #expect(cores == ProcessInfo.processInfo.activeProcessorCount, "the machine stays what it is")
      }
    }

    @Test func aCPUThatIsNotThereIsRefused() throws {
      try TestFolders.withTemporary { folder in
        try Program.run(["run", "--pin", "0,1000"], in: folder)
          .expectRefusal(status: 64, saying: ["CPU 1000", "there "])
        #expect(try names(in: folder).isEmpty)
      }
    }
  }
}
