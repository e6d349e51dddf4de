import Ads
import Foundation
import Frames
import HTTP
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
    #expect(try network.load(server.url("/v"), .named, within: 30).bytes == Array("<VAST/>".utf8))
    let failure = #expect(throws: Failure.self) { try network.load(server.url("/gone?key=secret"), .named, within: 30) }
    #expect(failure?.kind == .input && failure?.description.contains("secret") == false, "\(failure as Any)")
    let urls = [server.url("/start?c=[ERRORCODE]"), server.url("/gone"), "file:///etc/passwd", ""]
    network.tell(urls.map { AdURL($0, .named) }, Self.macros)
    #expect(Patience.until { network.counts.sent + network.counts.failed == 2 })
    #expect(network.counts.sent == 1 && network.counts.failed == 1 && network.counts.dropped == 0)
    #expect(server.requests.map(\.path).contains("/start?c=-1"), "\(server.requests.map(\.path))")
  }

  /// A break whose server ends connections is left out; the next one is asked for, and servers are told again.
  @Test func aServerThatComesBackIsAskedAgain() throws {
    let isGone = Monitor(true)
    let server = try ScriptedServer { _, connection in
      !isGone.read { $0 } && connection.respond(body: Array("<VAST/>".utf8))
    }
    let network = try AdNetwork()
    let (document, event) = (server.url("/v"), AdURL(server.url("/start"), .named))
    let failure = #expect(throws: Failure.self) { try network.load(document, .named, within: 30) }
    #expect(failure?.kind == .input && failure?.remedy == "the clip goes on without them")
    network.tell([event], Self.macros)
    #expect(Patience.until { network.counts.failed == 1 })
    isGone.withLock { $0 = false }
    #expect(try network.load(document, .named, within: 30).bytes == Array("<VAST/>".utf8))
    network.tell([event], Self.macros)
    #expect(Patience.until { network.counts.sent == 1 } && network.counts.failed == 1)
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
      #expect(throws: Failure.self) { try network.load(server.url("/v"), .named, within: 0.3) }
      network.tell(Array(repeating: AdURL(server.url("/x"), .named), count: 1000), Self.macros)
      #expect(network.counts.dropped >= 1000 - 257)
    }
    #expect(MonotonicTime.now.milliseconds(since: began) < Patience.seconds * 1000)
  }

  /// A document of the Internet names servers of this machine and its network: no connection is made for any of them.
  @Test func whatTheInternetNamesLeadsToNoPrivateAddress() throws {
    let server = try ScriptedServer { _, connection in connection.respond(body: Array("<VAST/>".utf8)) }
    let network = try AdNetwork()
    let policy = AddressPolicy.referred(from: .global)
    for place in [
      server.url("/v"), "http://169.254.169.254/latest", "http://10.0.0.1/x", "http://[::1]/x", "http://localhost/x",
    ] {
      let failure = #expect(throws: Failure.self) { try network.load(place, policy, within: 30) }
      #expect(failure?.remedy == "the clip goes on without them")
    }
    network.tell([AdURL(server.url("/start"), policy), AdURL("http://169.254.169.254/", policy)], Self.macros)
    #expect(Patience.until { network.counts.failed == 2 } && network.counts.sent == 0)
    #expect(server.requests.isEmpty, "\(server.requests.map(\.path))")
    // What a server of this machine names may lie on this machine.
    let document = try network.load(server.url("/v"), .named, within: 30)
    #expect(document.base.policy == .referred(from: .loopback))
  }

  @Test func filesAreRead() throws {
    try TestFolders.withTemporary { folder in
      let path = folder + "/list.xml"
      try Data("<VMAP/>".utf8).write(to: URL(filePath: path))
      let network = try AdNetwork()
      #expect(try network.load(path, .named, within: 1).bytes == Array("<VMAP/>".utf8))
      let failure = #expect(throws: Failure.self) { try network.load(folder + "/none.xml", .named, within: 1) }
      #expect(failure?.description.contains("none.xml") == true)
    }
  }
}
