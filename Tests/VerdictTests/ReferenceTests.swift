import Foundation
import Support
import Testing
import Verdict

/// The records that are committed in `results/`, one folder per class of machines.
struct ReferenceTests {
  /// `amd-epyc-2core/reference-built-in-clip.json`
  private static let references: [String] = {
    let folder = TestFolders.repository + "/results"
    let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return files.filter { $0.contains("/reference") && $0.hasSuffix(".json") }.sorted()
  }()

  private static func path(_ name: String) -> String { TestFolders.repository + "/results/" + name }

  @Test func thereAreSomeAndTheListOfClassesNamesThem() throws {
    #expect(!Self.references.isEmpty)
    let page = try String(contentsOfFile: Self.path("README.md"), encoding: .utf8)
    let lines = page.components(separatedBy: "\n")
    let header = try #require(
      lines.firstIndex { $0.hasPrefix("| class |") }, "results/README.md has no list of classes")
    let listed = lines[(header + 2)...].prefix { $0.hasPrefix("|") }.compactMap {
      $0.split(separator: "`").dropFirst().first.map(String.init)
    }
    let classes = Set(Self.references.compactMap { $0.split(separator: "/").first.map(String.init) })
    #expect(listed.sorted() == classes.sorted())
  }

  @Test(arguments: references)
  func isAWholeRecordOfItsClass(name: String) throws {
    let record = try RecordFile.read(Self.path(name))
    #expect(
      record.complete && record.build.dirty == false && record.build.commit.allSatisfy(\.isHexDigit)
        && record.build.commit.count == 40)
    #expect(record.environment.machine.hostClass.map { name.hasPrefix($0 + "/") } == true)
    #expect(record.input.sha256 != nil && record.label == nil)
    #expect(record.warnings.allSatisfy { $0.code == "software_device" }, "\(record.warnings.map(\.code))")
    for scenario in record.scenarios {
      #expect(scenario.trials.allSatisfy(\.complete) && scenario.trials.count >= 5, "\(scenario.name)")
      #expect(
        scenario.summary == Record.Summary(scenario.trials), "'\(scenario.name)' is summed up wrongly")
      for counter in ["wrong_frame", "out_of_tolerance"] {
        #expect((scenario.summary.counters[counter] ?? nil ?? 0) == 0, "\(scenario.name): \(counter)")
      }
    }
    // A reference is the standard suite: a record of `run` can be compared with it.
    #expect(Set(record.scenarios.map(\.name)) == ["decode", "render", "pipeline", "startup"])
  }

  @Test(
    .tier(.test), .enabled("no python3 can import jsonschema") { PythonJudge.hasJSONSchema || PythonJudge.isRequired },
    arguments: references)
  func matchesTheSchema(name: String) throws {
    let refusals = try PythonJudge.schemaRefusals([Self.path(name)])
    #expect(refusals.isEmpty, "\(refusals)")
  }

  /// Records are shared: they tell of a kind of machine, never of one machine or its owner.
  @Test(arguments: references)
  func holdsNothingPrivate(name: String) throws {
    let found = try privateParts(of: Data(contentsOf: URL(filePath: Self.path(name))))
    #expect(found.isEmpty, "\(name) tells of the machine that made it: \(found)")
  }

  @Test(arguments: [
    #"{"command": ["/home/user/bench360"]}"#, #"{"a": [{"b": "see /tmp/x.mp4"}]}"#, #"{"hostname": "x"}"#,
    #"{"a": "file:///srv/clip.mp4"}"#, #"{"a": "me@example.org"}"#,
  ])
  func privatePartsAreFound(text: String) throws {
    #expect(try !privateParts(of: Data(text.utf8)).isEmpty, "\(text)")
  }

  /// Each metric judged for itself: five trials cannot decide four metrics at once. What moves by more than a tenth between
  /// the trials of one session is no reference.
  @Test(arguments: references)
  func isTheSameAsItself(name: String) throws {
    let set = try RecordSet.load(Self.path(name))
    for gate in ["decode_fps", "render_gpu_ms", "pipeline_fps", "ttff_ms"] {
      var options = ComparisonOptions()
      options.gates = try #require(Gates(gate))
      options.thresholdPercent = 10
      let comparison = try Comparison(base: set, head: set, options: options)
      #expect(ExitStatus(after: comparison, failsOn: [.regression, .improvement]) == nil, "\(name), \(gate)")
      for result in comparison.results {
        #expect(result.estimate.shift == 0, "\(result.scenario) · \(result.metric)")
        #expect(result.verdict == nil || result.verdict == .same, "\(result.metric): \(result.why)")
      }
    }
  }
}

/// What in a JSON text tells of one machine or person: absolute paths, host names, addresses.
private func privateParts(of json: Data) throws -> [String] {
  let host = ProcessInfo.processInfo.hostName
  func tells(_ text: String) -> Bool {
    text.firstMatch(of: #/(^|[^A-Za-z0-9.])/[A-Za-z]+/|file:|[A-Za-z0-9.]@[A-Za-z0-9]/#) != nil
      || (host.count > 3 && host != "localhost" && text.contains(host))
  }
  func strings(_ value: Any) -> [String] {
    switch value {
    case let text as String: [text]
    case let list as [Any]: list.flatMap(strings)
    case let object as [String: Any]: object.flatMap { [$0.key] + strings($0.value) }
    default: []
    }
  }
  return strings(try JSONSerialization.jsonObject(with: json)).filter {
    tells($0) || ["host", "hostname", "user", "home"].contains($0)
  }
}
