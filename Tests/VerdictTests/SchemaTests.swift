import Foundation
import Support
import Testing
import Verdict

@Suite struct SchemaTests {
  private static func refusals(_ texts: [String: String]) throws -> [String] {
    try TestFiles.withTemporaryFolder { folder in
      let paths = try texts.map { name, text in
        let url = folder.appending(path: name)
        try Data(text.utf8).write(to: url)
        return url.path
      }
      return try PythonJudge.schemaRefusals(paths)
    }
  }

  private static func text(_ record: Record) throws -> String {
    String(decoding: try RecordCoding.encode(record), as: UTF8.self)
  }

  @Test(.enabled("no python3 can import jsonschema") { PythonJudge.hasJSONSchema || PythonJudge.isRequired })
  func recordsMatchTheSchema() throws {
    let refusals = try Self.refusals([
      "full.json": Self.text(Sample.record()), "decode-only.json": Self.text(Sample.decodeOnly),
      "gpu.json": Self.text(Sample.record(device: Sample.device(software: false))),
    ])
    #expect(refusals.isEmpty, "\(refusals)")
  }

  @Test(.enabled("no python3 can import jsonschema") { PythonJudge.hasJSONSchema || PythonJudge.isRequired })
  func theSchemaRefusesWhatIsNoRecord() throws {
    let good = try Self.text(Sample.record())
    let changes = [
      "missing.json": (#"  "dirty" : false,\#n"#, ""),
      "unknown.json": (#""dirty" : false"#, #""dirty" : false, "durty" : true"#),
      "schema.json": (#""schema" : "bench360/1""#, #""schema" : "bench360/2""#),
      "name.json": (#""wrong_frame" : 0"#, #""Wrong Frame" : 0"#),
      "count.json": (#""presented" : 148"#, #""presented" : 148.5"#),
      "time.json": (#""created" : "2025-11-21T09:30:14Z""#, #""created" : "yesterday""#),
    ]
    for (name, change) in changes {
      let bad = good.replacing(change.0, with: change.1, maxReplacements: 1)
      #expect(bad != good, "\(name) changes nothing")
      #expect(try !Self.refusals([name: bad]).isEmpty, "\(name) was accepted")
    }
  }
}
