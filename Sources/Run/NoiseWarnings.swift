import Foundation
import Verdict

/// What on this machine may spoil the numbers, as far as can be seen before a run.
enum NoiseWarnings {
  static func before(_ machine: Record.Machine, isSoftwareDevice: Bool) -> [Record.Warning] {
    var warnings: [Record.Warning] = []
    if let load = loadAverage(), let cores = machine.cores, load > Double(cores) * 0.5 {
      warnings.append(
        .init(
          code: "load", text: String(format: "other work is running: load average %.1f on %d cores", load, cores),
          remedy: "stop other programs, or wait until they are done"))
    }
    if let governor = machine.governor, governor != "performance" {
      warnings.append(
        .init(
          code: "governor", text: "the CPU frequency governor is '\(governor)': speed depends on recent load",
          remedy: "set it to 'performance' while measuring"))
    }
    if isSoftwareDevice {
      warnings.append(
        .init(
          code: "software_device", text: "the Vulkan device renders on the CPU, which decode needs too",
          remedy: "for a GPU's numbers install its Vulkan driver; --require-gpu makes this an error"))
    }
    return warnings
  }

  private static func loadAverage() -> Double? {
    (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8))?.split(separator: " ").first.flatMap { Double($0) }
  }
}
