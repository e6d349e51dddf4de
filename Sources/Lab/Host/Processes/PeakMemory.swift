import FoundationEssentials

/// The kernel's high-water mark of this program's resident memory, in MiB; nil where it cannot be read.
///
/// `ru_maxrss` would include the memory of the process that started this one, from before exec.
package func peakResidentMebibytes() -> Double? {
  guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
    let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
    let kibibytes = line.split(separator: " ").dropFirst().first.flatMap({ Double($0) })
  else { return nil }
  return kibibytes / 1024
}
