import Foundation
import Frames
import HTTP
import Support
import Testing

extension HTTPTests {
  /// Who may reach whom.
  @Suite struct AddressTests {
    @Test(arguments: [
      ("127.0.0.1", AddressScope.loopback), ("127.255.0.9", .loopback), ("0.0.0.0", .loopback), ("0.1.2.3", .loopback),
      ("::1", .loopback), ("::", .loopback), ("[::1]", .loopback), ("::ffff:127.0.0.1", .loopback),
      ("::127.0.0.1", .loopback), ("64:ff9b::7f00:1", .loopback), ("2002:7f00:1::1", .loopback),
      ("169.254.169.254", .linkLocal), ("::ffff:169.254.1.1", .linkLocal), ("fe80::1", .linkLocal),
      ("fe80::1%eth0", .linkLocal), ("febf::1", .linkLocal), ("64:ff9b::a9fe:a9fe", .linkLocal),
      ("10.1.2.3", .privateUse), ("172.16.0.1", .privateUse), ("172.31.9.9", .privateUse), ("192.168.1.1", .privateUse),
      ("100.64.0.1", .privateUse), ("fc00::1", .privateUse), ("fd12::1", .privateUse), ("fec0::1", .privateUse),
      ("::ffff:10.0.0.1", .privateUse), ("224.0.0.1", .reserved), ("255.255.255.255", .reserved),
      ("ff02::1", .reserved),
      ("8.8.8.8", .global), ("172.32.0.1", .global), ("172.15.0.1", .global), ("169.253.0.1", .global),
      ("100.128.0.1", .global), ("2a00::1", .global), ("2001:db8::1", .global), ("126.0.0.1", .global),
    ])
    func addressesHaveScopes(text: String, scope: AddressScope) throws {
      #expect(try #require(PeerAddress(text)).scope == scope)
    }

    @Test func onlyTheSameOrWiderPlacesAreReached() {
      for scope in AddressScope.allCases {
        #expect(AddressPolicy.named.allows(scope))
        let policy = AddressPolicy.referred(from: scope)
        #expect(policy.allows(.global) && !policy.allows(.reserved))
        #expect(policy.allows(.loopback) == (scope == .loopback))
        #expect(policy.allows(.linkLocal) == (scope == .linkLocal))
        #expect(policy.allows(.privateUse) == (scope == .privateUse || scope == .loopback))
        for next in AddressScope.allCases {
          #expect(!policy.afterRedirect(from: .global).allows(next) || next == .global)
        }
      }
    }

    /// A name that leads to this machine, and the ways to write its address.
    @Test(arguments: [
      "127.0.0.1", "localhost", "LOCALHOST.", "x.localhost", "0x7f.1", "2130706433", "0", "[::1]", "[::ffff:127.0.0.1]",
      "evil.test",
    ])
    func aPlaylistOfTheWebDoesNotReachThisMachine(host: String) throws {
      let server = try ScriptedServer { $1.serve([1], $0) }
      let client = try makeClient { $0.resolutions = ["evil.test:\(server.port):127.0.0.1"] }
      for scope in [AddressScope.global, .privateUse, .linkLocal] {
        let request = try makeRequest(server.url("/", host: host)) { $0.policy = .referred(from: scope) }
        let found = problem { _ = try client.fetch(request, limit: 9) }
        #expect(found?.kind == .forbiddenAddress, "\(found?.cause ?? "-")")
      }
      #expect(server.connectionsAccepted == 0, "not even connected")
    }

    /// A connection that is open is no way around it.
    @Test func openConnectionsAreLookedAtToo() throws {
      let server = try ScriptedServer { $1.serve([1], $0) }
      let client = try makeClient { $0.resolutions = ["evil.test:\(server.port):127.0.0.1"] }
      let url = server.url("/", host: "evil.test")
      #expect(try client.fetch(makeRequest(url), limit: 9).body == [1])
      let referred = try makeRequest(url) { $0.policy = .referred(from: .global) }
      #expect(problem { _ = try client.fetch(referred, limit: 9) }?.kind == .forbiddenAddress)
      #expect(server.requests.count == 1)
      let own = try makeRequest(url) { $0.policy = .referred(from: .loopback) }
      #expect(try client.fetch(own, limit: 9).head.scope == .loopback)
    }

    @Test func redirectsAreBoundByWhereTheyComeFrom() throws {
      let server = try ScriptedServer {
        $1.respond("302 Found", ["Location: http://169.254.169.254/latest/meta-data"])
      }
      let client = try makeClient()
      let found = problem { _ = try client.fetch(makeRequest(server.url("/")), limit: 9) }
      #expect(found?.kind == .forbiddenAddress && found?.cause.contains("169.254.169.254") == true)
      // A page of the web, which a proxy fetches, leads to this machine.
      let own = try ScriptedServer { $1.serve([1], $0) }
      let proxy = try ScriptedServer { $1.respond("302 Found", ["Location: \(own.url("/"))"]) }
      for exceptions in ["", "127.0.0.1"] {
        let client = try makeClient {
          $0.proxies = ProxySettings { ["http_proxy": proxy.url(""), "no_proxy": exceptions][$0] }
        }
        let found = problem { _ = try client.fetch(makeRequest("http://web.test/"), limit: 9) }
        #expect(found?.kind == .forbiddenAddress, "\(found?.cause ?? "-")")
      }
      #expect(own.connectionsAccepted == 0)
    }

    @Test func proxiesAreUsedAsTheEnvironmentSays() throws {
      let proxy = try ScriptedServer { $1.serve(Array($0.path.utf8), $0) }
      let direct = try ScriptedServer { $1.serve([1], $0) }
      let url = proxy.url("").replacingOccurrences(of: "http://", with: "http://me:word@")
      let client = try makeClient {
        $0.proxies = ProxySettings { ["http_proxy": url, "no_proxy": "a.test, 127.0.0.0/8,.b.test"][$0] }
      }
      let response = try client.fetch(makeRequest("http://web.test/x?y"), limit: 99)
      #expect(response.body == Array("http://web.test/x?y".utf8))
      let authorization = "Basic " + Data("me:word".utf8).base64EncodedString()
      #expect(proxy.requests.first?.fields["proxy-authorization"] == authorization)
      #expect(try client.fetch(makeRequest(direct.url("/")), limit: 9).body == [1])
      var cursor = RequestLog.Cursor()
      try #require(client.log.wait(forCount: 2, seconds: Patience.seconds))
      #expect(client.log.take(&cursor).flatMap { $0.hops.map(\.isProxied) } == [true, false])
      #expect(direct.requests.first?.fields["proxy-authorization"] == nil)
    }

    @Test func hostsWithoutProxy() throws {
      let settings = ProxySettings {
        ["all_proxy": "proxy:1", "no_proxy": "a.test,.b.test,c.test:81,10.0.0.0/9,::1,fd00::/8"][$0]
      }
      for (url, isProxied) in [
        ("http://a.test/", false), ("http://x.a.test/", false), ("http://xa.test/", true), ("http://b.test/", false),
        ("https://y.b.test/", false), ("http://c.test/", true), ("http://c.test:81/", false),
        ("http://10.1.1.1/", false),
        ("http://10.200.1.1/", true), ("http://[::1]/", false), ("http://[::2]/", true), ("http://[fd00::9]/", false),
      ] {
        #expect((settings.proxy(for: try HTTPURL(url)) != nil) == isProxied, "\(url)")
      }
      #expect(ProxySettings { ["HTTP_PROXY": "proxy:1"][$0] } == .none, "a CGI request may have set it")
      #expect(
        ProxySettings { ["https_proxy": "proxy:1", "no_proxy": "*"][$0] }.proxy(for: try HTTPURL("https://a/")) == nil)
      #expect("\(settings)" == "by proxy")
    }
  }
}
