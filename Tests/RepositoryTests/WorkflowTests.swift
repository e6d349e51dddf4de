import Foundation
import Support
import Testing

/// The workflows and the action, held against the schemas that are published for such files.
@Suite(
  .tier(.test), .enabled("no python3 can import jsonschema and yaml") { PythonJudge.hasYAML || PythonJudge.isRequired })
struct WorkflowTests {
  private static let workflows = ["performance.yml", "tests.yml"].map { ".github/workflows/" + $0 }
  private static let action = "action.yml"

  /// One shell step of a workflow or an action.
  private struct Step: Decodable {
    let file: String
    let run: String
  }

  /// YAML 1.2, as GitHub reads it: 'on' is a word, not true.
  private static let loader = """
    import json, re, sys, yaml
    class Loader(yaml.SafeLoader):
      pass
    Loader.yaml_implicit_resolvers = {
      first: [rule for rule in rules if rule[0] != "tag:yaml.org,2002:bool"]
      for first, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }
    Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(?:true|false)$"), list("tf"))

    """

  /// What the schema refuses in this file: a line for each contradiction.
  private static func refusals(_ path: String, schema: String) throws -> [String] {
    let script = """
      from jsonschema import Draft7Validator
      schema = json.load(open(sys.argv[1]))
      Draft7Validator.check_schema(schema)
      for error in Draft7Validator(schema).iter_errors(yaml.load(open(sys.argv[2]), Loader)):
        print("/".join(map(str, error.path)), error.message[:120])
      """
    let schemaPath = "\(TestFolders.repository)/Tests/RepositoryTests/Fixtures/\(schema).schema.json"
    let result = try PythonJudge.run(loader + script, module: "jsonschema, yaml", [schemaPath, path])
    let lines = result.output.split(separator: "\n").map(String.init)
    return result.status == 0 ? lines : lines + ["the judge ended with status \(result.status)"]
  }

  /// Every shell step of the workflows and of the action.
  private static func steps() throws -> [Step] {
    let script = """
      steps = []
      for path in sys.argv[2:]:
        text = yaml.load(open(sys.argv[1] + "/" + path), Loader)
        parts = [text["runs"]] if "runs" in text else text["jobs"].values()
        for part in parts:
          steps += [{"file": path, "run": step["run"]} for step in part["steps"] if "run" in step]
      print(json.dumps(steps))
      """
    let result = try PythonJudge.run(
      loader + script, module: "jsonschema, yaml", [TestFolders.repository] + workflows + [action])
    try #require(result.status == 0, "\(result.output)")
    return try JSONDecoder().decode([Step].self, from: Data(result.output.utf8))
  }

  @Test func everyWorkflowIsTested() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: TestFolders.repository + "/.github/workflows")
    #expect(files.sorted().map { ".github/workflows/" + $0 } == Self.workflows)
  }

  @Test(arguments: workflows.map { ($0, "github-workflow") } + [(action, "github-action")])
  func matchesThePublishedSchema(file: String, schema: String) throws {
    let refusals = try Self.refusals(TestFolders.repository + "/" + file, schema: schema)
    #expect(refusals.isEmpty, "\(file): \(refusals)")
  }

  /// What a file becomes by a likely slip.
  private static let slips: [(file: String, schema: String, from: String, to: String)] = [
    (workflows[0], "github-workflow", "    runs-on: ubuntu-24.04\n    container", "    container"),
    (workflows[0], "github-workflow", "\npermissions:", "\npermission:"),
    (workflows[0], "github-workflow", "contents: read", "contents: readonly"),
    (workflows[1], "github-workflow", "\non:", "\n\"true\":"),
    (workflows[1], "github-workflow", "timeout-minutes: 60", "timeout-minutes: [60]"),
    (action, "github-action", "using: composite", "using: composed"),
    (action, "github-action", "      shell: bash\n", ""),
    (action, "github-action", "\noutputs:", "\noutput:"),
  ]

  @Test(arguments: slips.indices)
  func theSchemaRefusesASlip(index: Int) throws {
    let slip = Self.slips[index]
    let good = try Repository.text(slip.file)
    let bad = good.replacing(slip.from, with: slip.to, maxReplacements: 1)
    #expect(bad != good, "'\(slip.from)' is not in \(slip.file)")
    try TestFolders.withTemporary { folder in
      let path = folder + "/slip.yml"
      try Data(bad.utf8).write(to: URL(filePath: path))
      #expect(try !Self.refusals(path, schema: slip.schema).isEmpty, "'\(slip.to)' was accepted")
    }
  }

  /// An expression in the text of a script would let the author of a branch's name run commands.
  @Test func shellStepsAreBashWithoutExpressions() throws {
    let steps = try Self.steps()
    #expect(Set(steps.map(\.file)) == Set(Self.workflows + [Self.action]))
    for step in steps {
      let result = try CommandOutput.of("bash", ["-n"], input: Data(step.run.utf8))
      #expect(result.status == 0, "\(step.file): \(result.errors)")
      #expect(!step.run.contains("${{"), "\(step.file): \(step.run)")
    }
  }

  @Test func scriptsThatStepsNameExist() throws {
    let script = #/(?:Scripts|Benchmarks|\.ci)/[A-Za-z0-9_.\/-]+/#
    let named = try Set(Self.steps().flatMap { $0.run.matches(of: script).map { String($0.output) } })
    #expect(named.isSuperset(of: ["Scripts/setup", "Scripts/ab-builds", "Scripts/action", ".ci/run"]))
    for path in named {
      #expect(FileManager.default.isExecutableFile(atPath: TestFolders.repository + "/" + path), "\(path)")
    }
  }
}
