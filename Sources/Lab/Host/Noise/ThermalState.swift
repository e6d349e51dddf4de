/// How warm the machine is, and whether it has slowed down because of it.
package struct ThermalState: Sendable, Hashable {
  /// Slowdowns of processors since boot, summed over cores and packages; nil where the kernel does not count them.
  package var throttleCount: Double?
  package var zones: [Zone]

  /// One sensor, in degrees Celsius.
  package struct Zone: Sendable, Hashable {
    package var name: String
    package var degrees: Double
    /// The lowest temperature at which the kernel slows the machine down.
    package var tripDegrees: Double
  }

  init(_ files: SystemFiles) {
    let cpus = "sys/devices/system/cpu/"
    let counts = files.numbered(cpus, "cpu").flatMap { cpu in
      ["core", "package"].compactMap { files.number("\(cpus)cpu\(cpu)/thermal_throttle/\($0)_throttle_count") }
    }
    throttleCount = counts.isEmpty ? nil : counts.reduce(0, +)
    zones = files.names("sys/class/thermal", prefix: "thermal_zone").compactMap { Self.zone(files, $0) }
  }

  private static func zone(_ files: SystemFiles, _ name: String) -> Zone? {
    let folder = "sys/class/thermal/\(name)/"
    guard let temperature = files.number(folder + "temp"), temperature > 0 else { return nil }
    // Active trip points start fans; unused ones are zero or far below.
    let trips = files.names(folder, prefix: "trip_point_").filter { $0.hasSuffix("_type") }.compactMap { type in
      ["passive", "hot", "critical"].contains(files.line(folder + type) ?? "")
        ? files.number(folder + type.dropLast("type".count) + "temp") : nil
    }
    guard let trip = trips.filter({ $0 > 0 }).min() else { return nil }
    return Zone(name: files.line(folder + "type") ?? name, degrees: temperature / 1000, tripDegrees: trip / 1000)
  }
}
