import Foundation
import Frames
import Glibc
import Synchronization

/// The network between clients and a server on this machine. It can be out of order: connections end then, and new ones fare as the outage says.
public final class OutageGate: Sendable {
  public enum Outage: String, CaseIterable, Sendable {
    /// Nothing listens.
    case refused
    /// Nothing listens; then the server is at the host's address of the other family.
    case moved
    /// Connections are taken, and end with a reset.
    case reset
    /// They are taken, and nothing comes.
    case silent
    /// Something answers that does not speak TLS.
    case tls
    /// A proxy answers that the server is unavailable.
    case unavailable
    /// A page that asks for a login comes in the server's place.
    case portal

    /// What is answered to each request; nil: nothing is.
    fileprivate var answer: String? {
      switch self {
      case .refused, .moved, .reset, .silent: nil
      case .tls: "no TLS here\r\n"
      case .unavailable: "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
      case .portal:
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4\r\nConnection: close\r\n\r\n<p>\n"
      }
    }
  }

  private struct State {
    var listener: Int32 = -1
    var outage: Outage?
    /// Of connections that are open.
    var sockets: Set<Int32> = []
    /// The ones of them that carry nothing any more.
    var dead: Set<Int32> = []
    var family = Family.four
  }

  /// Of a loopback address.
  private enum Family {
    case four, six
  }

  public let port: UInt16
  private let target: UInt16
  /// Keep the port of both families, so that no other program gets it while nothing listens.
  private let holders: [Int32]
  private let state = Mutex(State())

  /// - Parameter target: the server's port.
  public init(to target: UInt16) throws {
    self.target = target
    (holders, port) = try Self.hold()
    let listener = try Self.listen(port)
    state.withLock { $0.listener = listener }
    accept(listener)
  }

  /// Whether the loopback has an address of each family.
  public static var hasBothFamilies: Bool {
    guard let socket = try? bound(0, .six) else { return false }
    close(socket)
    return true
  }

  deinit {
    state.withLock { Self.end(&$0, listening: false) }
    for holder in holders { close(holder) }
  }

  /// From now on.
  public func begin(_ outage: Outage) {
    state.withLock { state in
      state.outage = outage
      Self.end(&state, listening: outage != .refused && outage != .moved)
    }
  }

  /// The server can be reached again, at the same port.
  public func end() throws {
    let (isClosed, family) = state.withLock { state in
      if state.outage == .moved { state.family = .six }
      state.outage = nil
      Self.end(&state, listening: true)
      return (state.listener < 0, state.family)
    }
    guard isClosed else { return }
    let listener = try Self.listen(port, family)
    state.withLock { $0.listener = listener }
    accept(listener)
  }

  /// The connections so far carry nothing any more, and do not end, as after a sleep of the machine.
  public func forgetConnections() { state.withLock { $0.dead = $0.sockets } }

  /// All connections end. Their threads close them.
  private static func end(_ state: inout State, listening: Bool) {
    for socket in state.sockets { shutdown(socket, Int32(SHUT_RDWR)) }
    guard !listening, state.listener >= 0 else { return }
    shutdown(state.listener, Int32(SHUT_RDWR))
    close(state.listener)
    state.listener = -1
  }

  private func accept(_ listener: Int32) {
    Thread.detachNewThread { [weak self] in
      while true {
        let client = Glibc.accept(listener, nil, nil)
        guard client >= 0 else { return }
        guard let self else {
          close(client)
          return
        }
        self.take(client)
      }
    }
  }

  private func take(_ client: Int32) {
    let outage = state.withLock { state in
      state.sockets.insert(client)
      return state.outage
    }
    if outage == .reset {
      var option = linger(l_onoff: 1, l_linger: 0)
      setsockopt(client, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
      return forget([client])
    }
    guard outage == nil else {
      Thread.detachNewThread { self.keep(client, outage?.answer) }
      return
    }
    guard let server = Self.connect(target) else { return forget([client]) }
    state.withLock { _ = $0.sockets.insert(server) }
    Thread.detachNewThread {
      Thread.detachNewThread { self.pump(server, client) }
      self.pump(client, server)
      // The other direction ends with it.
      self.forget([client, server])
    }
  }

  /// Holds a connection until either side ends it; gives an answer to the first bytes.
  private func keep(_ client: Int32, _ answer: String?) {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while recv(client, &buffer, buffer.count, 0) > 0 {
      guard let answer else { continue }
      let bytes = Array(answer.utf8)
      send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
      break
    }
    forget([client])
  }

  private func forget(_ sockets: [Int32]) {
    state.withLock { state in
      for socket in sockets {
        state.sockets.remove(socket)
        state.dead.remove(socket)
        close(socket)
      }
    }
  }

  /// What comes from one side goes to the other, until either is gone.
  private func pump(_ from: Int32, _ to: Int32) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = recv(from, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      if state.withLock({ $0.dead.contains(from) }) { continue }
      var sent = 0
      while sent < count {
        let more = buffer.withUnsafeBytes { bytes in
          bytes.baseAddress.map { send(to, $0 + sent, count - sent, Int32(MSG_NOSIGNAL)) } ?? 0
        }
        guard more > 0 else { break }
        sent += more
      }
      guard sent == count else { break }
    }
    shutdown(from, Int32(SHUT_RDWR))
    shutdown(to, Int32(SHUT_RDWR))
  }

  /// A port that is free in both families, with sockets that are bound to it and do not listen.
  private static func hold() throws -> (sockets: [Int32], port: UInt16) {
    for _ in 0..<16 {
      let four = try bound(0, .four)
      var (address, length) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
      withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(four, $0, &length) }
      }
      let port = UInt16(bigEndian: address.sin_port)
      guard hasBothFamilies else { return ([four], port) }
      if let six = try? bound(port, .six) { return ([four, six], port) }
      close(four)
    }
    throw POSIXError(.EADDRINUSE)
  }

  private static func listen(_ port: UInt16, _ family: Family = .four) throws -> Int32 {
    let descriptor = try bound(port, family)
    guard Glibc.listen(descriptor, 128) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    return descriptor
  }

  /// A socket that is bound to a loopback address; others may be bound to it as well, while none of them listens.
  private static func bound(_ port: UInt16, _ family: Family) throws -> Int32 {
    let descriptor = socket(
      family == .four ? AF_INET : AF_INET6, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var one: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
    guard descriptor >= 0, withAddress(port, family, { bind(descriptor, $0, $1) == 0 }) else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    return descriptor
  }

  private static func connect(_ port: UInt16) -> Int32? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard withAddress(port, .four, { Glibc.connect(descriptor, $0, $1) == 0 }) else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  private static func withAddress(
    _ port: UInt16, _ family: Family, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Bool
  ) -> Bool {
    if family == .six {
      var address = sockaddr_in6()
      (address.sin6_family, address.sin6_port) = (sa_family_t(AF_INET6), port.bigEndian)
      address.sin6_addr = in6addr_loopback
      return withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in6>.size)) }
      }
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    return withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
  }
}
