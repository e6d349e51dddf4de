import Frames

/// The rungs of a presentation and its segments: what a controller chooses from.
///
/// Rungs are counted from 0, the lowest; segments from 0, the first. A value: any thread.
public struct RungTable: Sendable, Hashable {
  /// The values that a table may have.
  public enum Limits {
    public static let rungs = 1...64
    public static let segments = 1...100_000
    /// bit/s
    public static let bitrate = 1...1e12
    /// Duration of a segment, s.
    public static let seconds = 0.01...600.0
    public static let bytes = 1...(1 << 40)
  }

  public let name: String
  /// Of each rung, ascending, bit/s.
  public let bitrates: [Double]
  /// Of each segment, s.
  public let durations: [Double]
  /// Nominal duration of a segment, s: the longest, which HLS calls target duration.
  public let segmentSeconds: Double
  /// Nil where it was not measured.
  public let quality: SegmentQualityTable?
  /// Rung by rung for segment 0, then for segment 1.
  private let sizes: [Int]

  /// - Parameters:
  ///   - durations: s.
  ///   - bytes: for each segment the size of each rung; nil: bitrate × duration, rounded up.
  ///   - quality: nil: unknown.
  ///
  /// Throws `.input` for values outside `Limits`, bitrates that do not ascend, and a missing size or quality.
  public init(
    name: String, bitrates: [Double], durations: [Double], bytes: [[Int]]? = nil, quality: SegmentQualityTable? = nil
  ) throws(Failure) {
    if let problem = Self.problem(bitrates, durations, bytes)
      ?? quality?.problem(segments: durations.count, rungs: bitrates.count)
    {
      throw Failure(
        .input, "cannot use ladder '\(oneLine(name, limit: 120))'", cause: problem,
        remedy: "correct the ladder, or choose another")
    }
    self.name = name
    self.bitrates = bitrates
    self.durations = durations
    self.quality = quality
    segmentSeconds = durations.max() ?? 0
    sizes =
      bytes.map { Array($0.joined()) }
      ?? durations.flatMap { seconds in bitrates.map { Int(saturating: ($0 * seconds / 8).rounded(.up)) } }
  }

  /// A table of the same segments with another choice of rungs.
  private init(_ table: RungTable, rungs: Int) {
    name = table.name
    bitrates = Array(table.bitrates.prefix(rungs))
    durations = table.durations
    segmentSeconds = table.segmentSeconds
    quality = table.quality
    sizes = table.durations.indices.flatMap { segment in (0..<rungs).map { table.bytes(segment: segment, rung: $0) } }
  }

  /// The segments of a table, one after the other.
  private init(_ table: RungTable, segments: [Int]) {
    (name, bitrates) = (table.name, table.bitrates)
    durations = segments.map { table.durations[$0] }
    quality = table.quality?.taking(segments)
    segmentSeconds = durations.max() ?? 0
    sizes = segments.flatMap { segment in table.bitrates.indices.map { table.bytes(segment: segment, rung: $0) } }
  }

  /// Number of rungs.
  public var count: Int { bitrates.count }

  /// Length of the presentation, s.
  public var duration: Double { durations.reduce(0, +) }

  public func bytes(segment: Int, rung: Int) -> Int { sizes[segment * bitrates.count + rung] }

  /// The highest rung of at most `bitrate`; the lowest rung where all are above it.
  public func rung(upTo bitrate: Double) -> Int { bitrates.lastIndex { $0 <= bitrate } ?? 0 }

  /// Without the rungs above `bitrate`. The lowest one always stays; numbers of rungs stay the same.
  public func limited(to bitrate: Double) -> RungTable {
    let rungs = rung(upTo: bitrate) + 1
    return rungs == count ? self : RungTable(self, rungs: rungs)
  }

  /// As many whole segments as reach `seconds`, beginning again at the first where the table ends.
  public func lasting(_ seconds: Double) -> RungTable {
    var (chosen, length): ([Int], Double) = ([], 0)
    while chosen.isEmpty || length < seconds, chosen.count < Limits.segments.upperBound {
      let segment = chosen.count % durations.count
      chosen.append(segment)
      length += durations[segment]
    }
    return RungTable(self, segments: chosen)
  }

  private static func problem(_ bitrates: [Double], _ durations: [Double], _ bytes: [[Int]]?) -> String? {
    if !Limits.rungs.contains(bitrates.count) { return "it has \(bitrates.count) rungs, outside 1…64" }
    if !Limits.segments.contains(durations.count) { return "it has \(durations.count) segments, outside 1…100000" }
    if let wrong = bitrates.first(where: { !Limits.bitrate.contains($0) }) {
      return "a rung has \(wrong) bit/s, outside 1…1000000000000"
    }
    if zip(bitrates, bitrates.dropFirst()).contains(where: { $0 >= $1 }) {
      return "the bitrates of its rungs do not ascend"
    }
    if let wrong = durations.first(where: { !Limits.seconds.contains($0) }) {
      return "a segment lasts \(wrong) s, outside 0.01…600"
    }
    guard let bytes else { return nil }
    if bytes.count != durations.count { return "it has sizes of \(bytes.count) segments, not of \(durations.count)" }
    if let wrong = bytes.firstIndex(where: { $0.count != bitrates.count }) {
      return "segment \(wrong) has \(bytes[wrong].count) sizes, not \(bitrates.count)"
    }
    if let wrong = bytes.firstIndex(where: { !$0.allSatisfy(Limits.bytes.contains) }) {
      return "segment \(wrong) has a size outside 1 byte…1 TiB"
    }
    return nil
  }
}
