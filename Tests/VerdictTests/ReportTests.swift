import Foundation
import Frames
import RecordSamples
import Support
import Testing
import Verdict

@Suite struct ReportTests {
  @Test(arguments: ["table", "csv", "markdown"]) func matchesItsGolden(_ name: String) throws {
    let format = try #require(ReportFormat.named(name))
    for (suffix, record) in [("", Sample.record()), ("-decode-only", Sample.decodeOnly)] {
      let text = try format.render(record)
      #expect(text == (try TestFiles.golden("\(name)\(suffix)", rewritingWith: text)))
    }
  }

  @Test func theFormatsAreThosePromised() {
    #expect(ReportFormat.all.map(\.name) == ["table", "json", "csv", "markdown"])
    #expect(ReportFormat.named("yaml") == nil)
  }

  @Test func jsonIsTheRecord() throws {
    let text = try ReportFormat.json.render(Sample.record(), useColor: true)
    #expect(try RecordCoding.decodeRecord(Data(text.utf8), name: "-") == Sample.record())
  }

  @Test func theTableFitsAndEndsWithTheAnswer() throws {
    var record = Sample.record()
    record.input.name = String(repeating: "long name ", count: 30)
    record.environment.machine.cpu = String(repeating: "core ", count: 30)
    record.warnings[0].text = String(repeating: "unbreakable", count: 20)
    record.scenarios[3].trials[0].phases[String(repeating: "p", count: 150)] = 1
    record.scenarios[3] = Record.Scenario(name: "startup", trials: record.scenarios[3].trials)
    let lines = try ReportFormat.table.render(record).split(separator: "\n")
    for line in lines { #expect(line.count <= 100, "\(line)") }
    #expect(lines.prefix(5).contains { $0.hasSuffix("llvmpipe (LLVM 15.0.6, 256 bits) (software)") })
    #expect(lines.joined(separator: " ").hasSuffix(Answer(record).sentence))
  }

  /// A head that is too long is wrapped between its parts: no part and no unit is cut.
  @Test func theHeadHoldsWholeParts() throws {
    let table = try ReportFormat.table.render(Sample.record())
    let head = table.split(separator: "\n\n")[0].split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for part in ["· 20 s", "yuv420p", "2 cores · 8.0 GiB · Debian GNU/Linux 12", "29.97 fps"] {
      #expect(head.contains(part), "\(head)")
    }
    #expect(!head.contains("…") && table.hasPrefix("input    ") && table.contains("\n         yuv420p\nmachine  "))
  }

  @Test(arguments: [ReportFormat.table, .markdown].map(\.name)) func negativeNumbersHaveAMinusSign(_ name: String)
    throws
  {
    let trial = Sample.trial(["frame_overrun_ms": [-18.86, -2.5]])
    let record = Sample.record(scenarios: [Record.Scenario(name: "play", trials: [trial])])
    let text = try #require(ReportFormat.named(name)).render(record)
    #expect(text.contains("−10.68") && !text.contains("-10.68"), "\(text)")
  }

  @Test func colorIsOnlyWhereAskedFor() throws {
    for format in ReportFormat.all {
      #expect(try !format.render(Sample.record()).contains("\u{1B}"))
    }
    let colored = try ReportFormat.table.render(Sample.record(), useColor: true)
    #expect(colored.contains("\u{1B}[1mdecode · 3 trials\u{1B}[0m"))
    let stripped = colored.replacing(/\u{1B}\[[0-9;]*m/, with: "")
    #expect(stripped == (try ReportFormat.table.render(Sample.record())))
  }

  @Test(arguments: [ReportFormat.table, .markdown].map(\.name)) func namesCannotSteerTheTerminal(_ name: String) throws
  {
    var record = Sample.record()
    record.input.name = "a\u{1B}[2Jb\u{9B}c\r\n\u{202E}\u{200B}.mp4"
    record.label = record.input.name
    let text = try #require(ReportFormat.named(name)).render(record)
    #expect(text == printable(text, keepsLines: true))
  }

  @Test func markdownCellsStayCells() throws {
    var record = Sample.record()
    record.input.name = "a|b<script>`c`*d*"
    let text = try ReportFormat.markdown.render(record)
    #expect(text.contains(#"a\|b&lt;script>\`c\`\*d\*"#) && !text.contains("<script>"))
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("|") }
    #expect(rows.count == 2 + 9)
    #expect(rows.allSatisfy { $0.count(where: { $0 == "|" }) == 8 })
  }

  @Test(.tier(.test), .enabled("no python3") { PythonJudge.hasCSV || PythonJudge.isRequired })
  func csvIsReadBackByAnotherReader() throws {
    var record = Sample.record()
    record.label = "two\nlines"
    record.build.version = "\r"
    let text = try ReportFormat.csv.render(record)
    #expect(text.hasSuffix("\r\n"))
    let script = """
      import csv, json, sys
      print(json.dumps(list(csv.reader(open(sys.argv[1], newline=""), strict=True))))
      """
    let rows = try TestFiles.withTemporaryFolder { folder in
      let url = folder.appending(path: "a.csv")
      try Data(text.utf8).write(to: url)
      let result = try PythonJudge.run(script, module: "csv", [url.path])
      return try JSONDecoder().decode([[String]].self, from: Data(result.output.utf8))
    }
    let header = try #require(rows.first)
    let cells = rows.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(header, $0)) }
    #expect(rows.allSatisfy { $0.count == header.count })
    #expect(cells.count == record.scenarios.reduce(0) { $0 + $1.summary.metrics.count + $1.summary.counters.count })
    for cell in cells {
      #expect(cell["label"] == record.label && cell["version"] == "\r" && cell["input"] == record.input.name)
    }
    let fps = try #require(cells.first { $0["metric"] == "pipeline_fps" })
    #expect(fps["p50"] == "69.0" && fps["p99"] == "" && fps["trials"] == "3" && fps["variant"] == "direct")
    let presented = try #require(cells.first { $0["metric"] == "presented" })
    #expect(presented["total"] == "148" && presented["p50"] == "")
  }
}
