import FoundationEssentials

/// The sessions of one call of `bench360 abr`, as JSON.
public struct SessionsFile: Sendable, Hashable, Codable {
  public static let schema = "bench360-abr/1"

  /// The presentation that the sessions play.
  public struct Ladder: Sendable, Hashable, Codable {
    public var name: String
    /// Of each rung, bit/s.
    public var bitrates: [Double]
    public var segments: Int
    /// s
    public var duration: Double
  }

  public var schema = SessionsFile.schema
  public var ladder: Ladder
  public var load: LoadPolicy
  public var estimator: String
  public var sessions: [SimulatedSession]

  public init(_ sessions: [SimulatedSession], table: RungTable, load: LoadPolicy, estimator: String) {
    self.sessions = sessions
    (self.load, self.estimator) = (load, estimator)
    ladder = Ladder(
      name: table.name, bitrates: table.bitrates, segments: table.durations.count, duration: table.duration)
  }

  /// Sorted keys in snake case, as in all JSON of bench360: equal sessions give equal bytes.
  public func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    return try encoder.encode(self)
  }
}
