import FoundationEssentials
import Frames
import Glibc

/// nvidia-smi, which prints a line of what one device's sensors tell every so often until it is ended.
///
/// NVIDIA's drivers have no files for that. Used by one thread.
package final class NvidiaSensors {
  private let process: ToolProcess
  private var pending = ""
  private var hasEnded = false

  /// Nil where nvidia-smi is not on the PATH or does not start.
  ///
  /// - Parameters:
  ///   - uuid: the device's, as Vulkan and NVIDIA's driver both know it.
  ///   - program: nvidia-smi's path.
  package init?(uuid: String, every milliseconds: Int, program: String? = executable("nvidia-smi")) {
    let arguments = [
      "--id=GPU-" + uuid, "--query-gpu=utilization.gpu,clocks.sm,power.draw,clocks.mem,temperature.gpu",
      "--format=csv,noheader,nounits", "--loop-ms=\(milliseconds)",
    ]
    guard let program, let process = ToolProcess(program, arguments) else { return nil }
    self.process = process
  }

  /// What it has printed meanwhile; waits for at most that long. Empty where it has nothing, and once it has ended: it
  /// does so at once where it does not know the device.
  package func readings(withinMilliseconds milliseconds: Int) -> [DeviceReading] {
    guard !hasEnded else { return [] }
    let text = process.text(withinMilliseconds: milliseconds)
    hasEnded = text == nil
    pending += text ?? ""
    let lines = pending.split(separator: "\n", omittingEmptySubsequences: false)
    // A line without an end is still being written; none of nvidia-smi's is this long.
    pending = lines.last.map { $0.count < 4096 ? String($0) : "" } ?? ""
    return lines.dropLast().compactMap { Self.reading(String($0)) }
  }

  package var isRunning: Bool { !hasEnded }

  /// From a line such as `37, 1980, 412.55, 2619, 54`; `[N/A]` stands for what a device does not tell. Nil where none of it is a
  /// number.
  package static func reading(_ line: String, at instant: MonotonicTime = .now) -> DeviceReading? {
    let values = line.split(separator: ",", omittingEmptySubsequences: false).map { field -> Double? in
      Double(field.trimmed).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    }
    guard values.count == 5 else { return nil }
    let reading = DeviceReading(
      at: instant, busyPercent: values[0], clockMegahertz: values[1], watts: values[2], memoryMegahertz: values[3],
      celsius: values[4])
    return reading.isEmpty ? nil : reading
  }
}

/// Returns the path of a program that is named by its path, or is found on the PATH; nil if there is none.
package func executable(_ name: String) -> String? {
  if name.contains("/") { return access(name, X_OK) == 0 ? name : nil }
  let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
  return folders.map { String($0) + "/" + name }.first { access($0, X_OK) == 0 }
}
