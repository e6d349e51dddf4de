import Foundation
import Support
import Testing

extension StreamCommandTests {
  /// What the URL of a stream keeps secret comes out nowhere: not in answers, logs, records, reports and traces, nor in the command
  /// lines of the processes that play it.
  @Suite(.tier(.test)) struct StreamSecretTests {
    private static let secrets = ["user7", "secret7", "hidden7"]

    private static func expectNoSecret(_ text: String, _ place: String) {
      for secret in secrets { #expect(!text.contains(secret), "\(place): \(text.prefix(2000))") }
    }

    @Test func noRunTellsThem() throws {
      let ladder = try SharedLadders.flat()
      let children = CommandLines()
      let server = try ScriptedServer { request, connection in
        children.look()
        let path = request.path.prefix { $0 != "?" }
        guard request.fields["authorization"] != nil,
          let data = FileManager.default.contents(atPath: ladder.path(String(path)))
        else { return connection.respond("404 Not Found") }
        return connection.serve([UInt8](data), request)
      }
      let address = "http://user7:secret7@127.0.0.1:\(server.port)/hls-fmp4/"
      try TestFolders.withTemporary { folder in
        let base = ["--scenario", "stream", "--trials", "1", "--duration", "2", "--size", "160x90", "-v"]
        let run = try Program.run(
          ["run", address + "main.m3u8?token=hidden7"] + base + ["-o", "r.json", "--trace", "t.json"], in: folder)
        #expect(run.status == 0, "\(run.errors)")
        let missing = try Program.run(["run", address + "none.m3u8?token=hidden7"] + base, in: folder)
        #expect(missing.status == 1 && missing.errors.contains("404 Not Found"), "\(missing.errors)")
        let report = try Program.run(["report", "r.json", "-o", "report.html"], in: folder)
        #expect(report.status == 0, "\(report.errors)")
        for result in [run, missing, report] { Self.expectNoSecret(result.text + result.errors, "an answer") }
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        #expect(names.contains("r.json") && names.contains("report.html"))
        for name in names {
          let bytes = FileManager.default.contents(atPath: folder + "/" + name)
          Self.expectNoSecret(name + "\n" + (bytes.map { String(decoding: $0, as: UTF8.self) } ?? ""), name)
        }
      }
      #expect(!children.found.isEmpty)
      for line in children.found { Self.expectNoSecret(line, "a child's command line") }
    }
  }
}
