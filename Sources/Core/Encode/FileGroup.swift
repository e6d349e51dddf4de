import Frames
import Glibc

/// Files that are written together: under temporary names first, renamed by `finish` when all are complete. A group
/// that is released before `finish` removes its temporary files. One thread at a time.
public struct FileGroup: ~Copyable {
  private var targets: [OutputTarget] = []

  public init() {}

  deinit {
    // Once finished, there are no files of these names.
    for target in targets { unlink(target.part) }
  }

  /// Writes a file under its temporary name. Throws `Failure(.output)` when it cannot be written; the group stays
  /// usable.
  public mutating func add(_ bytes: [UInt8], as path: String) throws {
    let target = try OutputTarget(path)
    try target.requireFile()
    try target.write(bytes)
    targets.append(target)
  }

  /// Renames all files, in the order they were added, and replaces existing ones. Throws `Failure(.output)`; files
  /// renamed by then stay, the others are removed.
  public consuming func finish() throws {
    for target in targets { try target.moveIntoPlace() }
    targets = []
  }
}
