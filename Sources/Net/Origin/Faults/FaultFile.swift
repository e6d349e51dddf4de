import FoundationEssentials
import Frames
import Glibc

/// Reads rules of faults from a JSON file: `{"schema": "bench360-faults/1", "faults": [{"kind": "status", …}]}`.
public enum FaultFile {
  static let schema = "bench360-faults/1"
  static let byteLimit = 1 << 20
  static let ruleLimit = 1000

  private struct Content: Decodable {
    var schema: String
    var faults: [[String: JSONValue]]
  }

  /// Throws `.input` where the file cannot be read, or is not such a file; names the first mistake.
  public static func read(_ path: String) throws(Failure) -> [FaultRule] {
    let attempt = "cannot use faults '\(path)'"
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let bytes = try? OpenFile(reading: path).read(upTo: byteLimit + 1)
    else {
      throw Failure(.input, attempt, cause: "it is no regular file that can be read", remedy: "check the name")
    }
    return try rules(Data(bytes), attempt: attempt)
  }

  /// As `read` does, of a file's bytes.
  package static func rules(_ data: Data, attempt: String = "cannot use faults") throws(Failure) -> [FaultRule] {
    func refusal(_ cause: String) -> Failure {
      Failure(.input, attempt, cause: cause, remedy: "results/faults.schema.json describes it")
    }
    guard data.count <= byteLimit else { throw refusal("it is larger than \(byteLimit >> 20) MiB") }
    guard let content = try? JSONDecoder().decode(Content.self, from: data) else {
      throw refusal("it is not JSON with a schema and a list of faults")
    }
    guard content.schema == schema else {
      throw refusal("its schema is '\(content.schema.prefix(40))', not '\(schema)'")
    }
    guard content.faults.count <= ruleLimit else { throw refusal("it has more than \(ruleLimit) faults") }
    var rules: [FaultRule] = []
    for (index, values) in content.faults.enumerated() {
      do {
        rules.append(try FaultRule(FaultFields(values, place: "faults[\(index)]")))
      } catch {
        throw refusal(error.text)
      }
    }
    return rules
  }
}
