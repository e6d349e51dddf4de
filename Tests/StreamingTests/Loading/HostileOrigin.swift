import Adaptation
import Foundation
import Frames
import HTTP
import Support

import Streaming

/// A ladder's files on 127.0.0.1, some of which a hostile server has in its hands.
struct HostileOrigin {
  let server: ScriptedServer

  /// - Parameter answer: to requests of its choice; nil: the file of the folder.
  init(_ folder: String, _ answer: @escaping @Sendable (ScriptedServer.Request) -> ScriptedServer.Answer?) throws {
    server = try ScriptedServer { request, connection in
      if let hostile = answer(request) { return hostile(request, connection) }
      guard let data = FileManager.default.contents(atPath: folder + request.path) else {
        return connection.respond("404 Not Found")
      }
      return connection.serve([UInt8](data), request)
    }
  }

  /// One retry, and small limits of bytes.
  static var options: StreamOptions {
    var options = StreamOptions(controller: RandomController.choice(seed: 1))
    options.load = LoadPolicy(minimum: 60, maximum: 60)
    (options.retries.retryLimit, options.retries.firstWaitSeconds, options.retries.limitSeconds) = (1, 0.01, 1)
    (options.limits.segmentBytes, options.limits.headerBytes) = (1 << 20, 1 << 18)
    return options
  }

  static func failure(_ body: () throws -> Void) rethrows -> Failure? {
    do {
      try body()
      return nil
    } catch let failure as Failure {
      return failure
    }
  }

  /// Plays to the end; the failure that ends it before.
  static func failure(_ url: String, _ options: StreamOptions = options) throws -> Failure? {
    try failure { _ = try StreamStage.play(url, options) }
  }
}

/// What a hostile server does with a request.
enum Hostility: String, CaseIterable, Sendable {
  case silent, creeping, endless, endlessHeader, looping, redirectingToFile, redirectingToLinkLocal, bomb, page, empty
  case missing, cut, tooLong, wrongPart

  /// 32 MiB of zeros.
  private static let zeros: [UInt8] = {
    let plain = Data(repeating: 0, count: 32 << 20)
    return (try? CommandOutput.of("gzip", ["-9", "-c"], input: plain)).map { [UInt8]($0.output) } ?? []
  }()

  /// With short limits for what only time ends.
  var options: StreamOptions {
    var options = HostileOrigin.options
    if self == .silent { options.limits.timeouts.firstByte = 0.5 }
    if self == .creeping { (options.limits.headerSeconds, options.limits.slowSeconds) = (1, 1) }
    return options
  }

  func answer(_ request: ScriptedServer.Request, _ connection: ScriptedServer.Connection) -> Bool {
    let head = "HTTP/1.1 200 OK\r\n"
    let noise = [UInt8](repeating: UInt8(ascii: "#"), count: 1 << 16)
    switch self {
    case .silent: connection.waitForEnd()
    case .creeping:
      connection.send(head + "Content-Length: 100000\r\n\r\n")
      _ = Patience.until(every: 200) { !connection.send("#") }
    case .endless:
      connection.send(head + "\r\n")
      while connection.send(noise) {}
    case .endlessHeader:
      connection.send(head)
      while connection.send("X-Line: " + String(repeating: "a", count: 1000) + "\r\n") {}
    case .looping: return connection.respond("302 Found", ["Location: \(request.path)"])
    case .redirectingToFile: return connection.respond("302 Found", ["Location: file:///etc/passwd"])
    case .redirectingToLinkLocal: return connection.respond("302 Found", ["Location: http://169.254.169.254/x"])
    case .bomb: return connection.respond("200 OK", ["Content-Encoding: gzip"], body: Self.zeros)
    case .page:
      return connection.respond(
        "200 OK", ["Content-Type: text/html"], body: Array("<html><body>Please sign in.</body></html>\n".utf8))
    case .empty: return connection.respond("200 OK")
    case .missing: return connection.respond("404 Not Found")
    case .cut:
      connection.send(head + "Content-Length: 100000\r\n\r\n#EXTM3U\n")
    case .tooLong: return connection.respond("200 OK", body: [UInt8](repeating: 0x20, count: 17 << 20))
    case .wrongPart:
      return connection.respond("206 Partial Content", ["Content-Range: bytes 7-9/100"], body: Array("abc".utf8))
    }
    return false
  }
}
