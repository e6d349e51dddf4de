import Glibc

/// Another process that has a GPU open through the kernel's direct rendering manager (AMD, Intel, Nouveau, …).
package struct GPUClient: Sendable, Hashable {
  package var process: Int
  package var name: String
  /// The kernel's number for this use of the device.
  package var client: String
  /// Time of all the device's engines spent on it so far; nil where the driver does not count.
  package var busySeconds: Double?

  package init(process: Int, name: String, client: String, busySeconds: Double?) {
    self.process = process
    self.name = name
    self.client = client
    self.busySeconds = busySeconds
  }

  /// All that this user may see: every process for root, else their own.
  static func read(_ files: SystemFiles) -> [GPUClient] {
    guard files.exists("dev/dri") else { return [] }
    var clients: [GPUClient] = []
    for process in files.numbered("proc", "") where process != Int(getpid()) {
      var seen: Set<String> = []
      for descriptor in files.names("proc/\(process)/fd") {
        guard files.linkTarget("proc/\(process)/fd/\(descriptor)")?.hasPrefix("/dev/dri/") == true,
          let text = files.text("proc/\(process)/fdinfo/\(descriptor)"),
          let client = parse(text, process: process, name: files.line("proc/\(process)/comm") ?? "\(process)"),
          seen.insert(client.client).inserted
        else { continue }
        clients.append(client)
      }
    }
    return clients
  }

  /// From the text of one fdinfo file; nil when it is of no client.
  private static func parse(_ text: String, process: Int, name: String) -> GPUClient? {
    var client: String?
    var nanoseconds: Double?
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let words = parts[1].split { $0 == " " || $0 == "\t" }
      if parts[0] == "drm-client-id" { client = words.first.map(String.init) }
      // `drm-engine-capacity-…` says how many there are, not how busy.
      if parts[0].hasPrefix("drm-engine-"), words.last == "ns", let value = words.first.flatMap(SystemFiles.number) {
        nanoseconds = (nanoseconds ?? 0) + value
      }
    }
    return client.map { GPUClient(process: process, name: name, client: $0, busySeconds: nanoseconds.map { $0 / 1e9 }) }
  }
}
