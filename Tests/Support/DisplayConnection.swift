import Foundation

/// A client of an X server on this machine, which speaks the X protocol itself.
///
/// libX11 would end the process on an error and shares its error handler with GLFW. Here an error is thrown, and the connection can still be
/// used. One thread at a time uses a connection.
struct DisplayConnection: ~Copyable {
  private let socket: Int32
  /// The window that all others are in.
  let root: UInt32
  /// The number of the last request, which its reply repeats.
  private var sequence: UInt16 = 0
  private var atoms: [String: UInt32] = [:]

  /// - Parameter display: such as `:7`.
  init(display: String) throws {
    let socket = try Self.connect("/tmp/.X11-unix/X" + display.dropFirst())
    do {
      root = try Self.begin(socket)
      self.socket = socket
    } catch {
      close(socket)
      throw error
    }
  }

  /// The first messages; returns the root window.
  private static func begin(_ socket: Int32) throws -> UInt32 {
    // Little-endian, version 11, no authorization: a server without a list of users admits those of its machine.
    try send([0x6C, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0], to: socket)
    let header = try receive(8, from: socket)
    let body = try receive(header.word16(6) * 4, from: socket)
    guard header[0] == 1 else { throw VirtualDisplay.Missing(description: "the X server refuses a client") }
    // The vendor's name and the formats of pixels are before the first screen.
    return UInt32(body.word32(32 + (body.word16(16) + 3) / 4 * 4 + Int(body[21]) * 8))
  }

  deinit { close(socket) }

  // MARK: Windows

  /// The windows directly in the root, mapped or not.
  mutating func children() throws -> [UInt32] {
    let reply = try reply(to: 15, Self.bytes(root))
    return (0..<reply.word16(16)).map { UInt32(reply.word32(32 + $0 * 4)) }
  }

  /// How many properties the root has: a window manager adds some.
  mutating func rootPropertyCount() throws -> Int { try reply(to: 21, Self.bytes(root)).word16(8) }

  mutating func rootSize() throws -> (width: Int, height: Int) {
    let reply = try reply(to: 14, Self.bytes(root))
    return (reply.word16(16), reply.word16(18))
  }

  /// The window with that title.
  mutating func window(_ title: String) throws -> UInt32 {
    let name = try atom("_NET_WM_NAME")
    for window in try children() {
      // One that closes meanwhile has no name.
      guard let reply = try? reply(to: 20, Self.bytes(window, name, 0, 0, 256)) else { continue }
      if String(decoding: reply[32..<32 + reply.word32(16)], as: UTF8.self) == title { return window }
    }
    throw VirtualDisplay.Missing(description: "no window has the title '\(title)'")
  }

  // MARK: Actions

  /// A key, or with `isButton` a button of the pointer, goes down or up.
  mutating func send(
    _ code: Int, isDown: Bool, isButton: Bool = false, time: Int, state: Int, to window: UInt32
  ) throws {
    let kind: UInt8 = (isButton ? 4 : 2) + (isDown ? 0 : 1)
    var event = [kind, UInt8(code), 0, 0] + Self.bytes(UInt32(time), root, window, 0)
    for place in [10, 20, 10, 20, UInt16(state)] { event += Self.bytes(place) }
    try send(event: event + [1, 0], to: window)
  }

  /// What a window manager sends when its user closes a window.
  mutating func requestClosing(of window: UInt32) throws {
    let (protocols, message) = (try atom("WM_PROTOCOLS"), try atom("WM_DELETE_WINDOW"))
    try send(event: [33, 32, 0, 0] + Self.bytes(window, protocols, message, 0, 0, 0, 0), to: window)
  }

  /// The window's creator gets an event.
  private mutating func send(event: [UInt8], to window: UInt32) throws {
    try request(25, Self.bytes(window, 0) + event)
  }

  mutating func movePointer(x: Int, y: Int, in window: UInt32) throws {
    try request(41, Self.bytes(0, window, 0, 0) + Self.bytes(UInt16(x)) + Self.bytes(UInt16(y)))
  }

  mutating func resize(_ window: UInt32, width: Int, height: Int) throws {
    try request(12, Self.bytes(window, 0b1100, UInt32(width), UInt32(height)))
  }

  /// What a window manager notes of a window: 1 normal, 3 minimised.
  mutating func setState(_ state: Int, of window: UInt32) throws {
    let name = try atom("WM_STATE")
    try request(18, Self.bytes(window, name, name, 32, 2, UInt32(state), 0))
  }

  /// Waits until the server has carried out all requests; throws where it refused one.
  mutating func synchronize() throws { _ = try reply(to: 43, []) }

  // MARK: The protocol

  private mutating func atom(_ name: String) throws -> UInt32 {
    if let known = atoms[name] { return known }
    let padding = [UInt8](repeating: 0, count: (4 - name.utf8.count % 4) % 4)
    let body = Self.bytes(UInt16(name.utf8.count)) + [0, 0] + Array(name.utf8) + padding
    let atom = UInt32(try reply(to: 16, body).word32(8))
    atoms[name] = atom
    return atom
  }

  private mutating func request(_ opcode: UInt8, _ body: [UInt8]) throws {
    try Self.send([opcode, 0] + Self.bytes(UInt16(body.count / 4 + 1)) + body, to: socket)
    sequence &+= 1
  }

  /// Sends a request that has a reply; throws the first error since the reply before.
  private mutating func reply(to opcode: UInt8, _ body: [UInt8]) throws -> [UInt8] {
    try request(opcode, body)
    var refusal: VirtualDisplay.Missing?
    while true {
      var packet = try Self.receive(32, from: socket)
      let isLast = packet.word16(2) == Int(sequence)
      switch packet[0] {
      case 0:
        refusal = refusal ?? .init(description: "the X server refuses request \(packet[10]) with error \(packet[1])")
      case 1: packet += try Self.receive(packet.word32(4) * 4, from: socket)
      default: continue
      }
      guard isLast else { continue }
      if let refusal { throw refusal }
      return packet
    }
  }

  private static func bytes(_ words: UInt32...) -> [UInt8] {
    words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
  }

  private static func bytes(_ word: UInt16) -> [UInt8] { [UInt8(truncatingIfNeeded: word), UInt8(word >> 8)] }

  private static func send(_ bytes: [UInt8], to socket: Int32) throws {
    guard Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { throw ended }
  }

  private static func receive(_ count: Int, from socket: Int32) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var received = 0
    while received < count {
      let length = bytes.withUnsafeMutableBytes {
        recv(socket, $0.baseAddress.map { $0 + received }, count - received, 0)
      }
      guard length > 0 || length < 0 && errno == EINTR else { throw ended }
      received += max(length, 0)
    }
    return bytes
  }

  private static var ended: VirtualDisplay.Missing { .init(description: "the X server has ended") }

  /// Linux's name of the socket, which is no file, goes first: some systems have no folder for the other.
  private static func connect(_ path: String) throws -> Int32 {
    for name in ["\0" + path, path] {
      let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name.utf8) }
      let size = MemoryLayout.offset(of: \sockaddr_un.sun_path).map { $0 + name.utf8.count } ?? 0
      let status = withUnsafePointer(to: &address) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(socket, $0, socklen_t(size)) }
      }
      if status == 0 { return socket }
      close(socket)
    }
    throw VirtualDisplay.Missing(description: "nothing listens at '\(path)'")
  }
}

extension [UInt8] {
  fileprivate func word16(_ start: Int) -> Int { Int(self[start]) | Int(self[start + 1]) << 8 }
  fileprivate func word32(_ start: Int) -> Int { word16(start) | word16(start + 2) << 16 }
}
