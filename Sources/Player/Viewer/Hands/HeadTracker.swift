import Frames
import Glibc

/// Receives head poses on a UDP port. One thread at a time; never blocks.
package final class HeadTracker {
  /// Where to listen.
  package struct Address: Sendable, Hashable {
    /// 0: any free port.
    package var port: UInt16
    /// A numeric address of this machine: `127.0.0.1`, `::1`, `0.0.0.0`.
    package var host: String

    package init(port: UInt16, host: String = "127.0.0.1") {
      self.port = port
      self.host = host
    }

    /// `4242` or `4242@0.0.0.0`; nil for anything else.
    package init?(_ text: String) {
      let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
      guard let port = UInt16(parts[0]), port > 0, parts[0].allSatisfy(\.isNumber) else { return nil }
      self.port = port
      host = parts.count > 1 ? String(parts[1]) : "127.0.0.1"
      guard !host.isEmpty else { return nil }
    }
  }

  private let socket: Int32
  /// The bound address, with the actual port.
  package let address: Address
  /// Counts of received poses, and of datagrams that are no poses.
  package private(set) var received = 0
  package private(set) var refused = 0
  /// One byte more than a pose, so that a longer datagram is not mistaken for a pose.
  private var buffer = [UInt8](repeating: 0, count: HeadPose.byteCount + 1)

  /// Upper limit of datagrams read per refresh; the others wait for the next.
  static let readLimit = 64

  /// Throws `.device` if the port is in use or the address is not this machine's, `.usage` if it is no address.
  package init(_ address: Address) throws(Failure) {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(address.host, String(address.port), &hints, &found) == 0, let place = found?.pointee else {
      throw Failure(
        .usage, "cannot listen for a head tracker on '\(address.host)'", cause: "it is no address in numbers",
        remedy: "give --head-tracking PORT or PORT@ADDRESS, as in 4242@0.0.0.0")
    }
    defer { freeaddrinfo(found) }
    socket = Glibc.socket(
      place.ai_family, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { throw Self.failure(address, errno) }
    guard bind(socket, place.ai_addr, place.ai_addrlen) == 0 else {
      let code = errno
      close(socket)
      throw Self.failure(address, code)
    }
    self.address = Address(port: Self.port(of: socket) ?? address.port, host: address.host)
  }

  deinit { close(socket) }

  /// The newest pose since the last call; nil if none arrived.
  package func poll() -> HeadPose? {
    var newest: HeadPose?
    let length = buffer.count
    for _ in 0..<Self.readLimit {
      let count = recv(socket, &buffer, length, 0)
      // No datagram is pending, or the system reports a sender's error, which is ignored.
      guard count >= 0 else { break }
      if let pose = HeadPose(buffer.prefix(count)) {
        received += 1
        newest = pose
      } else {
        refused += 1
      }
    }
    return newest
  }

  private static func failure(_ address: Address, _ code: Int32) -> Failure {
    let attempt = "cannot listen for a head tracker on UDP port \(address.port) of \(address.host)"
    switch code {
    case EADDRINUSE:
      return Failure(.device, attempt, cause: "another program listens there", remedy: "end it, or take another port")
    case EADDRNOTAVAIL:
      return Failure(
        .device, attempt, cause: "that is no address of this machine",
        remedy: "127.0.0.1 is, and 0.0.0.0 is all of them")
    default:
      return Failure(
        .device, attempt, cause: String(cString: strerror(code)).lowercased(), remedy: "take another port or address")
    }
  }

  /// Nil if the system does not report it.
  private static func port(of socket: Int32) -> UInt16? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let isKnown = withUnsafeMutablePointer(to: &storage) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) == 0 }
    }
    guard isKnown else { return nil }
    // Both address families have the port at the same offset.
    return withUnsafePointer(to: storage) { storage in
      storage.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { UInt16(bigEndian: $0.pointee.sin_port) }
    }
  }
}
