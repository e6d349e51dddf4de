import FoundationEssentials
import Frames
import Verdict

/// What this machine is, from /proc and /sys; what cannot be read stays unknown.
package enum MachineProfile {
  package static func read() -> Record.Machine {
    var machine = Record.Machine()
    let cpu = text("/proc/cpuinfo").flatMap { field("model name", in: $0) }
    machine.cpu = cpu
    machine.cores = ProcessInfo.processInfo.activeProcessorCount
    let memory = text("/proc/meminfo").flatMap { field("MemTotal", in: $0) }
    machine.memoryMib = memory?.split(separator: " ").first.flatMap { Int($0) }.map { $0 / 1024 }
    machine.kernel = text("/proc/sys/kernel/osrelease")?.trimmed
    machine.os = text("/etc/os-release").flatMap { release in
      release.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
        .map { $0.dropFirst("PRETTY_NAME=".count).filter { $0 != "\"" } }
    }
    machine.governor =
      text("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")?
      .trimmed
    machine.virtualised = text("/proc/cpuinfo").map { $0.contains(" hypervisor") }
    machine.hostClass = hostClass(cpu: cpu, cores: machine.cores)
    return machine
  }

  /// Names the kind of machine, never the machine: records are shared.
  package static func hostClass(cpu: String?, cores: Int?) -> String {
    var words = (cpu ?? "unknown cpu").lowercased()
    for noise in ["(r)", "(tm)", "processor", "cpu"] { words = words.replacing(noise, with: " ") }
    let name = words.prefix { $0 != "@" }.split { !$0.isLetter && !$0.isNumber }.prefix(4).joined(separator: "-")
    return "\(name)-\(cores.map(String.init) ?? "x")core"
  }

  private static func text(_ path: String) -> String? {
    try? String(contentsOfFile: path, encoding: .utf8)
  }

  private static func field(_ name: String, in text: String) -> String? {
    text.split(separator: "\n").first { $0.hasPrefix(name) }?.split(separator: ":", maxSplits: 1).last
      .map { $0.trimmed }
  }
}
