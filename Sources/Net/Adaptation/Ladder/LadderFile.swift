import FoundationEssentials
import Frames

/// A ladder as JSON, of bench360 or of sabre.
public enum LadderFile {
  static let schema = "bench360-ladder/1"

  /// Limit of a file's size.
  public static let byteLimit = 16 << 20

  /// The table in the file at `path`, or in a ladder's folder. Throws `.input` if it cannot be read or its content cannot be used.
  public static func read(file path: String) throws(Failure) -> RungTable {
    var isFolder = false
    let file =
      FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
      ? path + "/ladder.json" : path
    return try read(try BoundedFile.read(file, called: "ladder", limit: byteLimit), name: path)
  }

  /// - Parameters:
  ///   - data: untrusted.
  ///   - name: the file's path, for messages.
  public static func read(_ data: Data, name: String) throws(Failure) -> RungTable {
    let attempt = "cannot read ladder '\(oneLine(name, limit: 200))'"
    let remedy = "give JSON with \"schema\": \"\(schema)\", or a movie of sabre"
    do throws(TraceProblem) {
      let head: Head = try TraceJSON.decode(data)
      if head.schema != nil || head.bitrates == nil {
        guard head.schema == schema else {
          let found = head.schema.map { "its schema is '\($0.prefix(60))'" } ?? "it names no schema"
          throw TraceProblem(cause: "\(found), not '\(schema)'")
        }
        let file: Own = try TraceJSON.decode(data)
        return try table(
          file.name ?? name, file.bitrates, file.seconds, file.bytes,
          file.quality.map { SegmentQualityTable($0.measure, $0.decibels) })
      }
      let movie: SabreMovie = try TraceJSON.decode(data)
      return try movie.table(name)
    } catch {
      throw Failure(.input, attempt, cause: error.cause, remedy: remedy)
    }
  }

  private struct Head: Decodable {
    var schema: String?
    /// Of sabre, kbit/s.
    var bitrates: [Double]?

    private enum CodingKeys: String, CodingKey {
      case schema
      case bitrates = "bitrates_kbps"
    }
  }

  /// Without `bytes`, segments have the size of their bitrate.
  private struct Own: Decodable {
    var name: String?
    /// bit/s
    var bitrates: [Double]
    /// Duration of each segment, s.
    var seconds: [Double]
    var bytes: [[Int]]?
    var quality: LadderIndex.Quality?
  }

  /// What sabre reads with `--movie`.
  private struct SabreMovie: Decodable {
    /// ms
    var duration: Double
    /// kbit/s
    var bitrates: [Double]
    /// Bits.
    var sizes: [[Double]]

    private enum CodingKeys: String, CodingKey {
      case duration = "segment_duration_ms"
      case bitrates = "bitrates_kbps"
      case sizes = "segment_sizes_bits"
    }

    func table(_ name: String) throws(TraceProblem) -> RungTable {
      try LadderFile.table(
        name, bitrates.map { $0 * 1000 }, Array(repeating: duration / 1000, count: sizes.count),
        sizes.map { sizes in sizes.map { Int(saturating: ($0 / 8).rounded(.up)) } })
    }
  }

  private static func table(
    _ name: String, _ bitrates: [Double], _ seconds: [Double], _ bytes: [[Int]]?,
    _ quality: SegmentQualityTable? = nil
  ) throws(TraceProblem) -> RungTable {
    do throws(Failure) {
      let file = name.split(separator: "/").last.map(String.init) ?? "ladder"
      return try RungTable(
        name: oneLine(file.hasSuffix(".json") ? String(file.dropLast(5)) : file, limit: 120), bitrates: bitrates,
        durations: seconds, bytes: bytes, quality: quality)
    } catch {
      throw TraceProblem(cause: error.cause)
    }
  }
}
