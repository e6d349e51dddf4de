import Foundation
import Frames
import HTTP
import Support
import Testing

extension HTTPTests {
  @Suite(.tier(.test)) struct RedirectTests {
    /// A server that redirects `/N` to `/N-1`, and answers `/0`; other paths lead to what the query names.
    private static func server() throws -> ScriptedServer {
      try ScriptedServer { request, connection in
        guard let number = Int(request.path.dropFirst().prefix { $0 != "?" }) else {
          let target = request.path.split(separator: "?").last.map(String.init)?.removingPercentEncoding ?? ""
          return connection.respond("302 Found", ["Location: \(target)"], body: Array("moved".utf8))
        }
        return number == 0
          ? connection.serve([1, 2, 3], request)
          : connection.respond("301 Moved Permanently", ["Location: \(number - 1)"])
      }
    }

    @Test func tenAreFollowedAndCounted() throws {
      let server = try Self.server()
      let client = try makeClient()
      let response = try client.fetch(makeRequest(server.url("/10")), limit: 9)
      #expect(response.body == [1, 2, 3] && response.head.url.description == server.url("/0"))
      #expect(problem { _ = try client.fetch(makeRequest(server.url("/11")), limit: 9) }?.kind == .redirects)
      try #require(client.log.wait(forCount: 2, seconds: Patience.seconds))
      var cursor = RequestLog.Cursor()
      let records = client.log.take(&cursor)
      #expect(records.map(\.hops.count) == [11, 11])
      #expect(records[0].hops.map(\.status) == Array(repeating: 301, count: 10) + [200])
      #expect(records[0].hops.dropFirst().allSatisfy(\.isReused) && server.connectionsAccepted == 1)
      #expect(records[0].url == server.url("/10") && records[1].status == 301)
    }

    @Test func loopsEnd() throws {
      let server = try ScriptedServer { $1.respond("302 Found", ["Location: \($0.path)"]) }
      let client = try makeClient()
      let found = problem { _ = try client.fetch(makeRequest(server.url("/")), limit: 9) }
      #expect(found?.kind == .redirects && server.requests.count == 11)
    }

    @Test(arguments: [
      "file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1:70/x", "data:,x", "http://", "javascript:1",
      "dict://127.0.0.1:11/d", "smb://127.0.0.1/x",
    ])
    func otherProtocolsAreRefused(target: String) throws {
      let server = try Self.server()
      let client = try makeClient()
      let place = target.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
      let found = problem { _ = try client.fetch(makeRequest(server.url("/to?" + place)), limit: 9) }
      #expect(found?.kind == .redirects && server.requests.count == 1, "\(found?.cause ?? "-")")
    }

    /// The body of a redirect is not worth more than a moment.
    @Test(arguments: [
      "HTTP/1.1 302 Found\r\nLocation: /0\r\n", "HTTP/1.1 302 Found\r\nLocation: /0\r\nContent-Length: 50\r\n",
    ])
    func bodiesOfRedirectsAreLeft(head: String) throws {
      let server = try ScriptedServer { request, connection in
        guard request.path != "/0" else { return connection.serve([1], request) }
        connection.send(head + "\r\n")
        if head.contains("Length") {
          connection.waitForEnd()
        } else {
          while connection.send([UInt8](repeating: 1, count: 9000)) {}
        }
        return false
      }
      let client = try makeClient()
      #expect(try client.fetch(makeRequest(server.url("/")), limit: 9).body == [1])
    }

    /// User, password and fields of the user's go to the origin that they were given for.
    @Test func credentialsStayWithTheirOrigin() throws {
      let other = try Self.server()
      let server = try Self.server()
      let client = try makeClient()
      let secret = "http://me:w%40rd@127.0.0.1:\(server.port)"
      let target =
        other.url("/to?" + server.url("/0")).addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
      var request = try makeRequest(secret + "/to?" + target)
      for (name, value) in [("X-Token", "t"), ("Authorization", "z"), ("Cookie", "a=b"), ("Accept-Language", "de")] {
        if name != "Authorization" { try request.fields.append(name, value) }
      }
      _ = try client.fetch(request, limit: 9)
      let basic = "Basic " + Data("me:w@rd".utf8).base64EncodedString()
      #expect(server.requests.map { $0.fields["authorization"] } == [basic, basic])
      #expect(server.requests.map { $0.fields["x-token"] } == ["t", "t"])
      #expect(server.requests.allSatisfy { $0.fields["cookie"] == "a=b" })
      let foreign = try #require(other.requests.first?.fields)
      #expect(foreign["authorization"] == nil && foreign["x-token"] == nil && foreign["cookie"] == nil)
      #expect(foreign["accept-language"] == "de")
    }

    @Test func secretsStayOutOfAllTexts() throws {
      let server = try Self.server()
      let client = try makeClient()
      let target = "http://user7:secret7@127.0.0.1:\(server.port)/5?token7"
      let place = target.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
      var request = try makeRequest("http://user7:secret7@127.0.0.1:\(server.port)/to?" + place)
      try request.fields.append("X-Key", "secret7")
      request.range = HTTPByteRange(first: 0)
      var text = "\(request) \(request.url) \(request.fields)"
      dump(request, to: &text)
      let transfer = client.start(request)
      let head = try transfer.head()
      text += "\(head)"
      dump(head, to: &text)
      let record = try #require(transfer.record())
      text += "\(record)" + String(decoding: try JSONEncoder().encode(record), as: UTF8.self)
      for bad in [target + ":x", "ftp://user7:secret7@h/?token7", "http://user7:secret7@/"] {
        text += HTTPTestsProblem.of { _ = try makeRequest(bad) }?.failure("cannot open '\(bad)'").description ?? ""
      }
      let closed = "http://user7:secret7@127.0.0.1:\(try ClipServer.deadPort())/?token7"
      text += HTTPTestsProblem.of { _ = try client.fetch(makeRequest(closed), limit: 1) }?.description ?? ""
      for secret in ["secret7", "token7", "user7"] { #expect(!text.contains(secret), "\(text)") }
      #expect(text.contains("http://127.0.0.1:\(server.port)/to?…"))
    }
  }
}
