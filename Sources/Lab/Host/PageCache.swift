import FoundationEssentials
import Frames
import Glibc
import Verdict

/// The part of a file that the system keeps in memory.
package enum PageCache {
  package struct Dropping: Sendable {
    /// Share of the file that is in memory afterwards, from 0 to 1; nil where that cannot be told.
    package var left: Double?
    /// Why nothing was tried; nil where it was.
    package var obstacle: String?

    /// For the record.
    package var reason: String {
      if let obstacle { return "the input may be in the page cache: \(obstacle)" }
      guard let left else { return "the page cache was asked to let go of the input; whether it did is not known" }
      if left < 0.01 { return "the page cache let go of the input before each trial" }
      return formatted(
        "%.0f %% of the input stayed in the page cache: its file system keeps it, or another process uses it",
        left * 100)
    }
  }

  /// Asks the system to read the file from its disk next time. Others that have it mapped keep it in memory.
  package static func drop(_ path: String) -> Dropping {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return Dropping(obstacle: "it is not a file that can be opened here") }
    defer { close(file) }
    // Pages that are not yet on the disk stay.
    fdatasync(file)
    let code = posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED)
    guard code == 0 else { return Dropping(obstacle: String(cString: strerror(code)).lowercased()) }
    return Dropping(left: residentShare(file))
  }

  /// Share of a file's pages that are in memory; nil where the system does not tell.
  package static func residentShare(_ file: Int32) -> Double? {
    var status = stat()
    guard fstat(file, &status) == 0, status.st_size > 0 else { return nil }
    let size = Int(status.st_size)
    guard let memory = mmap(nil, size, PROT_NONE, MAP_SHARED, file, 0), memory != MAP_FAILED else { return nil }
    defer { munmap(memory, size) }
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    var pages = [UInt8](repeating: 0, count: (size + page - 1) / page)
    guard mincore(memory, size, &pages) == 0 else { return nil }
    return Double(pages.count { $0 & 1 != 0 }) / Double(pages.count)
  }
}
