import Frames
import Glibc

/// How busy a device's engines were for this process's descendants, by what the kernel's drivers count for each open file (fdinfo: amdgpu,
/// i915, xe). One thread.
package final class EngineTimes {
  private let files: SystemFiles
  private let pciAddress: String
  /// The process whose descendants are looked at.
  private let parent: Int
  private var last: (instant: MonotonicTime, clients: [String: Usage])?

  /// An engine that video is decoded by, or that copies.
  enum Engine: CaseIterable {
    case decoder, copy

    /// As drivers call them: i915, amdgpu, xe.
    var names: Set<String> {
      switch self {
      case .decoder: ["video", "dec", "vcs", "jpeg"]
      case .copy: ["copy", "dma", "bcs"]
      }
    }
  }

  /// Of one client of the device.
  private struct Usage {
    /// ns of that engine
    var nanoseconds: [String: Double] = [:]
    /// Cycles of it and all cycles of its clock meanwhile.
    var cycles: [String: Double] = [:]
    var totals: [String: Double] = [:]
    /// How many engines have that name.
    var capacity: [String: Double] = [:]
  }

  package init(pciAddress: String, files: SystemFiles = SystemFiles(), parent: Int = Int(getpid())) {
    (self.pciAddress, self.files, self.parent) = (pciAddress, files, parent)
  }

  /// Since the last call, in percent; nil at the first one, and where no driver counts.
  package func read(at instant: MonotonicTime = .now) -> (decoder: Double?, copy: Double?) {
    let clients = clients()
    defer { last = (instant, clients) }
    guard let last, instant > last.instant, !clients.isEmpty else { return (nil, nil) }
    let nanoseconds = Double(instant.nanoseconds - last.instant.nanoseconds)
    func share(_ engine: Engine) -> Double? {
      var sum: Double?
      for (client, now) in clients {
        let before = last.clients[client] ?? Usage()
        for name in engine.names {
          if let part = Self.share(name, before, now, nanoseconds) { sum = (sum ?? 0) + part }
        }
      }
      return sum.map { min(100, 100 * max(0, $0)) }
    }
    return (share(.decoder), share(.copy))
  }

  private static func share(_ name: String, _ before: Usage, _ now: Usage, _ nanoseconds: Double) -> Double? {
    let capacity = max(1, now.capacity[name] ?? 1)
    if let time = now.nanoseconds[name] { return (time - (before.nanoseconds[name] ?? time)) / nanoseconds / capacity }
    guard let cycles = now.cycles[name], let total = now.totals[name] else { return nil }
    let passed = total - (before.totals[name] ?? total)
    return passed > 0 ? (cycles - (before.cycles[name] ?? cycles)) / passed / capacity : 0
  }

  private func clients() -> [String: Usage] {
    var found: [String: Usage] = [:]
    for process in descendants() {
      for descriptor in files.names("proc/\(process)/fd") {
        guard files.linkTarget("proc/\(process)/fd/\(descriptor)")?.hasPrefix("/dev/dri/") == true,
          let text = files.text("proc/\(process)/fdinfo/\(descriptor)"), let (client, usage) = parse(text)
        else { continue }
        found[client] = usage
      }
    }
    return found
  }

  private func descendants() -> [Int] {
    var all: [Int] = []
    var next = [parent]
    while let process = next.popLast(), all.count < 4096 {
      for task in files.names("proc/\(process)/task") {
        let children = (files.text("proc/\(process)/task/\(task)/children") ?? "").split(whereSeparator: \.isWhitespace)
          .compactMap {
            Int($0)
          }
        all += children
        next += children
      }
    }
    return all
  }

  /// Nil for another device's, and for a file without a client.
  private func parse(_ text: String) -> (client: String, Usage)? {
    var (client, usage): (String?, Usage) = (nil, Usage())
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let words = parts[1].split { $0 == " " || $0 == "\t" }
      guard let word = words.first else { continue }
      let key = String(parts[0])
      if key == "drm-client-id" { client = String(word) }
      if key == "drm-pdev", word != pciAddress { return nil }
      guard let value = SystemFiles.number(word) else { continue }
      for (prefix, path) in Self.counters where key.hasPrefix(prefix) {
        usage[keyPath: path][String(key.dropFirst(prefix.count))] = value
        break
      }
    }
    return client.map { ($0, usage) }
  }

  /// Longer prefixes first.
  private static let counters: [(String, WritableKeyPath<Usage, [String: Double]> & Sendable)] = [
    ("drm-engine-capacity-", \.capacity), ("drm-engine-", \.nanoseconds), ("drm-total-cycles-", \.totals),
    ("drm-cycles-", \.cycles),
  ]
}
