import FoundationEssentials

extension TraceFormat {
  /// JSON of bench360: what `Benchmarks/traces` holds.
  static let own = TraceFormat(
    name: "bench360", summary: "JSON with \"schema\": \"\(OwnTrace.schema)\"",
    recognises: { $0.firstByte == UInt8(ascii: "{") }, periods: OwnTrace.content)
}

/// A trace as JSON; times in seconds, capacity in bit/s.
private struct OwnTrace: Decodable {
  static let schema = "bench360-network/1"

  struct Period: Decodable {
    var seconds: Double
    var bitsPerSecond: Double
    var roundTrip: Double?
    var lossDelay: Double?

    private enum CodingKeys: String, CodingKey {
      case seconds
      case bitsPerSecond = "bits_per_second"
      case roundTrip = "round_trip_seconds"
      case lossDelay = "loss_delay_seconds"
    }
  }

  var schema: String
  var name: String?
  var repeats: Bool?
  var periods: [Period]

  static func content(_ data: Data) throws(TraceProblem) -> TraceContent {
    struct Head: Decodable {
      var schema: String?
    }
    let head: Head = try TraceJSON.decode(data)
    guard head.schema == schema else {
      let found = head.schema.map { "its schema is '\($0.prefix(60))'" } ?? "it names no schema"
      throw TraceProblem(cause: "\(found), not '\(schema)'")
    }
    let file: OwnTrace = try TraceJSON.decode(data)
    let periods = file.periods.map { period in
      NetworkTrace.Period(
        seconds: period.seconds, bitsPerSecond: period.bitsPerSecond, roundTrip: period.roundTrip ?? 0,
        lossDelay: period.lossDelay ?? 0)
    }
    return TraceContent(name: file.name, periods: periods, repeats: file.repeats ?? true)
  }
}

/// Untrusted JSON.
enum TraceJSON {
  /// Throws a clause that names the place of the first problem.
  static func decode<Value: Decodable>(_ data: Data) throws(TraceProblem) -> Value {
    do {
      return try JSONDecoder().decode(Value.self, from: data)
    } catch let error as DecodingError {
      throw TraceProblem(cause: cause(error))
    } catch {
      throw TraceProblem(cause: "it is not JSON")
    }
  }

  private static func cause(_ error: DecodingError) -> String {
    switch error {
    case .keyNotFound(let key, let context): "\(place(context.codingPath + [key])) is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      "\(place(context.codingPath)) is of the wrong type"
    case .dataCorrupted(let context):
      context.codingPath.isEmpty ? "it is not JSON" : "\(place(context.codingPath)) is no number that can be used"
    @unknown default: "it is not JSON"
    }
  }

  /// `periods[3].seconds`
  private static func place(_ path: [any CodingKey]) -> String {
    let text = path.reduce("") { text, key in
      if let index = key.intValue { return text + "[\(index)]" }
      return text + (text.isEmpty ? "" : ".") + key.stringValue
    }
    return text.isEmpty ? "its top level" : String(text.prefix(80))
  }
}
