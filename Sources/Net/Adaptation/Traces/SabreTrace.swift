import FoundationEssentials

extension TraceFormat {
  /// What UMass-LIDS' simulator `sabre` reads with `--network`.
  static let sabre = TraceFormat(
    name: "sabre", summary: "sabre's JSON list of duration_ms, bandwidth_kbps and latency_ms",
    recognises: { $0.firstByte == UInt8(ascii: "[") }
  ) { (data) throws(TraceProblem) in
    let periods: [SabrePeriod] = try TraceJSON.decode(data)
    return TraceContent(
      periods: periods.map { period in
        NetworkTrace.Period(
          seconds: period.duration / 1000, bitsPerSecond: period.bandwidth * 1000,
          roundTrip: (period.latency ?? 0) / 1000)
      })
  }
}

private struct SabrePeriod: Decodable {
  var duration: Double
  var bandwidth: Double
  var latency: Double?

  private enum CodingKeys: String, CodingKey {
    case duration = "duration_ms"
    case bandwidth = "bandwidth_kbps"
    case latency = "latency_ms"
  }
}
