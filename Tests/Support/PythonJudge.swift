import Foundation
import Synchronization

/// Python as the outside judge of written files.
public enum PythonJudge {
  public static let hasCSV = interpreter(with: "csv") != nil
  public static let hasJSONSchema = interpreter(with: "jsonschema") != nil
  public static let hasYAML = interpreter(with: "jsonschema, yaml") != nil
  public static let readsOpenMetrics = interpreter(with: "prometheus_client.openmetrics.parser") != nil
  /// Where the judges must exist, their absence is a failure.
  public static let isRequired = ProcessInfo.processInfo.environment["CI"] == "true"

  /// The tool that is missing on this machine.
  public struct Missing: Error, CustomStringConvertible {
    public let description: String
  }

  /// Runs `script` with `arguments`; its exit status and all it printed.
  ///
  /// Throws `Missing` where no Python can import `module`, which may be several with commas between them.
  public static func run(
    _ script: String, module: String, _ arguments: [String]
  ) throws -> (status: Int32, output: String) {
    guard let python = interpreter(with: module) else {
      throw Missing(description: "no python3 can import \(module)")
    }
    let result = try CommandOutput.of(python, ["-c", script] + arguments)
    return (result.status, result.text + result.errors)
  }

  /// The schemas in `results`.
  public enum Schema: String, Sendable {
    case record, comparison, camera, input, matrix, numbers, faults, ladder
  }

  /// The schema's violations in these files: a line each.
  public static func schemaRefusals(_ paths: [String], of schema: Schema = .record) throws -> [String] {
    let script = """
      import json, sys
      from jsonschema import Draft202012Validator
      schema = json.load(open(sys.argv[1]))
      Draft202012Validator.check_schema(schema)
      for path in sys.argv[2:]:
        for error in Draft202012Validator(schema).iter_errors(json.load(open(path))):
          print(path.split("/")[-1], error.json_path, error.message[:120])
      """
    let schema = TestFolders.repository + "/results/\(schema.rawValue).schema.json"
    let result = try run(script, module: "jsonschema", [schema] + paths)
    let lines = result.output.split(separator: "\n").map(String.init)
    return result.status == 0 ? lines : lines + ["the judge ended with status \(result.status)"]
  }

  /// How many samples Prometheus' reader of OpenMetrics finds in a file; throws what it prints where it refuses the file.
  public static func openMetrics(_ path: String) throws -> Int {
    let script = """
      import sys
      from prometheus_client.openmetrics.parser import text_string_to_metric_families as read
      print(sum(len(family.samples) for family in read(open(sys.argv[1]).read())))
      """
    let result = try run(script, module: "prometheus_client.openmetrics.parser", [path])
    guard result.status == 0, let count = Int(result.output.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw Missing(description: result.output)
    }
    return count
  }

  private static let interpreters = Mutex<[String: String?]>([:])

  /// Tries each module once: a Python that imports it costs as much as most judgements.
  private static func interpreter(with module: String) -> String? {
    interpreters.withLock { known in
      if let found = known[module] { return found }
      let found = ["/usr/bin/python3", "python3"].first { python in
        (try? CommandOutput.of(python, ["-c", "import \(module)"]).status) == 0
      }
      known[module] = .some(found)
      return found
    }
  }
}
