import Foundation

/// Python's own HTTPS server with a certificate that only it vouches for, serving a folder on 127.0.0.1.
public final class SecureServer {
  public let certificate: String
  public let port: Int
  private let process = Process()

  private static let script = """
    import functools, http.server, ssl, sys
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=sys.argv[1])
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[2], sys.argv[3])
    server.socket = context.wrap_socket(server.socket, server_side=True)
    print(server.server_address[1], flush=True)
    server.serve_forever()
    """

  public init(folder: String) throws {
    certificate = folder + "/certificate.pem"
    let made = try CommandOutput.of(
      "openssl",
      [
        "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", folder + "/key.pem", "-out", certificate, "-days",
        "2",
      ]
        + ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"])
    guard made.status == 0 else { throw POSIXError(.EIO) }
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", Self.script, folder, certificate, folder + "/key.pem"]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else { throw POSIXError(.EIO) }
    self.port = port
  }

  deinit {
    // Programs that are started here ignore SIGTERM.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
