import Ads
import Foundation
import Frames
import Support
import Testing

/// What is asked of servers, and told.
@Suite(.tier(.test)) struct AdNetworkTests {
  private static let macros = AdMacros(time: 0, random: 0)

  @Test func serversAreAskedAndTold() throws {
    let server = try ScriptedServer { request, connection in
      connection.respond(request.path.hasPrefix("/gone") ? "404 Not Found" : "200 OK", [], body: Array("<VAST/>".utf8))
    }
    let network = try AdNetwork()
    #expect(try network.load(server.url("/v"), within: 30) == Array("<VAST/>".utf8))
    let failure = #expect(throws: Failure.self) { try network.load(server.url("/gone?key=secret"), within: 30) }
    #expect(failure?.kind == .input && failure?.description.contains("secret") == false, "\(failure as Any)")
    network.tell([server.url("/start?c=[ERRORCODE]"), server.url("/gone"), "file:///etc/passwd", ""], Self.macros)
    #expect(Patience.until { network.counts.sent + network.counts.failed == 2 })
    #expect(network.counts.sent == 1 && network.counts.failed == 1 && network.counts.dropped == 0)
    #expect(server.requests.map(\.path).contains("/start?c=-1"), "\(server.requests.map(\.path))")
  }

  /// A server that never answers keeps neither the player nor its end.
  @Test func slowServersAreLeft() throws {
    let server = try ScriptedServer { _, connection in
      connection.waitForEnd()
      return false
    }
    let began = MonotonicTime.now
    do {
      let network = try AdNetwork()
      #expect(throws: Failure.self) { try network.load(server.url("/v"), within: 0.3) }
      network.tell(Array(repeating: server.url("/x"), count: 1000), Self.macros)
      #expect(network.counts.dropped >= 1000 - 257)
    }
    #expect(MonotonicTime.now.milliseconds(since: began) < Patience.seconds * 1000)
  }

  @Test func filesAreRead() throws {
    try TestFolders.withTemporary { folder in
      let path = folder + "/list.xml"
      try Data("<VMAP/>".utf8).write(to: URL(filePath: path))
      let network = try AdNetwork()
      #expect(try network.load(path, within: 1) == Array("<VMAP/>".utf8))
      let failure = #expect(throws: Failure.self) { try network.load(folder + "/none.xml", within: 1) }
      #expect(failure?.description.contains("none.xml") == true)
    }
  }
}
