import Foundation
import Frames
import HTTP
import Support
import Testing

extension HTTPTests {
  @Suite(.tier(.test)) struct SecureTests {
    @Test func certificatesAreVerifiedUnlessToldOtherwise() throws {
      try TestFolders.withTemporary { folder in
        try Data("hello".utf8).write(to: URL(filePath: folder + "/x"))
        let server = try SecureFolder(folder)
        let url = "https://127.0.0.1:\(server.port)/x"
        let strict = try makeClient()
        let refused = problem { _ = try strict.fetch(makeRequest(url), limit: 9) }
        #expect(refused?.kind == .certificate, "\(refused?.cause ?? "-")")
        let client = try makeClient { $0.verifiesCertificates = false }
        #expect(try client.fetch(makeRequest(url), limit: 9).body == Array("hello".utf8))
        try #require(client.log.wait(forCount: 1, seconds: Patience.seconds))
        var cursor = RequestLog.Cursor()
        let phases = try #require(client.log.take(&cursor).first?.hops.first?.phases)
        let (connected, secured, sent) = try (
          #require(phases.connected), #require(phases.secured), #require(phases.requestSent)
        )
        #expect(connected < secured && secured.nanoseconds <= sent.nanoseconds + 100_000)
      }
    }

    @Test func redirectsToClearTextAreRefused() throws {
      try TestFolders.withTemporary { folder in
        let plain = try ScriptedServer { $1.serve([1], $0) }
        let server = try SecureFolder(folder, redirect: plain.url("/y"))
        let url = "https://127.0.0.1:\(server.port)/x"
        for allowed in [false, true] {
          let client = try makeClient {
            $0.verifiesCertificates = false
            $0.redirectsToInsecure = allowed
          }
          let found = problem { _ = try client.fetch(makeRequest(url), limit: 9) }
          #expect(found?.kind == (allowed ? nil : .redirects), "\(found?.cause ?? "-")")
        }
        #expect(plain.requests.count == 1)
      }
    }
  }
}

/// Python's own HTTPS server with a certificate that only it vouches for, serving a folder or redirecting, on 127.0.0.1.
final class SecureFolder {
  let port: Int
  private let process = Process()

  private static let script = """
    import functools, http.server, ssl, sys
    class Handler(http.server.SimpleHTTPRequestHandler):
        def do_GET(self):
            if not sys.argv[4]: return super().do_GET()
            self.send_response(302)
            self.send_header("Location", sys.argv[4])
            self.send_header("Content-Length", "0")
            self.end_headers()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=sys.argv[1]))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[2], sys.argv[3])
    server.socket = context.wrap_socket(server.socket, server_side=True)
    print(server.server_address[1], flush=True)
    server.serve_forever()
    """

  /// A key, and a certificate of 127.0.0.1 that it signs itself.
  static func makeCertificate(in folder: String) throws -> (key: String, certificate: String) {
    let (certificate, key) = (folder + "/certificate.pem", folder + "/key.pem")
    let made = try CommandOutput.of(
      "openssl",
      ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2"]
        + ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"])
    try #require(made.status == 0, "\(made.errors)")
    return (key, certificate)
  }

  init(_ folder: String, redirect: String = "") throws {
    let (key, certificate) = try Self.makeCertificate(in: folder)
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", Self.script, folder, certificate, key, redirect]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    port = try #require(Int(line.trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  deinit {
    // The thread that started it may have blocked other signals, which it inherits.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
