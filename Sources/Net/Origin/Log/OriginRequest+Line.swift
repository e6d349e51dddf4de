/// A line of the log: an object with `time` in seconds since the origin's first request, and the instants of the first and the last
/// byte in milliseconds since `time`.
extension OriginRequest: Codable {
  private enum Key: String, CodingKey {
    case number, connection, time, method, path, range, status, bytes
    case firstByte = "first_byte_ms"
    case lastByte = "last_byte_ms"
    case fault, cmcd, end, version
  }

  public func encode(to encoder: any Encoder) throws {
    var line = encoder.container(keyedBy: Key.self)
    try line.encode(number, forKey: .number)
    try line.encode(connection, forKey: .connection)
    try line.encode(time, forKey: .time)
    try line.encode(method, forKey: .method)
    try line.encode(path, forKey: .path)
    try line.encodeIfPresent(range, forKey: .range)
    try line.encode(status, forKey: .status)
    try line.encode(bytes, forKey: .bytes)
    try line.encodeIfPresent(firstByte.map(milliseconds), forKey: .firstByte)
    try line.encodeIfPresent(lastByte.map(milliseconds), forKey: .lastByte)
    try line.encodeIfPresent(faults, forKey: .fault)
    try line.encodeIfPresent(cmcd, forKey: .cmcd)
    try line.encode(end, forKey: .end)
    try line.encode(version, forKey: .version)
  }

  public init(from decoder: any Decoder) throws {
    let line = try decoder.container(keyedBy: Key.self)
    let time = try line.decode(Double.self, forKey: .time)
    self.init(
      number: try line.decode(Int.self, forKey: .number), connection: try line.decode(Int.self, forKey: .connection),
      time: time, method: try line.decode(String.self, forKey: .method),
      path: try line.decode(String.self, forKey: .path), range: try line.decodeIfPresent(String.self, forKey: .range),
      status: try line.decode(Int.self, forKey: .status), bytes: try line.decode(Int64.self, forKey: .bytes),
      firstByte: try line.decodeIfPresent(Double.self, forKey: .firstByte).map { Self.instant(time, $0) },
      lastByte: try line.decodeIfPresent(Double.self, forKey: .lastByte).map { Self.instant(time, $0) },
      faults: try line.decodeIfPresent([String].self, forKey: .fault),
      cmcd: try line.decodeIfPresent([String: String].self, forKey: .cmcd),
      end: try line.decode(End.self, forKey: .end), version: try line.decode(String.self, forKey: .version))
  }

  /// To a microsecond, as instants are.
  private static func instant(_ time: Double, _ milliseconds: Double) -> Double {
    (time * 1e6 + milliseconds * 1000).rounded() / 1e6
  }

  /// Since the request, to a microsecond.
  private func milliseconds(_ instant: Double) -> Double { ((instant - time) * 1e6).rounded() / 1000 }
}
