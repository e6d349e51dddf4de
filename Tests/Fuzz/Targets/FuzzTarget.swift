import Foundation
import Frames

/// A reader of untrusted bytes, by name. Its corpus and its dictionary are the folder and the file of that name in Tests/Fuzz.
public struct FuzzTarget: Sendable {
  public let name: String
  /// Reads bytes to their end. Refusals are no finding: a trap, an endless loop and memory without bounds are. Any thread.
  public let read: @Sendable ([UInt8]) -> Void
  /// Whether libavformat and libavcodec read the bytes as well: a hundred times slower than the others.
  public let isMedia: Bool

  init(_ name: String, isMedia: Bool = false, _ read: @escaping @Sendable ([UInt8]) throws -> Void) {
    self.name = name
    self.isMedia = isMedia
    self.read = { try? read($0) }
  }

  public static let all = media + subtitles + streams + results + settings

  public static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// A file of those bytes for `body`, removed afterwards: for readers that take a path.
func withFile(_ bytes: [UInt8], named name: String, _ body: (String) throws -> Void) throws {
  let folder = FileManager.default.temporaryDirectory.appending(path: "bench360-fuzz-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let file = folder.appending(path: name)
  try Data(bytes).write(to: file)
  try body(file.path)
}
