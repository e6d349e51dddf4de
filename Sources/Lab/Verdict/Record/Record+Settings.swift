import Frames

extension Record {
  /// Everything on the command line that can affect a number, resolved: no "auto" is left.
  ///
  /// Nil is what no scenario of the run used (a decode-only run shades nothing), or, where it says so, "not asked for".
  /// The groups are this build's: as JSON all are fields of one object.
  public struct Settings: Hashable, Sendable {
    public var repetition = Repetition()
    public var decoding = Decoding()
    public var viewing = Viewing()
    public var geometry = Geometry()
    public var drawing = Drawing()
    public var pacing = Pacing()
    /// Absent, not null, where no stream was played.
    public var streaming: Streaming?
    /// The players of a trial. Absent, not null, where one decoded and drew the stream, or none was played.
    public var clients: Clients?
    /// As many clips as were to be played at once. Absent, not null, where that was looked for, or one was played.
    public var streams: Int?
    /// The players and the screen that `observe` watched. Absent, not null, in other records.
    public var observation: Observation?
    /// The CPUs asked for; nil when not pinned.
    @Nullable public var pin: String?
    public var stress = "none"
    /// Setting → reason for its value, for each that "auto" or a fallback chose.
    public var reasons: [String: String] = [:]

    /// No value resolved yet: set the values that the run uses.
    public init() {}
  }
}

extension Record.Settings: Codable {
  private enum CodingKeys: CodingKey { case streaming, clients, streams, observation, pin, stress, reasons }

  public init(from decoder: any Decoder) throws {
    repetition = try Repetition(from: decoder)
    decoding = try Decoding(from: decoder)
    viewing = try Viewing(from: decoder)
    geometry = try Geometry(from: decoder)
    drawing = try Drawing(from: decoder)
    pacing = try Pacing(from: decoder)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    streaming = try container.decodeIfPresent(Streaming.self, forKey: .streaming)
    clients = try container.decodeIfPresent(Clients.self, forKey: .clients)
    streams = try container.decodeIfPresent(Int.self, forKey: .streams)
    observation = try container.decodeIfPresent(Observation.self, forKey: .observation)
    _pin = try container.decode(Nullable<String>.self, forKey: .pin)
    stress = try container.decode(String.self, forKey: .stress)
    reasons = try container.decode([String: String].self, forKey: .reasons)
  }

  public func encode(to encoder: any Encoder) throws {
    let groups: [any Encodable] = [repetition, decoding, viewing, geometry, drawing, pacing]
    for group in groups { try group.encode(to: encoder) }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(streaming, forKey: .streaming)
    try container.encodeIfPresent(clients, forKey: .clients)
    try container.encodeIfPresent(streams, forKey: .streams)
    try container.encodeIfPresent(observation, forKey: .observation)
    try container.encode(_pin, forKey: .pin)
    try container.encode(stress, forKey: .stress)
    try container.encode(reasons, forKey: .reasons)
  }
}
