import Frames
import Glibc

/// Files that belong together: they grow under other names and get their own when all are whole. What is never finished
/// leaves nothing behind.
public struct FileGroup: ~Copyable {
  private var parts: [(part: String, path: String)] = []

  public init() {}

  deinit {
    // Once finished, there are no files of these names.
    for (part, _) in parts { unlink(part) }
  }

  /// Throws `Failure(.output)` when it cannot be written.
  public mutating func add(_ bytes: [UInt8], as path: String) throws {
    let part = "\(path).part-\(getpid())"
    try writeFile(bytes, at: part, for: path)
    parts.append((part, path))
  }

  /// Gives all files their names, the last one added last, in place of whatever had them.
  public consuming func finish() throws {
    for (part, path) in parts { try moveIntoPlace(part, path) }
    parts = []
  }
}
