import Foundation
import Frames
import Glibc
import Synchronization

/// An HTTP/1.1 server on 127.0.0.1 whose answers a test writes byte by byte: well-behaved, broken or hostile ones.
///
/// A thread accepts, one more serves each connection. It ends with its owner: connections are shut down then.
public final class ScriptedServer: Sendable {
  public let port: UInt16
  /// Shared with the thread that accepts: closed once neither uses its number.
  private let listener: Frames.FileDescriptor
  private let shared = Shared()

  /// What a client asked for.
  public struct Request: Sendable {
    public let method: String
    /// With its query.
    public let path: String
    /// Names in lower case.
    public let fields: [String: String]

    /// The first and last byte asked for; the last one is nil where it is open.
    public var range: (first: Int, last: Int?)? {
      guard let text = fields["range"], text.hasPrefix("bytes=") else { return nil }
      let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
      guard ends.count == 2, let first = Int(ends[0]) else { return nil }
      return (first, Int(ends[1]))
    }
  }

  /// Answers one request; false ends the connection.
  public typealias Answer = @Sendable (Request, Connection) -> Bool

  final class Shared: Sendable {
    let state = Mutex(State())

    struct State {
      var requests: [Request] = []
      var open: Set<Int32> = []
      var accepted = 0
      var isEnding = false
    }
  }

  public init(_ answer: @escaping Answer) throws {
    let (number, port) = try Self.listen()
    (listener, self.port) = (FileDescriptor(owning: number), port)
    let (listener, shared) = (listener, shared)
    Thread.detachNewThread {
      while true {
        let descriptor = accept(listener.rawValue, nil, nil)
        guard descriptor >= 0 else { return }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        // What a test sends in pieces is not held back.
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        let isEnding = shared.state.withLock { state in
          state.accepted += 1
          if !state.isEnding { state.open.insert(descriptor) }
          return state.isEnding
        }
        guard !isEnding else {
          close(descriptor)
          return
        }
        Thread.detachNewThread { Self.serve(descriptor, shared, answer) }
      }
    }
  }

  deinit {
    shutdown(listener.rawValue, Int32(SHUT_RDWR))
    shared.state.withLock { state in
      state.isEnding = true
      for descriptor in state.open { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
  }

  public func url(_ path: String, host: String = "127.0.0.1") -> String { "http://\(host):\(port)\(path)" }

  /// All that were read so far.
  public var requests: [Request] { shared.state.withLock { $0.requests } }
  public var connectionsAccepted: Int { shared.state.withLock { $0.accepted } }
  public var connectionsOpen: Int { shared.state.withLock { $0.open.count } }

  private static func serve(_ descriptor: Int32, _ shared: Shared, _ answer: Answer) {
    let connection = Connection(descriptor)
    while let request = connection.request() {
      shared.state.withLock { $0.requests.append(request) }
      guard answer(request, connection) else { break }
    }
    shared.state.withLock { _ = $0.open.remove(descriptor) }
    close(descriptor)
  }

  /// A socket of the caller that takes connections.
  static func listen() throws -> (socket: Int32, port: UInt16) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, length) == 0 && Glibc.listen(descriptor, 512) == 0
          && getsockname(descriptor, address, &length) == 0
      }
    }
    guard descriptor >= 0, status else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    return (descriptor, UInt16(bigEndian: address.sin_port))
  }
}

extension ScriptedServer {
  /// One connection, used by its thread.
  public final class Connection {
    private let descriptor: Int32
    private var received: [UInt8] = []

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// The next request; nil where the client has gone, or speaks TLS.
    func request() -> Request? {
      let end: [UInt8] = [13, 10, 13, 10]
      while received.first != 0x16 {
        if let place = received.firstRange(of: end) {
          let text = String(decoding: received[..<place.lowerBound], as: UTF8.self)
          received.removeSubrange(..<place.upperBound)
          return Self.parse(text)
        }
        guard received.count < 1 << 20, let more = read() else { return nil }
        received += more
      }
      return nil
    }

    private static func parse(_ text: String) -> Request? {
      let lines = text.split(separator: "\r\n")
      guard let first = lines.first?.split(separator: " "), first.count == 3 else { return nil }
      let fields = lines.dropFirst().compactMap { line -> (String, String)? in
        guard let colon = line.firstIndex(of: ":") else { return nil }
        return (line[..<colon].lowercased(), line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces))
      }
      return Request(
        method: String(first[0]), path: String(first[1]), fields: Dictionary(fields) { $0 + "\n" + $1 })
    }

    /// What comes next; nil where the client has gone. Waits.
    private func read() -> [UInt8]? {
      var buffer = [UInt8](repeating: 0, count: 8192)
      let count = Glibc.recv(descriptor, &buffer, buffer.count, 0)
      return count > 0 ? Array(buffer[..<count]) : nil
    }

    /// False where the client has gone.
    @discardableResult public func send(_ bytes: some Collection<UInt8>) -> Bool {
      let all = Array(bytes)
      var sent = 0
      while sent < all.count {
        let count = all.withUnsafeBytes { buffer in
          buffer.baseAddress.map { Glibc.send(descriptor, $0 + sent, buffer.count - sent, Int32(MSG_NOSIGNAL)) } ?? 0
        }
        guard count > 0 else { return false }
        sent += count
      }
      return true
    }

    @discardableResult public func send(_ text: String) -> Bool { send(text.utf8) }

    /// A response with its length and a body.
    @discardableResult public func respond(
      _ status: String = "200 OK", _ fields: [String] = [], body: some Collection<UInt8> = [UInt8](),
      toHead: Bool = false
    ) -> Bool {
      let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.count)"] + fields
      return send(lines.joined(separator: "\r\n") + "\r\n\r\n") && (toHead || send(body))
    }

    /// A file, whole or the range asked for, as a well-behaved server gives it.
    @discardableResult public func serve(_ content: [UInt8], _ request: Request, _ fields: [String] = []) -> Bool {
      let isHead = request.method == "HEAD"
      let fields = fields + ["Accept-Ranges: bytes"]
      guard let range = request.range else { return respond("200 OK", fields, body: content, toHead: isHead) }
      guard range.first < content.count else {
        return respond("416 Range Not Satisfiable", fields + ["Content-Range: bytes */\(content.count)"])
      }
      let last = min(range.last ?? .max, content.count - 1)
      let place = "Content-Range: bytes \(range.first)-\(last)/\(content.count)"
      return respond(
        "206 Partial Content", fields + [place], body: content[range.first...last], toHead: isHead)
    }

    /// Waits until the client has gone.
    public func waitForEnd() { while read() != nil {} }

    /// Ends the connection with a reset in place of an orderly end.
    public func reset() {
      var option = linger(l_onoff: 1, l_linger: 0)
      setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }
  }
}
