import FoundationEssentials
import Frames

extension Doctor {
  static let timing: [@Sendable (DoctorFacts) -> Finding?] = [boost, clockSource, timers, realTime]

  private static func boost(_ facts: DoctorFacts) -> Finding? {
    facts.noise.before.clocks.isBoosting.map { isBoosting in
      isBoosting
        ? Finding(
          "boost", .info, "boost is on: the clock depends on temperature and on how many cores are busy",
          remedy: "for steadier, lower numbers: echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost "
            + "(Intel: echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo)")
        : Finding("boost", .ok, "boost is off")
    }
  }

  /// Clock sources that programs read without a system call.
  private static let fastSources: Set<String> = [
    "tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter", "riscv_clocksource", "timebase",
  ]

  private static func clockSource(_ facts: DoctorFacts) -> Finding? {
    guard let source = facts.clock.source else { return nil }
    if fastSources.contains(source) { return Finding("clock_source", .ok, "the clock source is '\(source)'") }
    let path = "/sys/devices/system/clocksource/clocksource0/current_clocksource"
    let faster = facts.clock.sources.first { fastSources.contains($0) }
    return Finding(
      "clock_source", .warning, "the clock source is '\(source)': each reading of the time is a slow system call",
      remedy: faster.map { "echo \($0) | sudo tee \(path)" }
        ?? "boot with clocksource=tsc tsc=reliable, if dmesg does not call the TSC unstable")
  }

  private static func timers(_ facts: DoctorFacts) -> Finding? {
    guard let resolution = facts.clock.resolutionNanoseconds else { return nil }
    if resolution > 1000 {
      return Finding(
        "timers", .warning, formatted("timers fire at steps of %.1f ms", resolution / 1e6),
        remedy: "use a kernel with CONFIG_HIGH_RES_TIMERS, booted without highres=off")
    }
    let slack = facts.clock.timerSlackNanoseconds ?? 0
    // The kernel's own default is half of it.
    if slack > 100_000 {
      return Finding(
        "timers", .warning, formatted("timers may fire %.0f µs late: their slack was raised", slack / 1000),
        remedy: "start bench360 from a plain shell, or set systemd's TimerSlackNSec=50us")
    }
    return Finding(
      "timers", .ok, formatted("timers have steps of %.0f ns and a slack of %.0f µs", resolution, slack / 1000))
  }

  private static func realTime(_ facts: DoctorFacts) -> Finding? {
    facts.mayBeRealTime.map { isAllowed in
      isAllowed
        ? Finding("real_time", .ok, "threads may have real-time priority")
        : Finding(
          "real_time", .info, "real-time priority is refused: on a busy machine, what paces frames may wake up late",
          remedy: "add '@video - rtprio 50' to /etc/security/limits.conf and log in again (ulimit -r shows it); "
            + "docker run --cap-add SYS_NICE --ulimit rtprio=50")
    }
  }
}
