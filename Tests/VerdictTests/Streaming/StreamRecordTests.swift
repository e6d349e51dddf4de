import Foundation
import Frames
import RecordSamples
import Support
import Testing
import Verdict

/// What a record holds of a stream, and what it refuses to read.
@Suite struct StreamRecordTests {
  private static let record = Sample.record(of: [Sample.stream(), Sample.stream(seconds: 12)])

  private static func text(_ record: Record) throws -> String {
    String(decoding: try RecordCoding.encode(record), as: UTF8.self)
  }

  @Test func aSessionComesBackAsItWent() throws {
    let back = try RecordCoding.decodeRecord(RecordCoding.encode(Self.record), name: "x")
    #expect(back == Self.record && back.scenarios[0].trials[0].stream?.requests.isEmpty == false)
  }

  @Test func keysAreInSnakeCaseAndUnknownIsNull() throws {
    let text = try Self.text(Self.record)
    for key in [
      "first_frame", "first_shown", "media_seconds", "name_looked_up", "header_bytes", "is_reused", "http_version",
    ] {
      #expect(text.contains("\"\(key)\" : "), "\(key)")
    }
    #expect(text.contains("\"problem\" : null") && text.contains("\"secured\" : null"))
  }

  @Test func otherTrialsHaveNone() throws {
    let text = try Self.text(Sample.record())
    #expect(!text.contains("\"stream\""))
    #expect(try RecordCoding.decodeRecord(Data(text.utf8), name: "x").scenarios[0].trials[0].stream == nil)
  }

  @Test func aDigestHasNone() throws {
    let digest = try RecordCoding.decodeRecord(RecordCoding.encode(Self.record), name: "x", asDigest: true)
    #expect(digest.scenarios[0].trials[0].stream == nil)
    #expect(
      digest.scenarios[0].trials[0].metrics[.qoeLinear]?.p50
        == Self.record.scenarios[0].trials[0].metrics[.qoeLinear]?.p50)
  }

  @Test func timesAreKeptToMicroseconds() {
    let request = StreamSession.Request(
      kind: .key, url: "k", times: .init(queued: 0.12345678, connected: 1.0 / 3, ended: 2.0 / 3), transfer: .init(),
      outcome: .finished)
    #expect(request.times == .init(queued: 0.123457, connected: 0.333333, ended: 0.666667))
    var later = request
    later.firstShown = 0.1 + 0.2
    #expect(later.firstShown == 0.3)
    #expect(StreamSession.StateChange(time: 1e300, state: .ended).time == 1e300)
  }

  @Test(arguments: [
    (#""rung" : 0"#, #""rung" : 5"#, "it names rung 5 of 5"),
    (#""rung" : 0"#, #""rung" : -1"#, "it names rung -1 of 5"),
    (#""attempt" : 0"#, #""attempt" : -2"#, "-2 is not a number of bytes, attempts or segments"),
    (#""position" : 0"#, #""position" : 1e300"#, "1e+300 s is not an instant of a trial"),
    (#""bitrate" : 350000"#, #""bitrate" : -1"#, "-1.0 is not the bit rate of a rung"),
  ])
  func nonsenseIsRefused(_ good: String, _ bad: String, _ cause: String) throws {
    let whole = try Self.text(Self.record)
    let text = whole.replacing(good, with: bad, maxReplacements: 1)
    #expect(text != whole)
    let failure = #expect(throws: Failure.self) { try RecordCoding.decodeRecord(Data(text.utf8), name: "x") }
    #expect(failure?.cause == "'scenarios[0].trials[0].stream': \(cause)")
  }

  @Test func wordsThatNoBuildWritesAreRefused() throws {
    let text = try Self.text(Self.record).replacing("\"rebuffering\"", with: "\"sulking\"", maxReplacements: 1)
    #expect(throws: Failure.self) { try RecordCoding.decodeRecord(Data(text.utf8), name: "x") }
  }

  /// Trials of streams are joined like all others, with their sessions.
  @Test func mergingKeepsSessions() throws {
    try TestFiles.withTemporaryFolder { folder in
      var paths: [String] = []
      for (name, seconds) in [("a", 20.0), ("b", 21)] {
        var record = Sample.record(of: [Sample.stream(seconds: seconds)])
        record.session = name
        record.scenarios[0].trials[0].started = "2025-11-21T09:30:\(paths.count + 10)Z"
        paths.append(folder.appending(path: name + ".json").path)
        try RecordFile.write(record, to: paths[paths.count - 1])
      }
      let merged = try RecordCoding.decodeRecord(Merge(paths: paths, expected: nil).single(for: "test"), name: "merged")
      let sessions = merged.scenarios[0].trials.compactMap(\.stream)
      #expect(sessions == [Sample.stream(seconds: 20), Sample.stream(seconds: 21)])
      #expect(merged.scenarios[0].summary.metrics[.qoeLinear]?.n == 2)
    }
  }
}
