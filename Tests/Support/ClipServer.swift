import Foundation
import Glibc

/// An HTTP server on 127.0.0.1 that answers every request with one file, whole or the range that is asked for.
///
/// It ends with its owner.
public final class ClipServer: Sendable {
  private let server: ScriptedServer

  /// How a request is answered.
  public enum Manner: Sendable {
    case whole
    /// The connection ends after so many bytes, though more were announced.
    case breaksOff(after: Int)
    /// As a live stream: of unknown length, no ranges, and the connection stays open when all is sent.
    case live
  }

  public init(file: String, manner: Manner = .whole) throws {
    let content = [UInt8](try Data(contentsOf: URL(filePath: file)))
    server = try ScriptedServer { request, connection in
      switch manner {
      case .whole: return connection.serve(content, request)
      case .breaksOff(let count):
        let head = ScriptedServer.Request(method: "HEAD", path: request.path, fields: request.fields)
        let isAnswered = connection.serve(content, head)
        let first = request.range?.first ?? 0
        guard request.method != "HEAD", first < content.count else { return isAnswered }
        connection.send(content[first...max(first, min(count, content.count - 1))])
        return false
      case .live:
        connection.send("HTTP/1.1 200 OK\r\nContent-Type: video/mp2t\r\n\r\n")
        if connection.send(content) { connection.waitForEnd() }
        return false
      }
    }
  }

  public var port: UInt16 { server.port }

  /// A port of 127.0.0.1 that refuses connections, for nothing listens there any more.
  public static func deadPort() throws -> UInt16 {
    let (socket, port) = try ScriptedServer.listen()
    close(socket)
    return port
  }
}
