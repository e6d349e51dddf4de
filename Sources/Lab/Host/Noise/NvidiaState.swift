import FoundationEssentials
import Frames
import Glibc

/// What nvidia-smi says of NVIDIA's devices. In a container it may see no processes but those inside.
package struct NvidiaState: Sendable, Hashable {
  /// Compute programs that hold memory of the device.
  package var users = 0
  package var usedMebibytes = 0.0
  /// Of the busiest device.
  package var busyPercent: Double?
  /// NVML's bits for why clocks are low, of all devices.
  package var throttleReasons: UInt64 = 0

  /// Nil when the answers are none of nvidia-smi's.
  ///
  /// - Parameters:
  ///   - programs: lines `GPU-uuid, process, mebibytes`; none without compute programs.
  ///   - devices: lines `GPU-uuid, busy percent, 0x0000000000000001`.
  ///   - uuid: look at the device of this UUID only, if it is among them.
  package init?(programs: String, devices: String, uuid: String? = nil) {
    func rows(_ text: String) -> [[String]] {
      text.split(separator: "\n").map { line in
        line.split(separator: ",").map { $0.trimmed }
      }.filter { $0.count == 3 && $0[0].hasPrefix("GPU-") }
    }
    let all = rows(devices)
    guard !all.isEmpty else { return nil }
    let wanted = uuid.map { "GPU-" + $0 }
    let isListed = all.contains { $0[0] == wanted }
    func isMeant(_ row: [String]) -> Bool { !isListed || row[0] == wanted }
    for row in all where isMeant(row) {
      if let busy = Double(row[1]), busy.isFinite { busyPercent = max(busyPercent ?? 0, busy) }
      throttleReasons |= UInt64(row[2].dropFirst(2), radix: 16) ?? 0
    }
    for row in rows(programs) where isMeant(row) {
      users += 1
      let memory = row[2].split(separator: " ").first.flatMap { Double($0) } ?? 0
      if memory.isFinite { usedMebibytes += memory }
    }
  }

  /// The bits that mean "slower than it could be"; the others mean idling and clocks set by a user.
  package var slowdowns: [String] {
    let names: [(bit: UInt64, name: String)] = [
      (0x04, "power limit"), (0x08, "hardware slowdown"), (0x20, "heat"), (0x40, "heat (hardware)"),
      (0x80, "power brake"),
    ]
    return names.filter { throttleReasons & $0.bit != 0 }.map(\.name)
  }

  /// Asks nvidia-smi where it is installed; nil when it has not answered in time.
  static func read(within seconds: Double, uuid: String?) -> NvidiaState? {
    let deadline = MonotonicTime.now.advanced(byMilliseconds: seconds * 1000)
    func ask(_ question: String) -> Query? { Query("nvidia-smi", [question, "--format=csv,noheader,nounits"]) }
    // Both at once: each takes a while.
    let programsQuery = ask("--query-compute-apps=gpu_uuid,pid,used_memory")
    let devicesQuery = ask("--query-gpu=gpu_uuid,utilization.gpu,clocks_throttle_reasons.active")
    let answers = (programsQuery?.text(until: deadline), devicesQuery?.text(until: deadline))
    guard let programs = answers.0, let devices = answers.1 else { return nil }
    return NvidiaState(programs: programs, devices: devices, uuid: uuid)
  }
}

/// A program that must answer by a deadline: the caller never waits beyond it.
private struct Query {
  private let process: ToolProcess

  /// Nil when the program is not on the PATH or does not start.
  init?(_ name: String, _ arguments: [String]) {
    guard let path = executable(name), let process = ToolProcess(path, arguments) else { return nil }
    self.process = process
  }

  /// All it prints until it closes its output; nil when that is not before `deadline`.
  func text(until deadline: MonotonicTime) -> String? {
    var answer = ""
    while true {
      let left = deadline.milliseconds(since: .now)
      guard left > 0 else { return nil }
      guard let text = process.text(withinMilliseconds: Int(min(left + 1, 60_000))) else { return answer }
      answer += text
    }
  }
}
