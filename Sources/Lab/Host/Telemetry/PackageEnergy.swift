import Frames

/// The energy that the processors' packages have used, as the kernel counts it (powercap's RAPL: Intel, and AMD since Linux 5.11). An
/// integrated GPU is part of its package. One thread.
package final class PackageEnergy {
  private let files: SystemFiles
  private let zones: [Zone]
  /// Why nothing is told, and what helps; nil where it is.
  package let obstacle: (cause: String, remedy: String?)?

  private final class Zone {
    let path: String
    /// The counter starts over behind this; nil: unknown.
    let range: Double?
    var last: Double?
    var sum = 0.0

    init(path: String, range: Double?) { (self.path, self.range) = (path, range) }
  }

  private static let folder = "sys/class/powercap"

  package init(files: SystemFiles = SystemFiles()) {
    self.files = files
    // intel-rapl:0 and intel-rapl:1; their parts are intel-rapl:0:0, and the whole board is 'psys'.
    let packages = files.names(Self.folder, prefix: "intel-rapl:").map { "\(Self.folder)/\($0)" }.filter {
      files.line($0 + "/name")?.hasPrefix("package") == true
    }
    let readable = packages.filter { files.number($0 + "/energy_uj") != nil }
    zones = readable.map { Zone(path: $0 + "/energy_uj", range: files.number($0 + "/max_energy_range_uj")) }
    if packages.isEmpty {
      obstacle = (
        "the kernel has no counters of the processors' energy: most virtual machines and containers have none", nil
      )
    } else if readable.count < packages.count {
      obstacle = (
        "only root may read the counters of the processors' energy",
        "sudo chmod a+r /sys/class/powercap/intel-rapl:*/energy_uj, which lasts until the next start"
      )
    } else {
      obstacle = nil
    }
  }

  /// Since the first call, J, of all packages; nil where one of them is not told. To be asked before a counter starts over twice: every
  /// minute at least.
  package func joules() -> Double? {
    guard obstacle == nil else { return nil }
    for zone in zones {
      guard let now = files.number(zone.path) else { return nil }
      if let last = zone.last {
        if now >= last {
          zone.sum += now - last
        } else if let range = zone.range, range >= last {
          zone.sum += range - last + now
        }
      }
      zone.last = now
    }
    return zones.reduce(0) { $0 + $1.sum } / 1e6
  }
}
