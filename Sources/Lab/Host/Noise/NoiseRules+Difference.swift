import FoundationEssentials
import Frames

extension NoiseRules {
  /// What can be seen only from what changed over the run.
  static let difference = [
    NoiseRule(
      code: .steal, need: .difference,
      remedy: "use a machine of your own; both sides of 'bench360 ab' suffer alike", look: steal),
    NoiseRule(
      code: .otherCPU, need: .difference, remedy: "stop other programs: top shows them", look: otherWork),
    NoiseRule(
      code: .governorChanged, need: .difference,
      remedy: "stop what changes it (power-profiles-daemon, tuned): sudo cpupower frequency-set -g performance",
      look: governorChange),
    NoiseRule(
      code: .frequency, need: .difference,
      remedy: "let the machine cool, or turn boost off: echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost "
        + "(Intel: echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo)",
      look: frequency),
    NoiseRule(
      code: .cpuThrottled, need: .difference, remedy: "let the machine cool between runs, or cool it better",
      look: throttling),
    NoiseRule(
      code: .hot, need: .difference, remedy: "let the machine cool between runs, or cool it better", look: heat),
    NoiseRule(
      code: .quotaThrottled, need: .difference,
      remedy: "raise the control group's limit (docker run --cpus, systemd's CPUQuota=), or use fewer CPUs with --pin",
      look: quotaThrottling),
    NoiseRule(
      code: .memoryPressure, need: .difference,
      remedy: "close programs that hold much memory: ps aux --sort=-rss | head", look: memoryPressure),
    NoiseRule(
      code: .swapping, need: .difference,
      remedy: "close programs that hold much memory, or turn swap off while measuring: sudo swapoff -a", look: swapping),
    NoiseRule(
      code: .gpuShared, need: .difference, remedy: "close what draws on the same GPU: browsers, video, the desktop",
      look: gpuShare),
    NoiseRule(
      code: .gpuThrottled, need: .difference, remedy: "nvidia-smi -q -d PERFORMANCE,POWER,TEMPERATURE says more",
      look: gpuThrottling),
  ]

  /// Shares above these are reported.
  private static let stolenShare = 0.01
  private static let otherShare = 0.05
  private static let frequencyShare = 0.05
  private static let stalledShare = 0.01
  /// The kernel swaps a few pages of idle programs out at any time.
  private static let swappedMebibytes = 1.0
  private static let degreesFromTrip = 5.0

  private static func percent(_ share: Double) -> String { formatted("%.1f %%", share * 100) }

  private static func steal(_ evidence: NoiseEvidence) -> NoiseRule.Observation? {
    guard let all = evidence.growth({ $0.ticks?.total }), all > 0,
      let stolen = evidence.growth({ $0.ticks?.stolen })
    else { return nil }
    let share = stolen / all
    let text = "other virtual machines on the host took \(percent(share)) of the processor time"
    return share > stolenShare ? .spoils(text) : .fine(text)
  }

  private static func otherWork(_ evidence: NoiseEvidence) -> NoiseRule.Observation? {
    guard let all = evidence.growth({ $0.ticks?.total }), all > 0, let busy = evidence.growth({ $0.ticks?.busy }),
      let own = evidence.growth({ $0.ownCPUSeconds })
    else { return nil }
    let share = (busy - own * CPUTicks.perSecond) / all
    let text = "other programs took \(percent(max(share, 0))) of the processor time"
    return share > otherShare ? .spoils(text) : .fine(text)
  }

  private static func governorChange(_ evidence: NoiseEvidence) -> NoiseRule.Observation? {
    guard let after = evidence.after, !after.clocks.governors.isEmpty, !evidence.before.clocks.governors.isEmpty else {
      return nil
    }
    let names = [evidence.before, after].map { "'\($0.clocks.governors.joined(separator: ", "))'" }
    return names[0] == names[1]
      ? .fine(nil) : .spoils("the CPU frequency governor went from \(names[0]) to \(names[1])")
  }

  /// Told only where the governor asks for one speed: elsewhere idle processors are slow before every run, and
  /// `governor` has said so.
  private static func frequency(_ evidence: NoiseEvidence) -> NoiseRule.Observation? {
    guard evidence.before.clocks.governors.allSatisfy({ $0 == "performance" }),
      let first = evidence.before.clocks.megahertz, let last = evidence.after?.clocks.megahertz
    else { return nil }
    guard abs(last / first - 1) > frequencyShare else { return .fine(nil) }
    return .spoils(formatted("the processors' clock went from %.0f to %.0f MHz", first, last))
  }

  private static func throttling(_ evidence: NoiseEvidence) -> NoiseRule.Observation? {
    evidence.growth { $0.thermal.throttleCount }.map {
      $0 > 0 ? .spoils("the processors were slowed down because they were too hot") : .fine(nil)
    }
  }

  private static func heat(_ evidence: NoiseEvidence) -> NoiseRule.Observation? {
    let zones = evidence.after?.thermal.zones ?? []
    guard let zone = zones.min(by: { $0.tripDegrees - $0.degrees < $1.tripDegrees - $1.degrees }) else { return nil }
    let text =
      "sensor '\(zone.name)' "
      + formatted("is at %.0f °C, and at %.0f °C the machine slows down", zone.degrees, zone.tripDegrees)
    return zone.tripDegrees - zone.degrees <= degreesFromTrip ? .spoils(text) : .fine(text)
  }

  private static func quotaThrottling(_ evidence: NoiseEvidence) -> NoiseRule.Observation? {
    guard let count = evidence.growth({ $0.cgroup.throttleCount }) else { return nil }
    guard count > 0 else { return .fine(nil) }
    let seconds = evidence.growth { $0.cgroup.throttledSeconds }
    let text = seconds.map { formatted(", %.2f s in all", $0) } ?? ""
    return .spoils(formatted("the control group's limit stopped its threads %.0f times", count) + text)
  }

  private static func memoryPressure(_ evidence: NoiseEvidence) -> NoiseRule.Observation? {
    guard let seconds = evidence.seconds, let stalled = evidence.growth({ $0.memory.stalledSeconds }) else {
      return nil
    }
    let share = stalled / seconds
    return share > stalledShare ? .spoils("programs waited for memory \(percent(share)) of the time") : .fine(nil)
  }

  private static func swapping(_ evidence: NoiseEvidence) -> NoiseRule.Observation? {
    guard let amount = evidence.growth({ $0.memory.swappedMebibytes }) else { return nil }
    guard amount < swappedMebibytes else {
      return .spoils(formatted("%.0f MiB went to or came from swap", amount))
    }
    let size = evidence.before.memory.swapMebibytes ?? 0
    return .fine(size > 0 ? formatted("%.0f MiB of swap, not in use now", size) : "there is no swap")
  }

  /// Programs that have the device open are many on any desktop; what counts is how busy they kept it.
  private static func gpuShare(_ evidence: NoiseEvidence) -> NoiseRule.Observation? {
    guard evidence.renderer == .gpu, let seconds = evidence.seconds, let after = evidence.after else { return nil }
    var busy = 0.0
    var names: Set<String> = []
    for client in after.gpuClients {
      let earlier = evidence.before.gpuClients.first {
        $0.process == client.process && $0.client == client.client
      }
      let amount = (client.busySeconds ?? 0) - (earlier?.busySeconds ?? 0)
      guard amount > 0 else { continue }
      busy += amount
      names.insert(client.name)
    }
    let share = busy / seconds
    guard share > otherShare else { return .fine(nil) }
    return .spoils("\(names.sorted().joined(separator: ", ")) kept the GPU busy \(percent(share)) of the time")
  }

  private static func gpuThrottling(_ evidence: NoiseEvidence) -> NoiseRule.Observation? {
    guard evidence.renderer == .gpu, let state = evidence.after?.nvidia else { return nil }
    return state.slowdowns.isEmpty
      ? .fine(nil) : .spoils("the GPU's clocks are held down: " + state.slowdowns.joined(separator: ", "))
  }
}
