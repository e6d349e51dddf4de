import Foundation
import Frames
import HTTP
import Support
import Testing

extension HTTPTests {
  /// HTTP/2 with a foreign server: nghttp2's, in clear text and over TLS.
  @Suite(.tier(.test), .enabled("nghttpd is not installed") { NGHTTPServer.isThere }) struct HTTP2Tests {
    private static func withServer(
      isSecure: Bool, _ content: [UInt8], _ body: (String, HTTPClient) throws -> Void
    ) throws {
      try TestFolders.withTemporary { folder in
        try Data(content).write(to: URL(filePath: folder + "/file"))
        let server = try NGHTTPServer(folder, isSecure: isSecure)
        let client = try makeClient {
          $0.verifiesCertificates = false
          if !isSecure { $0.protocolVersion = .http2 }
        }
        let url = (isSecure ? "https" : "http") + "://127.0.0.1:\(server.port)/file"
        try #require(
          Patience.until { (try? client.fetch(makeRequest(url), limit: content.count)) != nil },
          "the server has started")
        try body(url, client)
      }
    }

    @Test(arguments: [false, true])
    func manyRequestsShareAConnection(isSecure: Bool) throws {
      var random = SeededGenerator(for: "manyRequestsShareAConnection")
      let content = random.bytes(700_001)
      try Self.withServer(isSecure: isSecure, content) { url, client in
        let transfers = try (0..<40).map { _ in client.start(try makeRequest(url), .streamed(capacity: 1 << 16)) }
        // Each consumer in turn: the others wait with full buffers, on the same connection.
        for transfer in transfers {
          #expect(try transfer.rest() == content)
          let hop = try #require(transfer.record()?.hops.first)
          // libcurl 7.88 reuses none in clear text.
          #expect(hop.isReused || !isSecure && HTTPClient.libraryVersion.hasPrefix("7."))
          #expect(hop.httpVersion == "2" && hop.bodyBytes == Int64(content.count))
        }
      }
    }

    @Test func aCancelledStreamLeavesTheConnection() throws {
      var random = SeededGenerator(for: "aCancelledStreamLeavesTheConnection")
      let content = random.bytes(4_000_000)
      try Self.withServer(isSecure: true, content) { url, client in
        for _ in 0..<30 {
          let transfer = client.start(try makeRequest(url), .streamed(capacity: 1 << 16))
          _ = try transfer.head()
          transfer.cancel()
          #expect(transfer.record()?.outcome == .cancelled)
        }
        let last = client.start(try makeRequest(url))
        #expect(try last.rest() == content)
        #expect(last.record()?.hops.first?.isReused == true)
      }
    }
  }
}

/// nghttp2's own server, serving a folder on 127.0.0.1.
private final class NGHTTPServer {
  /// Where a tool must exist, its absence is a failure.
  static let isThere = ProcessInfo.processInfo.environment["CI"] == "true" || path != nil
  /// Debian keeps it with the administrator's commands, which an ordinary user's PATH does not name.
  private static let path = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    return (folders + ["/usr/sbin"]).map { $0 + "/nghttpd" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  let port: UInt16
  private let process = Process()

  init(_ folder: String, isSecure: Bool) throws {
    // It takes no port of the kernel's choice: one that was free a moment ago.
    port = try ClipServer.deadPort()
    process.executableURL = URL(filePath: try #require(Self.path, "nghttpd is installed"))
    process.arguments = ["-a", "127.0.0.1", "-d", folder, isSecure ? "--echo-upload" : "--no-tls", "\(port)"]
    if isSecure {
      let (key, certificate) = try SecureFolder.makeCertificate(in: folder)
      process.arguments? += [key, certificate]
    }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  deinit {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
