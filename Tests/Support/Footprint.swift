import Foundation
import Glibc

/// What this process holds.
public struct Footprint: Sendable {
  /// B
  public var resident: Int
  public var descriptors: Int
  public var threads: Int

  public init() throws {
    let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    resident = (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * sysconf(Int32(_SC_PAGESIZE))
    descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
  }
}
