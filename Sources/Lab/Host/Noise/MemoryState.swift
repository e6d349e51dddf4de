/// How much memory is left, and what waiting for it has cost since the start.
package struct MemoryState: Sendable, Hashable {
  /// What programs could take without swapping.
  package var availableMebibytes: Double?
  package var swapMebibytes: Double?
  package var swapFreeMebibytes: Double?
  /// Moved from and to swap.
  package var swappedMebibytes: Double?
  /// Time in which some task waited for memory.
  package var stalledSeconds: Double?
  /// Time in which some task waited for files or disks.
  package var stalledOnFilesSeconds: Double?

  package init(_ files: SystemFiles = SystemFiles()) {
    let memory = files.numbers("proc/meminfo")
    availableMebibytes = memory["MemAvailable"].map { $0 / 1024 }
    swapMebibytes = memory["SwapTotal"].map { $0 / 1024 }
    swapFreeMebibytes = memory["SwapFree"].map { $0 / 1024 }
    let paging = files.numbers("proc/vmstat")
    if let pagesIn = paging["pswpin"], let pagesOut = paging["pswpout"] {
      swappedMebibytes = (pagesIn + pagesOut) * 4096 / 1_048_576
    }
    stalledSeconds = Self.stalled(files.text("proc/pressure/memory"))
    stalledOnFilesSeconds = Self.stalled(files.text("proc/pressure/io"))
  }

  /// Seconds from the line `some avg10=0.00 avg60=0.00 avg300=0.00 total=MICROSECONDS`.
  private static func stalled(_ text: String?) -> Double? {
    text?.split(separator: "\n").first { $0.hasPrefix("some ") }?.split(separator: " ").first { $0.hasPrefix("total=") }
      .flatMap { SystemFiles.number($0.dropFirst("total=".count)) }.map { $0 / 1e6 }
  }
}
