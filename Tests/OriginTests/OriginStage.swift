import Foundation
import Frames
import Origin
import Support

/// An origin over a folder of its own, stopped and removed at the end.
struct OriginStage {
  let origin: Origin
  let folder: String

  static func with<Result>(
    _ files: [String: [UInt8]] = [:], options: OriginOptions = OriginOptions(), _ body: (OriginStage) throws -> Result
  ) throws -> Result {
    try TestFolders.withTemporary { folder in
      for (name, bytes) in files { try write(bytes, to: folder + "/served/" + name) }
      try FileManager.default.createDirectory(atPath: folder + "/served", withIntermediateDirectories: true)
      let origin = try Origin.start(folder + "/served", options: options)
      let result = try body(OriginStage(origin: origin, folder: folder + "/served"))
      try origin.stop()
      return result
    }
  }

  static func write(_ bytes: [UInt8], to path: String) throws {
    let url = URL(filePath: path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }

  static func random(_ count: Int, _ generator: inout SeededGenerator) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next() >> 32) }
  }

  func connect() throws -> Connection { try Connection(port: origin.port) }

  /// The answer on a connection of its own.
  func get(_ path: String, method: String = "GET", _ fields: [String: String] = [:]) throws -> Connection.Answer {
    try connect().get(path, method: method, fields)
  }

  /// The log, once it has so many rows: a row is written after its client has read the last byte.
  func rows(_ count: Int) throws -> [OriginRequest] {
    let rows = Patience.value { origin.log.count >= count ? origin.log : nil }
    guard let rows, rows.count == count else {
      throw Connection.Failed(text: "the log has \(origin.log.count) rows, not \(count)")
    }
    return rows
  }

  /// A sparse file, which takes no room on the disk.
  func makeLarge(_ name: String, bytes: UInt64) throws {
    let path = folder + "/" + name
    try Data().write(to: URL(filePath: path))
    let handle = try FileHandle(forWritingTo: URL(filePath: path))
    try handle.truncate(atOffset: bytes)
    try handle.close()
  }
}
