import Foundation

/// A library that makes calls of the C library fail in a program that it is preloaded into: Tests/FailingCalls/calls.c tells how.
public struct FailingCalls: Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    case memory, open, read, write, thread, clock
  }

  private static let library = Result {
    let folder = NSTemporaryDirectory() + "bench360-failing-calls-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let path = folder + "/calls.so"
    let result = try CommandOutput.of(
      "clang",
      ["-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", path]
        + [TestFolders.repository + "/Tests/FailingCalls/calls.c"])
    guard result.status == 0 else { throw VirtualDisplay.Missing(description: result.errors) }
    atexit { FailingCalls.removeLibrary() }
    return path
  }

  /// The environment of a program whose call `number` of that kind fails, from 1 in each of its processes; 0: none.
  ///
  /// - Parameters:
  ///   - goesOn: all calls of the kind after it fail as well.
  ///   - seconds: by which the wall clock jumps, where the kind is `clock`.
  ///   - folder: where it counts.
  public static func environment(
    _ kind: Kind, number: Int, goesOn: Bool = false, seconds: Int = 0, countsIn folder: String
  ) throws -> [String: String] {
    let preloaded = [try library.get(), ProcessInfo.processInfo.environment["LD_PRELOAD"] ?? ""]
    var environment = [
      "LD_PRELOAD": preloaded.joined(separator: " "), "FAILING_CALLS": kind.rawValue, "FAILING_NUMBER": "\(number)",
      "FAILING_SECONDS": "\(seconds)", "FAILING_LOG": folder + "/calls",
    ]
    if goesOn { environment["FAILING_ON"] = "1" }
    return environment
  }

  /// How many calls the processes made that ended so far, in that order.
  public static func counts(in folder: String) -> [Int] {
    ((try? String(contentsOfFile: folder + "/calls", encoding: .utf8)) ?? "").split(separator: "\n").compactMap {
      Int($0)
    }
  }

  private static func removeLibrary() {
    guard let path = try? library.get() else { return }
    try? FileManager.default.removeItem(atPath: (path as NSString).deletingLastPathComponent)
  }
}
