import Foundation

/// Places that tests read and write.
public enum TestFolders {
  /// The root of this repository.
  public static let repository = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  /// Real clips, where `BENCH360_MEDIA` names a folder of them; nil: tests that want them are skipped by name.
  public static let media: String? = ProcessInfo.processInfo.environment["BENCH360_MEDIA"].flatMap {
    FileManager.default.fileExists(atPath: $0) ? $0 : nil
  }

  public static func clip(_ path: String) -> String? {
    media.map { $0 + "/" + path }.flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }
  }

  /// A fresh folder for `body`, removed afterwards.
  public static func withTemporary<Result>(_ body: (String) throws -> Result) throws -> Result {
    let folder = try fresh()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try body(folder)
  }

  /// The same for what waits.
  public static func withTemporary<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let folder = try fresh()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try await body(folder)
  }

  private static func fresh() throws -> String {
    let folder = NSTemporaryDirectory() + "bench360-test-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return folder
  }

  /// The folder of the built programs, libraries and tests.
  public static var products: String {
    URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
  }

  /// The program under test, built beside the tests.
  public static var program: String { products + "/bench360" }
}
