import Foundation
import Frames
import Glibc

/// An HTTP server on 127.0.0.1 that answers every request with one file, whole or the range that is asked for.
///
/// A thread accepts, one more serves each connection. It ends with its owner.
public final class ClipServer: Sendable {
  public let port: UInt16
  /// Shared with the thread that accepts: closed once neither uses its number.
  private let listener: Frames.FileDescriptor
  private let content: [UInt8]

  /// How a request is answered.
  public enum Manner: Sendable {
    case whole
    /// The connection ends after so many bytes, though more were announced.
    case breaksOff(after: Int)
    /// As a live stream: of unknown length, no ranges, and the connection stays open when all is sent.
    case live
  }

  public init(file: String, manner: Manner = .whole) throws {
    content = [UInt8](try Data(contentsOf: URL(filePath: file)))
    let (number, port) = try Self.listen()
    (listener, self.port) = (FileDescriptor(owning: number), port)
    let (listener, content) = (listener, content)
    Thread.detachNewThread {
      while true {
        let connection = accept(listener.rawValue, nil, nil)
        guard connection >= 0 else { return }
        Thread.detachNewThread { Self.serve(content, manner, on: connection) }
      }
    }
  }

  /// A port of 127.0.0.1 that refuses connections, for nothing listens there any more.
  public static func deadPort() throws -> UInt16 {
    let (socket, port) = try listen()
    close(socket)
    return port
  }

  /// Refuses connections from now on, and ends the thread that accepts.
  deinit { shutdown(listener.rawValue, Int32(SHUT_RDWR)) }

  private static func listen() throws -> (socket: Int32, port: UInt16) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, length) == 0 && Glibc.listen(descriptor, 16) == 0
          && getsockname(descriptor, address, &length) == 0
      }
    }
    guard descriptor >= 0, status else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    return (descriptor, UInt16(bigEndian: address.sin_port))
  }

  private static func serve(_ content: [UInt8], _ manner: Manner, on connection: Int32) {
    defer { close(connection) }
    if case .live = manner {
      let head = "HTTP/1.1 200 OK\r\nContent-Type: video/mp2t\r\n\r\n"
      guard header(from: connection) != nil, send(Array(head.utf8)[...], to: connection) else { return }
      guard send(content[...], to: connection) else { return }
      _ = header(from: connection)
      return
    }
    while let request = header(from: connection) {
      let lines = request.split(separator: "\r\n")
      let isHead = request.hasPrefix("HEAD ")
      let range = lines.first { $0.lowercased().hasPrefix("range: bytes=") }
        .map { $0.dropFirst("range: bytes=".count).split(separator: "-", omittingEmptySubsequences: false) }
      let first = range?.first.flatMap { Int($0) } ?? 0
      let last = min(range?.last.flatMap { Int($0) } ?? content.count - 1, content.count - 1)
      guard first <= last else { return }
      let status =
        range == nil
        ? "200 OK" : "206 Partial Content\r\nContent-Range: bytes \(first)-\(last)/\(content.count)"
      let head =
        "HTTP/1.1 \(status)\r\nContent-Type: video/mp4\r\nAccept-Ranges: bytes\r\nContent-Length: \(last - first + 1)\r\n\r\n"
      guard send(Array(head.utf8)[...], to: connection) else { return }
      if !isHead {
        if case .breaksOff(let count) = manner {
          _ = send(content[first...max(first, min(last, count))], to: connection)
          return
        }
        guard send(content[first...last], to: connection) else { return }
      }
    }
  }

  /// Up to the empty line; nil when the connection has ended.
  private static func header(from connection: Int32) -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while bytes.count < 65_536 {
      guard read(connection, &byte, 1) == 1 else { return nil }
      bytes.append(byte)
      if bytes.suffix(4) == [13, 10, 13, 10] { return String(decoding: bytes, as: UTF8.self) }
    }
    return nil
  }

  private static func send(_ bytes: ArraySlice<UInt8>, to connection: Int32) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
