import Foundation
import Frames
import RecordSamples
import Support
import Testing
import Verdict

/// What programs read, read by programs that know nothing of this one.
@Suite(.tier(.test), .enabled("no python3") { PythonJudge.hasCSV || PythonJudge.isRequired })
struct ComparisonReaderTests {
  private static func read<Value: Decodable>(
    _ type: Value.Type, _ format: String, _ comparison: Comparison, _ script: String, module: String
  ) throws -> Value {
    try TestFiles.withTemporaryFolder { folder in
      let path = folder.appending(path: "comparison").path
      try Data(#require(ComparisonFormat.named(format)).render(comparison).utf8).write(to: URL(filePath: path))
      let result = try PythonJudge.run(script, module: module, [path])
      try #require(result.status == 0, "\(result.output)")
      return try JSONDecoder().decode(type, from: Data(result.output.utf8))
    }
  }

  // MARK: CSV

  @Test(arguments: [false, true]) func csvHoldsEveryValue(isHostile: Bool) throws {
    let comparison = try isHostile ? Sides.hostile() : Sides.full()
    let script = """
      import csv, json, sys
      print(json.dumps(list(csv.reader(open(sys.argv[1], newline="", encoding="utf-8"), strict=True))))
      """
    let rows = try Self.read([[String]].self, "csv", comparison, script, module: "csv")
    let header = try #require(rows.first)
    #expect(rows.allSatisfy { $0.count == header.count } && Set(header).count == header.count)
    #expect(rows.count == comparison.results.count + 1)
    for (row, result) in zip(rows.dropFirst(), comparison.results) {
      let cells = Dictionary(uniqueKeysWithValues: zip(header, row))
      for (name, text) in Self.texts(of: result) {
        #expect(cells[name].map { Array($0.unicodeScalars) } == Array(text.unicodeScalars), "\(name)")
      }
      for (name, value) in Self.numbers(of: result) {
        let cell = try #require(cells[name], "there is no column \(name)")
        #expect(value == nil ? cell.isEmpty : Double(cell) == value, "\(name) is \(cell), not \(value as Any)")
      }
      #expect(header.count == Self.texts(of: result).count + Self.numbers(of: result).count)
    }
  }

  private static func texts(of result: MetricComparison) -> [String: String] {
    [
      "input": result.input, "scenario": result.scenario, "variant": result.variant ?? "", "metric": result.metric,
      "unit": result.unit, "better": result.better, "gated": result.verdict == nil ? "no" : "yes",
      "verdict": result.verdict?.rawValue ?? "", "why": result.why,
    ]
  }

  private static func numbers(of result: MetricComparison) -> [String: Double?] {
    [
      "base_n": Double(result.base.values.count), "base_median": result.base.median,
      "head_n": Double(result.head.values.count), "head_median": result.head.median, "shift": result.estimate.shift,
      "low": result.estimate.low, "high": result.estimate.high, "shift_percent": result.percent(result.estimate.shift),
      "threshold": result.threshold, "noise_floor": result.noiseFloor, "p": result.p,
    ]
  }

  // MARK: JUnit

  private struct Node: Decodable {
    var tag: String
    var attributes: [String: String]
    var text: String
    var children: [Node]

    func all(_ tag: String) -> [Node] { (self.tag == tag ? [self] : []) + children.flatMap { $0.all(tag) } }
  }

  private static func junit(_ comparison: Comparison) throws -> Node {
    let script = """
      import json, sys, xml.etree.ElementTree as tree
      def node(element):
        return {"tag": element.tag, "attributes": element.attrib, "text": element.text or "",
                "children": [node(child) for child in element]}
      print(json.dumps(node(tree.parse(sys.argv[1]).getroot())))
      """
    return try read(Node.self, "junit", comparison, script, module: "xml.etree.ElementTree")
  }

  @Test(arguments: [false, true]) func junitCountsWhatItHolds(isHostile: Bool) throws {
    let comparison = try isHostile ? Sides.hostile() : Sides.full()
    let root = try Self.junit(comparison)
    let suite = try #require(root.children.first)
    #expect(root.tag == "testsuites" && root.children.count == 1 && suite.tag == "testsuite")
    #expect(suite.attributes["name"] == "bench360" && suite.attributes["timestamp"] == "2025-11-21T09:30:14")
    for (attribute, tag) in [
      ("tests", "testcase"), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped"),
    ] {
      let count = root.all(tag).count
      #expect(count > 0 && root.attributes[attribute] == "\(count)" && suite.attributes[attribute] == "\(count)")
    }
    let gated = comparison.results.filter { $0.verdict != nil }
    #expect(root.all("testcase").count == gated.count + comparison.incorrect.count)
    #expect(
      Set(root.all("testcase").map { [$0.attributes["classname"], $0.attributes["name"]] }).count
        == root.all("testcase").count)
  }

  /// The structure that readers of JUnit's format agree on: names of elements, their order, and what each may hold.
  @Test func junitHasTheUsualStructure() throws {
    let suite = try #require(try Self.junit(Sides.hostile()).children.first)
    let tags = suite.children.map(\.tag)
    #expect(tags.dropLast().allSatisfy { $0 == "testcase" } && tags.last == "system-out")
    for testCase in suite.all("testcase") {
      #expect(Set(testCase.attributes.keys) == ["classname", "name"])
      #expect(testCase.attributes.values.allSatisfy { !$0.isEmpty })
      #expect(testCase.children.count == 1)
      let child = try #require(testCase.children.first)
      #expect(["failure", "error", "skipped", "system-out"].contains(child.tag) && child.children.isEmpty)
      if child.tag == "failure" || child.tag == "error" { #expect(child.attributes["type"]?.isEmpty == false) }
      let message = child.tag == "system-out" ? child.text : child.attributes["message"]
      #expect(message?.isEmpty == false)
    }
  }

  @Test func junitTellsWhatWasFound() throws {
    var comparison = try Sides.hostile()
    let worse = try #require(comparison.results.firstIndex { $0.verdict == .regression })
    comparison.results[worse].why = "less < more > \"both\" & 'none' &amp; ]]> \u{1B}[2J é 98 %"
    let root = try Self.junit(comparison)
    let regression = try #require(root.all("failure").first)
    #expect(regression.attributes["message"] == "less < more > \"both\" & 'none' &amp; ]]> \\u{1B}[2J é 98 %")
    #expect(regression.attributes["type"] == "regression")
    let names = Set(root.all("testcase").compactMap { $0.attributes["classname"] })
    let readable = "a\\u{1B}[2Jb\\u{9B}c\\u{D}\\u{A}\\u{0}\\u{7F}|<script>&amp;'\"\\u{FFFE}\\u{FFFF}*`[x](y)\\.mp4"
    #expect(
      names.contains("\(readable).decode") && names.contains("&\u{301}|\u{301}`<\u{301}b>\"\u{301}x]]>.mp4.decode"))
    let wrong = try #require(root.all("error").first)
    #expect(wrong.attributes == ["type": "incorrect", "message": "wrong_frame is 3 in head, it must be 0"])
    #expect(root.children.first?.children.last?.text.contains("wrong_frame 3 in pipeline of \(readable)") == true)
  }

  // MARK: github-action-benchmark

  private struct Entry: Decodable {
    var name: String
    var unit: String
    var value: Double
    var range: String
    var extra: String
  }

  @Test(arguments: [("github-smaller", "low"), ("github-bigger", "high")])
  func githubEntriesAreWhatTheActionTakes(_ format: String, _ better: String) throws {
    let script = """
      import json, sys
      entries = json.load(open(sys.argv[1], encoding="utf-8"))
      assert isinstance(entries, list)
      for entry in entries:
        assert set(entry) == {"name", "unit", "value", "range", "extra"}, entry
        assert type(entry["value"]) in (int, float), entry
        assert all(type(entry[key]) is str and entry[key] for key in ("name", "unit", "range", "extra")), entry
      print(json.dumps(entries))
      """
    let comparison = try Sides.full()
    let entries = try Self.read([Entry].self, format, comparison, script, module: "json")
    let results = comparison.results.filter { $0.better == better }
    #expect(entries.count == results.count && !entries.isEmpty)
    #expect(Set(entries.map(\.name)).count == entries.count, "the action tells entries apart by name")
    for (entry, result) in zip(entries, results) {
      #expect(entry.value == result.head.median && entry.unit == result.unit)
      #expect(entry.name.contains(result.input) && entry.name.contains(result.metric))
      #expect(entry.range.hasPrefix("± ") && Double(entry.range.dropFirst(2)) != nil)
      #expect(entry.extra.contains(result.verdict?.rawValue ?? "not gated"))
    }
  }
}
