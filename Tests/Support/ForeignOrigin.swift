import Foundation
import Glibc

/// nginx over a folder, on a free port of 127.0.0.1: an origin that is not ours. It ends with its owner, and with this process.
public final class ForeignOrigin: Sendable {
  public let port: UInt16
  public let url: String
  private let folder: URL
  private let lifeline: FileHandle

  /// Where it must exist, its absence fails tests instead of skipping them.
  public static let isAvailable = program != nil || ProcessInfo.processInfo.environment["CI"] == "true"

  private static let program = ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/sbin/nginx"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// What is missing on this machine, or does not start.
  public struct Missing: Error, CustomStringConvertible {
    public let description: String
  }

  /// Serves `path` once it answers.
  public init(serving path: String) throws {
    guard let program = Self.program else {
      throw Missing(description: "nginx is missing: install Debian's nginx-light")
    }
    folder = URL(filePath: NSTemporaryDirectory()).appending(path: "bench360-nginx-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // Free a moment ago; nginx cannot choose one itself.
    port = try ClipServer.deadPort()
    url = "http://127.0.0.1:\(port)/"
    try Data(Self.configuration(path, port: port, folder: folder.path).utf8)
      .write(to: folder.appending(path: "nginx.conf"))
    let shell = Process()
    // Threads of tests block signals, and a child inherits that: env unblocks the one that ends the server.
    shell.executableURL = URL(filePath: "/usr/bin/env")
    shell.arguments = ["--default-signal=TERM,INT,QUIT", "sh", "-c", Self.script, "sh", program, folder.path]
    let input = Pipe()
    shell.standardInput = input
    (shell.standardOutput, shell.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    lifeline = input.fileHandleForWriting
    try shell.run()
    let (port, process) = (port, shell)
    guard try Patience.until({ process.isRunning ? try Self.answers(port) : true }), process.isRunning else {
      let errors = (try? String(contentsOf: folder.appending(path: "errors"), encoding: .utf8)) ?? ""
      throw Missing(description: "nginx does not start: \(errors)")
    }
  }

  /// The shell waits for the end of a pipe that this process keeps open.
  private static let script = """
    "$1" -p "$2" -c "$2/nginx.conf" -e "$2/errors" &
    server=$!
    exec >/dev/null
    cat
    kill "$server"
    wait "$server"
    rm -rf "$2"
    """

  private static func configuration(_ path: String, port: UInt16, folder: String) -> String {
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
        types {
          application/vnd.apple.mpegurl m3u8;
          application/dash+xml mpd;
          video/mp2t ts;
          video/iso.segment m4s;
          video/mp4 mp4;
          text/vtt vtt;
          image/jpeg jpg;
        }
        server {
          listen 127.0.0.1:\(port);
          root "\(path)";
        }
      }
      """
  }

  private static func answers(_ port: UInt16) throws -> Bool {
    try CommandOutput.of("curl", ["-s", "-o", "/dev/null", "http://127.0.0.1:\(port)/"]).status == 0
  }

  deinit { try? lifeline.close() }
}
