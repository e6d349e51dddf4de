import Foundation
import Glibc

/// A web server of others over a folder, on a free port of 127.0.0.1. It ends with its owner, and with this process.
public final class ForeignOrigin: Sendable {
  public let port: UInt16
  public let url: String
  private let folder: URL
  private let lifeline: FileHandle

  /// As Debian packages them.
  public enum Server: String, Sendable, CaseIterable {
    case nginx, caddy

    /// Where it must exist, its absence fails tests instead of skipping them.
    public var isAvailable: Bool { program != nil || ProcessInfo.processInfo.environment["CI"] == "true" }

    private var package: String { self == .nginx ? "nginx-light" : rawValue }

    private var program: String? {
      ["/usr/sbin/", "/usr/bin/", "/usr/local/sbin/"].map { $0 + rawValue }.first {
        FileManager.default.isExecutableFile(atPath: $0)
      }
    }

    /// - Parameter folder: with the file `configuration`.
    fileprivate func command(_ folder: String) throws -> [String] {
      guard let program else { throw Missing(description: "\(rawValue) is missing: install Debian's \(package)") }
      let file = folder + "/configuration"
      return switch self {
      case .nginx: [program, "-p", folder, "-c", file, "-e", folder + "/errors"]
      case .caddy: [program, "run", "--config", file, "--adapter", "caddyfile"]
      }
    }
  }

  /// What is missing on this machine, or does not start.
  public struct Missing: Error, CustomStringConvertible {
    public let description: String
  }

  /// Serves `path` once it answers.
  public init(_ server: Server, serving path: String) throws {
    folder = URL(filePath: NSTemporaryDirectory()).appending(path: "bench360-\(server)-\(UUID().uuidString)")
    let command = try server.command(folder.path)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // Free a moment ago; these servers cannot choose one themselves.
    port = try ClipServer.deadPort()
    url = "http://127.0.0.1:\(port)/"
    try Data(server.configuration(path, port: port, folder: folder.path).utf8)
      .write(to: folder.appending(path: "configuration"))
    let shell = Process()
    // Threads of tests block signals, and a child inherits that: env unblocks the one that ends the server.
    shell.executableURL = URL(filePath: "/usr/bin/env")
    shell.arguments =
      ["--default-signal=TERM,INT,QUIT", "HOME=\(folder.path)", "sh", "-c", Self.script, "sh", folder.path] + command
    let input = Pipe()
    shell.standardInput = input
    (shell.standardOutput, shell.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    lifeline = input.fileHandleForWriting
    try shell.run()
    let (port, process) = (port, shell)
    guard try Patience.until({ process.isRunning ? try Self.answers(port) : true }), process.isRunning else {
      let errors = (try? String(contentsOf: folder.appending(path: "errors"), encoding: .utf8)) ?? ""
      throw Missing(description: "\(server) does not start: \(errors)")
    }
  }

  /// The shell waits for the end of a pipe that this process keeps open.
  private static let script = """
    folder=$1
    shift
    "$@" 2>>"$folder/errors" &
    server=$!
    exec >/dev/null
    cat
    kill "$server"
    wait "$server"
    rm -rf "$folder"
    """

  private static func answers(_ port: UInt16) throws -> Bool {
    try CommandOutput.of("curl", ["-s", "-o", "/dev/null", "http://127.0.0.1:\(port)/"]).status == 0
  }

  deinit { try? lifeline.close() }
}

extension ForeignOrigin.Server {
  /// The types that both are told, for neither knows all of them.
  private static let types = [
    ("m3u8", "application/vnd.apple.mpegurl"), ("mpd", "application/dash+xml"), ("ts", "video/mp2t"),
    ("m4s", "video/iso.segment"), ("mp4", "video/mp4"), ("vtt", "text/vtt"), ("jpg", "image/jpeg"),
  ]

  fileprivate func configuration(_ path: String, port: UInt16, folder: String) -> String {
    switch self {
    case .nginx: Self.nginx(path, port, folder)
    case .caddy: Self.caddy(path, port, folder)
    }
  }

  private static func nginx(_ path: String, _ port: UInt16, _ folder: String) -> String {
    // As root it would serve as another user, who may not read a test's folder.
    let user = getuid() == 0 ? "user root;" : ""
    return """
      \(user)
      daemon off;
      worker_processes 1;
      pid \(folder)/pid;
      error_log \(folder)/errors;
      events { worker_connections 256; }
      http {
        access_log off;
        client_body_temp_path \(folder)/body;
        proxy_temp_path \(folder)/proxy;
        fastcgi_temp_path \(folder)/fastcgi;
        uwsgi_temp_path \(folder)/uwsgi;
        scgi_temp_path \(folder)/scgi;
        default_type application/octet-stream;
        types { \(types.map { "\($0.1) \($0.0);" }.joined(separator: " ")) }
        server {
          listen 127.0.0.1:\(port);
          root "\(path)";
        }
      }
      """
  }

  /// Without its remote control, without certificates, and with all that it keeps in its own folder.
  private static func caddy(_ path: String, _ port: UInt16, _ folder: String) -> String {
    let fields = types.map { name, type in "@\(name) path *.\(name)\nheader @\(name) Content-Type \(type)" }
    return """
      {
      admin off
      auto_https off
      storage file_system "\(folder)/storage"
      }
      http://:\(port) {
      bind 127.0.0.1
      root * "\(path)"
      \(fields.joined(separator: "\n"))
      file_server
      }
      """
  }
}
