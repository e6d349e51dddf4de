import Frames
import Glibc

/// Everything that may spoil numbers, as it stands at one instant. What cannot be read is nil or empty.
package struct NoiseSnapshot: Sendable, Hashable {
  package var instant: MonotonicTime
  /// Processor time of this process and of its children that have ended.
  package var ownCPUSeconds: Double
  /// Processors that this process may use.
  package var cores: Int
  package var load: Double?
  /// Threads of other programs that run or wait for a processor: the more of two looks. Nil where the kernel does not tell.
  package var othersRunning: Double?
  package var ticks: CPUTicks?
  package var clocks: CPUClocks
  package var thermal: ThermalState
  package var memory: MemoryState
  package var isOnBattery: Bool?
  package var cgroup: CgroupState
  package var gpuClients: [GPUClient]
  package var nvidia: NvidiaState?

  /// Which devices' users are looked for; that takes longest.
  package enum GPUs: Sendable {
    case none
    /// nvidia-smi may take this long; it is told to look at the device of this UUID only, where one is given.
    case all(nvidiaSeconds: Double, uuid: String?)
  }

  /// Takes some milliseconds, and nvidia-smi's time where it is installed and asked for.
  package static func read(root: String = "/", gpus: GPUs = .none) -> NoiseSnapshot {
    let files = SystemFiles(root: root)
    let running = othersRunning(files)
    var snapshot = NoiseSnapshot(
      instant: .now, ownCPUSeconds: ownCPUSeconds(), cores: CPUSet.allowed?.cpus.count ?? 1,
      load: files.text("proc/loadavg")?.split(separator: " ").first.flatMap { Double($0) },
      ticks: files.text("proc/stat").flatMap(CPUTicks.init), clocks: CPUClocks(files), thermal: ThermalState(files),
      memory: MemoryState(files), isOnBattery: isOnBattery(files), cgroup: CgroupState(files), gpuClients: [])
    if case .all(let seconds, let uuid) = gpus {
      snapshot.gpuClients = GPUClient.read(files)
      snapshot.nvidia = NvidiaState.read(within: seconds, uuid: uuid)
    }
    snapshot.othersRunning = running.flatMap { first in othersRunning(files).map { max(first, $0) } }
    return snapshot
  }

  private static func othersRunning(_ files: SystemFiles) -> Double? {
    // This thread is one of them.
    files.numbers("proc/stat")["procs_running"].flatMap { $0 >= 1 ? $0 - 1 : nil }
  }

  private static func ownCPUSeconds() -> Double {
    func seconds(_ who: Int32) -> Double {
      var usage = rusage()
      guard getrusage(__rusage_who_t(who), &usage) == 0 else { return 0 }
      func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
      return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }
    return seconds(RUSAGE_SELF.rawValue) + seconds(RUSAGE_CHILDREN.rawValue)
  }

  /// A battery discharges and nothing else feeds the machine; nil where there is no power supply to ask.
  private static func isOnBattery(_ files: SystemFiles) -> Bool? {
    let folder = "sys/class/power_supply/"
    var isKnown = false
    var discharges = false
    for name in files.names(folder) {
      // Mice and headphones have batteries too.
      guard let type = files.line(folder + name + "/type"), files.line(folder + name + "/scope") != "Device" else {
        continue
      }
      if type == "Battery" {
        isKnown = true
        if files.line(folder + name + "/status") == "Discharging" { discharges = true }
      } else if let online = files.number(folder + name + "/online") {
        if online > 0 { return false }
        isKnown = true
      }
    }
    return isKnown ? discharges : nil
  }
}

/// Where the processors' time went since the start, in clock ticks summed over all of them.
package struct CPUTicks: Sendable, Hashable {
  package var busy: Double
  package var idle: Double
  /// Given to other virtual machines by the host.
  package var stolen: Double
  /// All of the machine, also where this process may use some of them only.
  package var processors: Int

  package var total: Double { busy + idle + stolen }

  /// From the text of /proc/stat.
  package init?(_ text: String) {
    let lines = text.split(separator: "\n")
    guard let line = lines.first(where: { $0.hasPrefix("cpu ") }) else { return nil }
    processors = lines.count { $0.hasPrefix("cpu") } - 1
    let values = line.split(separator: " ").dropFirst().map { SystemFiles.number($0) }
    guard values.count >= 4, values.allSatisfy({ ($0 ?? -1) >= 0 }) else { return nil }
    // user nice system idle iowait irq softirq steal; what guests get is part of user.
    func value(_ index: Int) -> Double { index < values.count ? values[index] ?? 0 : 0 }
    busy = value(0) + value(1) + value(2) + value(5) + value(6)
    idle = value(3) + value(4)
    stolen = value(7)
  }

  static let perSecond = Double(max(sysconf(Int32(_SC_CLK_TCK)), 1))
}
