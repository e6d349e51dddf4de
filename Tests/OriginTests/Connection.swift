import Foundation
import Glibc

/// One connection to an origin, as a client that can do everything wrong has it. Closed with its last reference.
///
/// One thread at a time uses it.
final class Connection: @unchecked Sendable {
  struct Failed: Error {
    let text: String
  }

  /// An answer with a length, or to the end of the connection.
  struct Answer {
    var status: Int
    /// By name in lower case.
    var fields: [String: String]
    var body: [UInt8]
    /// Whether the body is as long as its `Content-Length`.
    var isWhole: Bool
  }

  private let socket: Int32
  private var unread: [UInt8] = []

  /// - Parameter receiveBytes: of the kernel's buffer; nil: as it chooses.
  init(port: Int, receiveBytes: Int32? = nil) throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var limit = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    if var receiveBytes { setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &receiveBytes, 4) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    // All properties are set: a throw runs `deinit`, which closes the socket. Closed here too, its number could by then be
    // another thread's file.
    guard status == 0 else { throw Failed(text: "connect: \(String(cString: strerror(errno)))") }
  }

  deinit { close(socket) }

  /// Sends what the other side takes; false where it has closed.
  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// A whole exchange.
  func get(_ path: String, method: String = "GET", _ fields: [String: String] = [:]) throws -> Answer {
    send(Self.request(path, method: method, fields))
    return try answer(isHead: method == "HEAD")
  }

  static func request(_ path: String, method: String = "GET", _ fields: [String: String] = [:]) -> String {
    "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\n" + fields.map { "\($0): \($1)\r\n" }.joined() + "\r\n"
  }

  /// No more is sent; answers are still read.
  func closeOutput() { shutdown(socket, Int32(SHUT_WR)) }

  /// Reads one answer. Throws `Failed` where the connection ends before its head is complete.
  func answer(isHead: Bool = false) throws -> Answer {
    var answer = try head()
    guard !isHead, answer.status != 304 else { return answer }
    let length = answer.fields["content-length"].flatMap { Int($0) } ?? .max
    while unread.count < length, try receive() > 0 {}
    answer.isWhole = unread.count >= length
    answer.body = Array(unread.prefix(length))
    unread.removeFirst(answer.body.count)
    return answer
  }

  /// Reads a status line and its fields.
  func head() throws -> Answer {
    let end: [UInt8] = [13, 10, 13, 10]
    var head = 0
    while true {
      if let place = unread.firstRange(of: end) {
        head = place.upperBound
        break
      }
      guard unread.count < 1 << 20, try receive() > 0 else { throw Failed(text: "the connection ended") }
    }
    let lines = String(decoding: unread[..<head], as: UTF8.self).split(separator: "\r\n")
    unread.removeFirst(head)
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count >= 2, let status = Int(words[1]) else { throw Failed(text: "no status: \(lines.first ?? "")") }
    var answer = Answer(status: status, fields: [:], body: [], isWhole: true)
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      answer.fields[line[..<colon].lowercased()] = value
    }
    return answer
  }

  /// Reads so many bytes of a body, or fewer at the end.
  func read(_ count: Int) throws -> [UInt8] {
    while unread.count < count, try receive() > 0 {}
    let bytes = Array(unread.prefix(count))
    unread.removeFirst(bytes.count)
    return bytes
  }

  /// All that comes until the other side closes, and whether it closes by a reset.
  func readToEnd() throws -> (bytes: [UInt8], isReset: Bool) {
    var isReset = false
    do {
      while try receive() > 0 {}
    } catch let error as Failed {
      guard error.text == "reset" else { throw error }
      isReset = true
    }
    defer { unread = [] }
    return (unread, isReset)
  }

  /// Whether the other side has closed, once all it sent is read; true for a reset as well.
  func isClosedByOrigin() throws -> Bool {
    do {
      while try receive() > 0 {}
      return true
    } catch let error as Failed {
      return error.text == "reset"
    }
  }

  /// 0 at the end. Throws `Failed` with `reset` where the connection was reset, else with the reason.
  private func receive() throws -> Int {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(socket, &buffer, buffer.count, 0)
      if count >= 0 {
        unread += buffer[..<count]
        return count
      }
      switch errno {
      case EINTR: continue
      case ECONNRESET, EPIPE: throw Failed(text: "reset")
      case let code: throw Failed(text: String(cString: strerror(code)))
      }
    }
  }
}
