import FoundationEssentials
import Frames

extension NoiseRules {
  /// What can be seen before a run.
  static let before = [
    NoiseRule(code: .load, need: .before, remedy: "stop other programs, or wait until they are done", look: load),
    NoiseRule(code: .governor, need: .before, remedy: "sudo cpupower frequency-set -g performance", look: governor),
    NoiseRule(code: .battery, need: .before, remedy: "plug the power supply in", look: battery),
    NoiseRule(
      code: .lowMemory, need: .before, remedy: "close programs that hold much memory: ps aux --sort=-rss | head",
      look: memory),
    NoiseRule(
      code: .cpuQuota, need: .before,
      remedy: "raise the limit (docker run --cpus, systemd's CPUQuota=), or use as many CPUs as it allows with --pin",
      look: quota),
    NoiseRule(
      code: .gpuUsers, need: .before, remedy: "stop them: nvidia-smi lists the processes of the device",
      look: computeUsers),
    NoiseRule(
      code: .softwareDevice, need: .before,
      remedy: "for a GPU's numbers install its Vulkan driver; --require-gpu makes this an error", look: software),
  ]

  private static func load(_ evidence: NoiseEvidence) -> NoiseRule.Observation? {
    let now = evidence.before
    guard let load = now.load, load.isFinite else { return nil }
    // After work of our own (the inputs before this one) the average says nothing about others.
    guard now.ownCPUSeconds < 5 else { return nil }
    let cores = now.ticks.map(\.processors) ?? now.cores
    let text = formatted("load average %.1f on %d cores", load, cores)
    // It falls for minutes after what caused it, such as a build of this program, has ended.
    if let running = now.othersRunning, running < max(1, Double(cores) * 0.25) {
      return .fine(text + (load > Double(cores) * 0.5 ? ", still falling: hardly anything else runs now" : ""))
    }
    return load > Double(cores) * 0.5 ? .spoils("other work is running: \(text)") : .fine(text)
  }

  private static func governor(_ evidence: NoiseEvidence) -> NoiseRule.Observation? {
    let governors = evidence.before.clocks.governors
    guard let slow = governors.first(where: { $0 != "performance" }) else {
      return governors.isEmpty ? nil : .fine("the CPU frequency governor is 'performance'")
    }
    return .spoils("the CPU frequency governor is '\(slow)': speed depends on recent load")
  }

  private static func battery(_ evidence: NoiseEvidence) -> NoiseRule.Observation? {
    evidence.before.isOnBattery.map {
      $0 ? .spoils("the machine runs on its battery, which slows it down") : .fine("not on battery")
    }
  }

  private static func memory(_ evidence: NoiseEvidence) -> NoiseRule.Observation? {
    let now = evidence.before
    guard let free = now.memory.availableMebibytes else { return nil }
    let limit = now.cgroup.memoryMebibytes ?? .infinity
    if limit < min(free, leastMebibytes) {
      return .spoils(formatted("the control group may use %.0f MiB of memory only", limit))
    }
    let text = formatted("%.0f MiB of memory are available", free)
    return free < leastMebibytes ? .spoils("only \(text)") : .fine(text)
  }

  /// A few 7680x3840 frames on their way, and the drivers.
  private static let leastMebibytes = 1024.0

  private static func quota(_ evidence: NoiseEvidence) -> NoiseRule.Observation? {
    guard let cores = evidence.before.cgroup.cores else { return .fine(nil) }
    let seen = evidence.before.cores
    let text = formatted("the control group allows %.1f cores' worth of time, %d cores are seen", cores, seen)
    return cores < Double(seen) ? .spoils(text + ": threads are stopped when it is used up") : .fine(text)
  }

  private static func computeUsers(_ evidence: NoiseEvidence) -> NoiseRule.Observation? {
    guard evidence.renderer == .gpu, let state = evidence.before.nvidia else { return nil }
    if state.users > 0 {
      let programs = state.users == 1 ? "1 other program uses" : "\(state.users) other programs use"
      return .spoils(programs + formatted(" the GPU and %.0f MiB of its memory", state.usedMebibytes))
    }
    if let busy = state.busyPercent, busy > 10 {
      return .spoils(formatted("the GPU is %.0f %% busy with other work", busy))
    }
    return .fine("no other program computes on the GPU")
  }

  private static func software(_ evidence: NoiseEvidence) -> NoiseRule.Observation? {
    evidence.renderer.map {
      $0 == .cpu ? .spoils("the Vulkan device renders on the CPU, which decode needs too") : .fine(nil)
    }
  }
}
