import Foundation
import Frames
import Host
import Support
import Testing

/// Files of /proc and /sys that no real machine has all of.
struct MadeUpMachine {
  var files: [String: String]
  /// Links by their path.
  var links: [String: String] = [:]

  /// Two cool, idle, healthy processors.
  static let quiet = MadeUpMachine(files: [
    "proc/loadavg": "0.10 0.20 0.30 1/100 4242\n",
    "proc/stat": "cpu  1000 0 500 8000 0 0 0 0 0 0\ncpu0 500 0 250 4000\ncpu1 500 0 250 4000\nprocs_running 1\n",
    "proc/meminfo":
      "MemTotal:       8388608 kB\nMemAvailable:   4194304 kB\nSwapTotal:      2097152 kB\nSwapFree:  2097152 kB\n",
    "proc/vmstat": "pswpin 10\npswpout 20\n",
    "proc/pressure/memory": "some avg10=0.00 avg60=0.00 avg300=0.00 total=1000000\nfull avg10=0.00 total=7\n",
    "proc/self/cgroup": "0::/user.slice/shell\n",
    "sys/fs/cgroup/user.slice/cpu.max": "max 100000\n",
    "sys/fs/cgroup/user.slice/shell/cpu.stat": "usage_usec 5\nnr_throttled 3\nthrottled_usec 1500000\n",
    "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor": "performance\n",
    "sys/devices/system/cpu/cpu1/cpufreq/scaling_governor": "performance\n",
    "sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq": "3000000\n",
    "sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq": "3000000\n",
    "sys/devices/system/cpu/cpufreq/boost": "0\n",
    "sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count": "4\n",
    "sys/devices/system/cpu/cpu0/thermal_throttle/package_throttle_count": "6\n",
    "sys/class/thermal/thermal_zone0/type": "x86_pkg_temp\n",
    "sys/class/thermal/thermal_zone0/temp": "45000\n",
    "sys/class/thermal/thermal_zone0/trip_point_0_type": "passive\n",
    "sys/class/thermal/thermal_zone0/trip_point_0_temp": "95000\n",
    "sys/class/thermal/thermal_zone0/trip_point_1_type": "active\n",
    "sys/class/thermal/thermal_zone0/trip_point_1_temp": "40000\n",
    "sys/class/power_supply/AC/type": "Mains\n",
    "sys/class/power_supply/AC/online": "1\n",
    "sys/class/power_supply/BAT0/type": "Battery\n",
    "sys/class/power_supply/BAT0/status": "Full\n",
    "sys/devices/system/clocksource/clocksource0/current_clocksource": "tsc\n",
    "sys/devices/system/clocksource/clocksource0/available_clocksource": "tsc hpet acpi_pm\n",
    "proc/cpuinfo": "model name : Made Up\nflags : fpu vme\n",
  ])

  func with(_ changed: [String: String]) -> MadeUpMachine {
    MadeUpMachine(files: files.merging(changed) { $1 }, links: links)
  }

  /// Lays the files out in a folder that lives as long as `body` runs.
  func lay<Result>(_ body: (_ root: String) throws -> Result) throws -> Result {
    try TestFolders.withTemporary { root in
      func makeFolder(of path: String) throws -> String {
        let full = root + "/" + path
        let folder = (full as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return full
      }
      for (path, text) in files { try Data(text.utf8).write(to: URL(filePath: makeFolder(of: path))) }
      for (path, target) in links {
        try FileManager.default.createSymbolicLink(atPath: makeFolder(of: path), withDestinationPath: target)
      }
      return try body(root)
    }
  }

  /// What noise sees of it, `seconds` after the others, with nothing measured by this process.
  func snapshot(after seconds: Double = 0) throws -> NoiseSnapshot {
    var snapshot = try lay { NoiseSnapshot.read(root: $0) }
    snapshot.instant = MonotonicTime(nanoseconds: Int64(seconds * 1e9))
    snapshot.ownCPUSeconds = 0
    snapshot.cores = 2
    return snapshot
  }

  func evidence(then later: MadeUpMachine? = nil) throws -> NoiseEvidence {
    NoiseEvidence(before: try snapshot(), after: try later?.snapshot(after: 10), renderer: .gpu)
  }
}
