import Frames
import Glibc

/// Files that belong together: they grow under other names and get their own when all are whole. What is never finished
/// leaves nothing behind.
public struct FileGroup: ~Copyable {
  private var targets: [OutputTarget] = []

  public init() {}

  deinit {
    // Once finished, there are no files of these names.
    for target in targets { unlink(target.part) }
  }

  /// Throws `Failure(.output)` when it cannot be written.
  public mutating func add(_ bytes: [UInt8], as path: String) throws {
    let target = try OutputTarget(path)
    try target.requireFile()
    try target.write(bytes)
    targets.append(target)
  }

  /// Gives all files their names, the last one added last, in place of whatever had them.
  public consuming func finish() throws {
    for target in targets { try target.moveIntoPlace() }
    targets = []
  }
}
