import Verdict

/// How fast the processors run and who decides that.
package struct CPUClocks: Sendable, Hashable {
  /// The distinct frequency governors of all processors, sorted; empty in most virtual machines.
  package var governors: [String]
  /// Median over some processors at this instant.
  package var megahertz: Double?
  /// Processors may run faster than their nominal clock for as long as they stay cool.
  package var isBoosting: Bool?

  init(_ files: SystemFiles) {
    let folder = "sys/devices/system/cpu/"
    let cpus = files.numbered(folder, "cpu")
    governors = Set(cpus.compactMap { files.line("\(folder)cpu\($0)/cpufreq/scaling_governor") }).sorted()
    // Older kernels wait up to 10 ms for the frequency of an idle processor, so not all are asked.
    let step = max(1, cpus.count / Self.sampled)
    let frequencies = stride(from: 0, to: cpus.count, by: step).prefix(Self.sampled).compactMap {
      files.number("\(folder)cpu\(cpus[$0])/cpufreq/scaling_cur_freq")
    }
    megahertz = Distribution.median(frequencies.filter { $0 > 0 }).map { $0 / 1000 }
    if let isOff = files.number(folder + "intel_pstate/no_turbo") {
      isBoosting = isOff == 0
    } else {
      isBoosting = files.number(folder + "cpufreq/boost").map { $0 != 0 }
    }
  }

  private static let sampled = 8
}
