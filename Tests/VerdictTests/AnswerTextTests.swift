import Foundation
import Frames
import RecordSamples
import Support
import Testing
import Verdict

/// What a run prints by default.
@Suite struct AnswerTextTests {
  private static let next = [
    AnswerText.Step("bench360 report r.json -o report.html", "a page with charts of everything measured"),
    AnswerText.Step("bench360 view 'the tour.mp4'", "look around in it"),
  ]

  private static func text(_ record: Record, on screen: AnswerText.Screen = .init()) -> String {
    AnswerText(record, next: next, on: screen).text
  }

  /// The paragraphs of a text.
  private static func paragraphs(_ record: Record, on screen: AnswerText.Screen = .init()) -> [[Substring]] {
    text(record, on: screen).split(separator: "\n\n").map { $0.split(separator: "\n") }
  }

  @Test(arguments: [false, true]) func matchesItsGolden(isTerminal: Bool) throws {
    let text = Self.text(Sample.record(), on: .init(isTerminal: isTerminal))
    #expect(text == (try TestFiles.golden(isTerminal ? "answer-terminal" : "answer", rewritingWith: text)))
  }

  @Test func theSentenceIsFirstAndTheNextCommandsLast() {
    let parts = Self.paragraphs(Sample.record())
    #expect(parts.first?.joined(separator: " ") == Answer(Sample.record()).sentence)
    #expect(parts.last?.count == 2 && parts.last?.last?.contains("bench360 view 'the tour.mp4'") == true)
  }

  /// Warnings in a row that share a remedy are followed by it once.
  @Test func aSharedRemedyIsPrintedOnce() {
    var record = Sample.record()
    record.warnings = ["decode", "render"].map {
      Record.Warning(code: .warmUp, text: "\($0): the first trial", remedy: "wait a while")
    }
    record.warnings.append(Record.Warning(code: .load, text: "others work", remedy: "stop them"))
    let lines = Self.text(record).split(separator: "\n").drop { !$0.hasPrefix("warning ") }.prefix(5)
    #expect(
      Array(lines) == [
        "warning  warm_up: decode: the first trial", "warning  warm_up: render: the first trial",
        "       → wait a while",
        "warning  load: others work", "       → stop them",
      ])
  }

  /// README shows the answer of the reference record, but for the record's path.
  @Test func readmeShowsTheAnswerOfTheReferenceRecord() throws {
    let results = TestFolders.repository + "/results/amd-epyc-2core/reference-built-in-clip.json"
    let readme = try String(contentsOfFile: TestFolders.repository + "/README.md", encoding: .utf8)
    let text = AnswerText(try RecordFile.read(results), next: []).text
    #expect(readme.contains("```\n\(text)\nnext     .build/release/bench360 report record.json "), "\(text)")
  }

  /// Three numbers: of whole scenarios before stages, one of each scenario before a second one.
  @Test(arguments: [
    (["decode", "pipeline", "play", "startup"], ["pipeline_fps", "dropped", "ttff_ms"]),
    (["decode", "pipeline"], ["pipeline_fps", "decode_fps", "render_gpu_ms"]),
    (["decode"], ["decode_fps", "decode_latency_ms"]), (["play"], ["dropped", "late"]),
  ])
  func theNumbersAreThoseOfTheWholeFirst(names: [String], expected: [String]) throws {
    let record = Sample.record(scenarios: Sample.scenarios.filter { names.contains($0.name) })
    let numbers = try #require(Self.paragraphs(record).dropFirst().first)
    #expect(numbers.compactMap { $0.split(separator: " ").first.map(String.init) } == expected)
  }

  @Test func aVariantComesAfterOtherScenarios() throws {
    let cold = Sample.scenarios.filter { $0.name == "startup" }
    let warm = Record.Scenario(name: "startup", variant: "warm", trials: cold.flatMap(\.trials))
    let decode = Sample.scenarios.filter { $0.name == "decode" }
    let numbers = try #require(Self.paragraphs(Sample.record(scenarios: decode + cold + [warm])).dropFirst().first)
    let names = numbers.map { (line: Substring) -> Substring? in
      line.split(separator: "  ").last?.split(separator: " ").first
    }
    #expect(names == ["startup/cold", "decode", "startup/warm"])
  }

  @Test func disturbancesAreNamedOrDenied() {
    var record = Sample.record()
    let text = Self.text(record)
    #expect(text.contains("\nwarning  governor_powersave: ") && text.contains("\n       → sudo cpupower"))
    record.warnings = []
    #expect(Self.text(record).contains("\nnothing disturbed the run\n"))
    record.complete = false
    let ended = Self.text(record)
    #expect(ended.contains("\nincomplete: the run ended early\n") && !ended.contains("nothing disturbed"))
  }

  @Test func frameTimesAreDrawnOnTerminalsOnly() throws {
    let bars = try #require(Self.paragraphs(Sample.record(), on: .init(isTerminal: true)).dropFirst(2).first)
    #expect(bars.first == "  render_gpu_ms of pipeline/direct, 453 samples" && bars.count == 9)
    #expect(bars.dropFirst().allSatisfy { $0.contains("█") && $0.contains(" ms ") && $0.hasSuffix(" %") })
    #expect(!Self.text(Sample.record()).contains("█"))
    let plain = Self.text(Sample.record(), on: .init(isTerminal: true, isASCII: true))
    #expect(plain.contains("####") && !plain.contains("█"))
    #expect(!Self.text(Sample.decodeOnly, on: .init(isTerminal: true)).contains("samples"))
  }

  @Test func linesFitAndNamesCannotSteerTheTerminal() {
    var record = Sample.record()
    record.warnings[0].text = String(repeating: "unbreakable", count: 20) + "\u{1B}[2J"
    record.scenarios[0].variant = String(repeating: "long ", count: 40) + "\u{1B}[2J"
    let text = Self.text(record, on: .init(isTerminal: true))
    for line in text.split(separator: "\n") { #expect(line.count <= 100, "\(line)") }
    #expect(text == printable(text, keepsLines: true))
  }

  @Test func aLineOfProgressNamesTheScenarioAndItsMainNumber() {
    let lines = Sample.scenarios.map { AnswerText.line($0) }
    #expect(
      lines == [
        "decode: decode_fps 81.00 1/s", "pipeline/direct: pipeline_fps 69.00 1/s", nil,
        "startup/cold: ttff_ms 412.5 ms",
      ])
  }
}
