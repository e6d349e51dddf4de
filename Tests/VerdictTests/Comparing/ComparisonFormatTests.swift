import Foundation
import Frames
import RecordSamples
import Support
import Testing
import Verdict

@Suite struct ComparisonFormatTests {
  @Test(arguments: ["table", "csv", "markdown", "junit", "github-smaller", "github-bigger"])
  func matchesItsGolden(_ name: String) throws {
    let text = try #require(ComparisonFormat.named(name)).render(Sides.full())
    #expect(text == (try TestFiles.golden("comparison-\(name)", rewritingWith: text)))
  }

  /// What the goldens are worth: nothing may go missing from what they show.
  @Test func theGoldenComparisonHasOneOfEverything() throws {
    let comparison = try Sides.full()
    #expect(Set(comparison.results.compactMap(\.verdict)) == Set(Outcome.allCases))
    let inconclusive = comparison.results.filter { $0.verdict == .inconclusive }
    #expect(inconclusive.contains { $0.why.contains("different sessions") })
    #expect(inconclusive.contains { $0.why.contains("trials are too few to reach p") })
    #expect(inconclusive.contains { $0.why.contains("not significant") })
    #expect(comparison.results.contains { $0.verdict == nil })
    #expect(Set(comparison.results.map(\.input)).count == 2)
    #expect(!comparison.incorrect.isEmpty && !comparison.varied.isEmpty)
    #expect(comparison.warnings.map(\.code) == ["governor_powersave", "steal_time", "one_side", "left_out"])
  }

  @Test func theFormatsAreThosePromised() {
    let names = ["table", "json", "csv", "markdown", "junit", "github-smaller", "github-bigger"]
    #expect(ComparisonFormat.all.map(\.name) == names)
    #expect(ComparisonFormat.named("yaml") == nil)
  }

  @Test(arguments: ComparisonFormat.all.map(\.name)) func endsWithOneNewline(_ name: String) throws {
    let text = try #require(ComparisonFormat.named(name)).render(Sides.full())
    #expect(text.unicodeScalars.last == "\n" && !text.hasSuffix("\n\n"))
  }

  @Test func jsonIsTheComparison() throws {
    let comparison = try Sides.full()
    let text = try ComparisonFormat.json.render(comparison, useColor: true)
    let read = try RecordCoding.decode(Comparison.self, from: Data(text.utf8), name: "-")
    #expect(read == comparison)
  }

  // MARK: Terminals

  @Test func theTableFits() throws {
    let long = String(repeating: "a long name ", count: 20)
    var comparison = try Sides.full(tour: long, indoor: String(repeating: "n", count: 300))
    comparison.base.name = String(repeating: "/folder", count: 60)
    comparison.head.labels = (0..<30).map { "label-\($0)" }
    comparison.warnings[0].text = String(repeating: "unbreakable", count: 20)
    for index in comparison.results.indices where comparison.results[index].verdict != nil {
      comparison.results[index].variant = String(repeating: "variant/", count: 20)
      comparison.results[index].unit = "code values"
    }
    comparison.results[0].estimate.shift = 1e13
    comparison.results[0].estimate.low = -1e15
    comparison.results[0].estimate.high = 1e15
    comparison.results[1].estimate.low = .leastNonzeroMagnitude
    let lines = try ComparisonFormat.table.render(comparison).split(separator: "\n")
    for line in lines { #expect(line.count <= 100, "\(line)") }
    for outcome in Outcome.allCases {
      let named = lines.contains { $0.hasSuffix("  \(outcome.rawValue)") }
      #expect(named, "\(outcome) is cut off")
    }
  }

  /// A metric is folded where its shift is within the threshold, or where its interval includes zero.
  @Test func unchangedMetricsAreFoldedUnlessAllAreListed() throws {
    let comparison = try Sides.full()
    let folded = try ComparisonFormat.table.render(comparison).split(separator: "\n")
    let all = try ComparisonFormat.table.render(comparison, listsUnchanged: true).split(separator: "\n")
    func rows(_ metric: String, _ lines: [Substring]) -> Int { lines.count { $0.contains("· \(metric) ") } }
    for metric in ["upload_cpu_ms", "peak_rss_mib", "ws_psnr_db", "max_error"] {
      #expect(rows(metric, folded) == 0 && rows(metric, all) == 1, "\(metric)")
    }
    // Changed, or gated.
    for metric in ["decode_latency_ms", "decode_fps", "pipeline_fps", "roughness_ms", "ttff_ms"] {
      #expect(rows(metric, folded) >= 1 && rows(metric, folded) == rows(metric, all), "\(metric)")
    }
    #expect(folded.count { $0 == "  2 metrics that are not gated did not change; --all lists them" } == 2)
    #expect(!all.contains { $0.contains("--all") })
    #expect(all.contains { $0.contains("no change beyond the 2 % threshold") })
  }

  @Test(
    arguments: [
      (1.0, nil, nil, true), (-1.0, nil, nil, true), (3.0, nil, nil, false), (3.0, -0.1, 6.0, true),
      (3.0, 0.1, 6.0, false), (-3.0, -6.0, 0.0, true), (nil, nil, nil, false),
    ] as [(Double?, Double?, Double?, Bool)])
  func aShiftIsAChange(_ shift: Double?, _ low: Double?, _ high: Double?, _ isUnchanged: Bool) throws {
    var result = try #require(Sides.full().results.first)
    result.threshold = 2
    (result.estimate.shift, result.estimate.low, result.estimate.high) = (shift, low, high)
    #expect(result.isUnchanged == isUnchanged)
  }

  @Test func theTableEndsWithTheAnswer() throws {
    let comparison = try Sides.full()
    let words = try ComparisonFormat.table.render(comparison).split(whereSeparator: \.isWhitespace)
    #expect(words.joined(separator: " ").hasSuffix(comparison.sentence))
  }

  @Test func colorIsOnlyWhereAskedFor() throws {
    let comparison = try Sides.full()
    for format in ComparisonFormat.all {
      #expect(try !format.render(comparison).contains("\u{1B}"))
    }
    let colored = try ComparisonFormat.table.render(comparison, useColor: true)
    #expect(colored.contains("\u{1B}[1min | <door>.mp4\u{1B}[0m"))
    let stripped = colored.replacing(/\u{1B}\[[0-9;]*m/, with: "")
    #expect(stripped == (try ComparisonFormat.table.render(comparison)))
  }

  /// Green is for what is well, and a wrong picture never is.
  @Test(arguments: [(1.0, 0, "32"), (1.05, 0, "32"), (0.9, 0, "31"), (1.05, 1, "31")])
  func theAnswersColorIsItsVerdict(_ factor: Double, _ wrong: Int, _ color: String) throws {
    func side(_ factor: Double, _ wrong: Int) -> [Record] {
      [
        Sides.record([
          Sides.scenario("decode", ["decode_fps": Sides.spread(100 * factor)], counters: ["wrong_frame": wrong])
        ])
      ]
    }
    let comparison = try Sides.compare(side(1, 0), side(factor, wrong))
    let text = try ComparisonFormat.table.render(comparison, useColor: true)
    let answer = try #require(text.split(separator: "\n").last)
    #expect(answer.hasPrefix("\u{1B}[\(color)m"), "\(answer)")
  }

  @Test(arguments: ["table", "markdown", "junit"]) func namesCannotSteerTheTerminal(_ name: String) throws {
    let text = try #require(ComparisonFormat.named(name)).render(Sides.hostile())
    #expect(text == printable(text, keepsLines: true))
  }

  // MARK: Markdown

  @Test func markdownCellsStayCells() throws {
    let comparison = try Sides.hostile()
    let text = try ComparisonFormat.markdown.render(comparison)
    let rows = text.unicodeScalars.split(separator: "\n").filter { $0.first == "|" }
    #expect(rows.count == comparison.results.count + 4, "two tables with a head and a rule each")
    for row in rows { #expect(Self.bars(row) == 9, "\(String(row))") }
    let tags = text.matches(of: /<[^ ]/).map { String(text[$0.range.lowerBound...].prefix(9)) }
    #expect(tags.allSatisfy { ["<details>", "<summary>", "</summary", "</details"].contains($0) }, "\(tags)")
    #expect(text.contains("&amp;amp;"), "an entity in a name is text too")
  }

  /// Bars that no backslash makes text.
  private static func bars(_ row: Substring.UnicodeScalarView.SubSequence) -> Int {
    var count = 0
    var isEscaped = false
    for scalar in row {
      if scalar == "|", !isEscaped { count += 1 }
      isEscaped = scalar == "\\" && !isEscaped
    }
    return count
  }

  @Test func markdownSaysIncorrectFirst() throws {
    var comparison = try Sides.full()
    #expect(try ComparisonFormat.markdown.render(comparison).hasPrefix("### bench360: incorrect\n"))
    comparison.incorrect = []
    #expect(try ComparisonFormat.markdown.render(comparison).hasPrefix("### bench360: regression\n"))
  }

  @Test func withSeveralClipsTheAnswerNamesThem() throws {
    let comparison = try Sides.compare(
      [Sides.fps(Sides.spread(100), clip: "a"), Sides.fps(Sides.spread(100), clip: "b")],
      [Sides.fps(Sides.spread(100), clip: "a"), Sides.fps(Sides.spread(80), clip: "b")])
    #expect(comparison.sentence == "regression: b.mp4 · decode · decode_fps −20.0 %")
    let alone = try Sides.compare([Sides.fps(Sides.spread(100))], [Sides.fps(Sides.spread(80))])
    #expect(alone.sentence == "regression: decode · decode_fps −20.0 %")
  }
}
