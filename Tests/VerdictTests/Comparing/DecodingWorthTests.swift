import RecordSamples
import Testing
import Verdict

/// The sentence that says whether hardware decoding is worth it.
@Suite struct DecodingWorthTests {
  private static func record(_ decoder: String, fps: Double, joules: Double?, seconds: Double) -> Record {
    var values = ["decode_fps": Sides.spread(fps), "cpu_seconds": Sides.spread(seconds)]
    if let joules { values["joule_per_frame"] = Sides.spread(joules) }
    var record = Sides.record([Sides.scenario("decode", values)])
    record.settings.decoding.decoder = decoder
    return record
  }

  private static func text(_ base: Record, _ head: Record, _ format: ComparisonFormat = .table) throws -> String {
    let comparison = try Sides.compare([base], [head]) { $0.varied = ["decoder"] }
    return try format.render(comparison).split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Whichever side it is.
  @Test func fasterAndCheaperIsWorthIt() throws {
    let software = Self.record("software", fps: 100, joules: 2, seconds: 8)
    let hardware = Self.record("nvdec", fps: 300, joules: 0.5, seconds: 1)
    let sentence =
      "hardware decoding (nvdec) is worth it: decode_fps, decode 100.0 → 300.0 1/s (3 ×); joule_per_frame, decode 2.00 → 0.500 J (0.25 ×); "
      + "cpu_seconds, decode 8.00 → 1.00 s (0.13 ×)"
    let text = try Self.text(software, hardware)
    #expect(text.contains(sentence), "\(text)")
    #expect(try Self.text(hardware, software).contains(sentence))
    #expect(try Self.text(software, hardware, .markdown).contains("hardware decoding (nvdec) is worth it"))
  }

  @Test func slowerIsWorthItForSome() throws {
    let software = Self.record("software", fps: 100, joules: nil, seconds: 8)
    #expect(
      try Self.text(software, Self.record("vaapi", fps: 60, joules: nil, seconds: 1)).contains("is worth it for some: ")
    )
    #expect(
      try Self.text(software, Self.record("vaapi", fps: 60, joules: nil, seconds: 9)).contains("is not worth it: "))
    #expect(
      try Self.text(software, Self.record("vaapi", fps: 101, joules: 1, seconds: 8)).contains("makes no difference: "))
  }

  /// Two hardware decoders, or two of anything else, are another question.
  @Test func otherComparisonsAreSilent() throws {
    let (one, other) = (
      Self.record("vaapi", fps: 1, joules: 1, seconds: 1), Self.record("nvdec", fps: 2, joules: 1, seconds: 1)
    )
    #expect(try !Self.text(one, other).contains("hardware decoding"))
    #expect(try !Self.text(one, one).contains("hardware decoding"))
  }
}
