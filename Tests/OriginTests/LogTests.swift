import Foundation
import Frames
import Origin
import Support
import Testing

@Suite(.tier(.test)) struct LogTests {
  @Test func everyRequestIsARowAndALine() throws {
    try TestFolders.withTemporary { folder in
      var options = OriginOptions()
      options.logFile = folder + "/log.jsonl"
      let rows = try OriginStage.with(["a.ts": [UInt8](repeating: 1, count: 300_000)], options: options) { stage in
        let connection = try stage.connect()
        _ = try connection.get("/a.ts?token=secret")
        _ = try connection.get("/a.ts", ["Range": "bytes=5-9"])
        _ = try connection.get("/none\u{1B}".replacing("\u{1B}", with: "%C2%9B"))
        _ = try connection.get("/a.ts", method: "POST")
        _ = try stage.get("/a.ts", method: "HEAD")
        return try stage.rows(5)
      }
      #expect(rows.map(\.number) == [1, 2, 3, 4, 5] && rows.map(\.connection) == [1, 1, 1, 1, 2])
      #expect(rows.map(\.status) == [200, 206, 404, 405, 200])
      #expect(rows.map(\.bytes) == [300_000, 5, 14, 23, 0])
      #expect(rows.map(\.method) == ["GET", "GET", "GET", "POST", "HEAD"])
      #expect(rows[0].path == "/a.ts" && rows[1].range == "bytes=5-9" && rows[0].time == 0)
      for row in rows {
        let (first, last) = (try #require(row.firstByte), try #require(row.lastByte))
        #expect(row.time <= first && first <= last && row.version == "HTTP/1.1")
      }
      let text = try String(contentsOfFile: folder + "/log.jsonl", encoding: .utf8)
      #expect(!text.contains("secret") && text.hasSuffix("\n") && text.contains(#"\u009B"#), "\(text)")
      let lines = try text.split(separator: "\n").map {
        try JSONDecoder().decode(OriginRequest.self, from: Data($0.utf8))
      }
      #expect(lines.sorted { $0.number < $1.number } == rows)
    }
  }

  @Test(
    arguments: [
      ("?CMCD=br%3D3200%2Cbs%2Csid%3D%22a%2Cb%5C%22c%22", [:], ["br": "3200", "bs": "true", "sid": "a,b\"c"]),
      ("?x=1&CMCD=ot%3Dv", [:], ["ot": "v"]),
      ("", ["CMCD-Object": "br=100,ot=a", "CMCD-Session": "sid=\"s\""], ["br": "100", "ot": "a", "sid": "s"]),
      ("?cmcd=br%3D1", [:], nil), ("?CMCD=", [:], nil), ("?CMCD=%zz", [:], nil), ("?CMCD=,,=1,", [:], nil),
      ("?CMCD=sid%3D%22open", [:], ["sid": "\"open"]),
    ] as [(String, [String: String], [String: String]?)])
  func commonMediaClientDataIsRead(query: String, fields: [String: String], keys: [String: String]?) throws {
    try OriginStage.with(["a.ts": [1]]) { stage in
      _ = try stage.get("/a.ts" + query, fields)
      #expect(try stage.rows(1)[0].cmcd == keys)
    }
  }

  /// Bytes that a client leaves behind are not counted as sent for ever: the row says that it was cut.
  @Test func aClientThatLeavesIsTold() throws {
    try OriginStage.with { stage in
      try stage.makeLarge("large.ts", bytes: 1 << 30)
      do {
        let connection = try stage.connect()
        connection.send(Connection.request("/large.ts"))
        #expect(try connection.read(100_000).count == 100_000)
      }
      let row = try stage.rows(1)[0]
      #expect(row.end == .closed && row.bytes >= 99_000 && row.bytes < 1 << 29)
    }
  }

  @Test func aLogThatCannotBeWrittenIsNamed() throws {
    try TestFolders.withTemporary { folder in
      var options = OriginOptions()
      options.logFile = folder + "/none/log.jsonl"
      let missing = #expect(throws: Failure.self) { try Origin.start(folder, options: options) }
      #expect(missing?.description.contains("cannot write the log to") == true)
      options.logFile = "/dev/full"
      let origin = try Origin.start(folder, options: options)
      _ = try Connection(port: origin.port).get("/none")
      #expect(Patience.until { origin.log.count == 1 })
      let full = #expect(throws: Failure.self) { try origin.stop() }
      #expect(full?.description.contains("1 lines are missing: no space left on device") == true)
    }
  }
}
