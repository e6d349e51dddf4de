/// What the control groups of this process (a container, a service) let it have: version 2, and version 1 before it.
package struct CgroupState: Sendable, Hashable {
  /// Processors' worth of time; nil when there is no limit.
  package var cores: Double?
  /// Nil when there is no limit.
  package var memoryMebibytes: Double?
  /// How often and how long the limit on processor time stopped this process's group; nil where it is not counted.
  package var throttleCount: Double?
  package var throttledSeconds: Double?

  init(_ files: SystemFiles) {
    for line in (files.text("proc/self/cgroup") ?? "").split(separator: "\n") {
      // `0::/path`, or `4:cpu,cpuacct:/path` in version 1.
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { continue }
      let controllers = parts[1].split(separator: ",")
      if parts[1].isEmpty {
        for folder in Self.folders("sys/fs/cgroup", parts[2]) { addVersion2(files, folder) }
      } else if controllers.contains("cpu") {
        for folder in Self.folders("sys/fs/cgroup/\(parts[1])", parts[2]) { addVersion1(files, folder) }
      } else if controllers.contains("memory") {
        for folder in Self.folders("sys/fs/cgroup/memory", parts[2]) {
          limitMemory(files.number(folder + "/memory.limit_in_bytes"))
        }
      }
    }
  }

  /// The group's own folder and those above it, for a limit anywhere holds. A container may see its own group as the
  /// root of the tree: paths that do not exist there have no limits to read.
  private static func folders(_ mount: String, _ path: Substring) -> [String] {
    var parts = path.split(separator: "/").filter { $0 != ".." }
    var folders = [mount]
    while !parts.isEmpty {
      folders.append(mount + "/" + parts.joined(separator: "/"))
      parts.removeLast()
    }
    return folders
  }

  private mutating func addVersion2(_ files: SystemFiles, _ folder: String) {
    let quota = (files.line(folder + "/cpu.max") ?? "").split(separator: " ").map { SystemFiles.number($0) }
    if quota.count == 2 { limitCores(quota[0], quota[1]) }
    limitMemory(files.number(folder + "/memory.max"))
    let counters = files.numbers(folder + "/cpu.stat")
    addThrottling(counters["nr_throttled"], seconds: counters["throttled_usec"].map { $0 / 1e6 })
  }

  private mutating func addVersion1(_ files: SystemFiles, _ folder: String) {
    limitCores(files.number(folder + "/cpu.cfs_quota_us"), files.number(folder + "/cpu.cfs_period_us"))
    let counters = files.numbers(folder + "/cpu.stat")
    addThrottling(counters["nr_throttled"], seconds: counters["throttled_time"].map { $0 / 1e9 })
  }

  private mutating func limitCores(_ quota: Double?, _ period: Double?) {
    guard let quota, let period, quota > 0, period > 0 else { return }
    cores = min(cores ?? .infinity, quota / period)
  }

  private mutating func limitMemory(_ bytes: Double?) {
    // Version 1 says "no limit" with a number near the largest there is.
    guard let bytes, bytes > 0, bytes < 1e18 else { return }
    memoryMebibytes = min(memoryMebibytes ?? .infinity, bytes / 1_048_576)
  }

  private mutating func addThrottling(_ count: Double?, seconds: Double?) {
    if let count { throttleCount = (throttleCount ?? 0) + count }
    if let seconds { throttledSeconds = (throttledSeconds ?? 0) + seconds }
  }
}
