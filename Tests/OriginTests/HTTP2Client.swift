/// One connection of HTTP/2 in clear text, frame by frame: a client that can do everything wrong.
final class HTTP2Client {
  struct Frame: Equatable {
    var kind: UInt8
    var flags: UInt8
    var stream: UInt32
    var payload: [UInt8]

    static let (data, headers, reset, settings, ping, away) = (
      UInt8(0), UInt8(1), UInt8(3), UInt8(4), UInt8(6), UInt8(7)
    )
    var endsStream: Bool { kind <= 1 && flags & 1 != 0 }
    /// The code of RST_STREAM.
    var code: UInt8? { kind == Self.reset ? payload.last : nil }
  }

  /// What came on one stream.
  struct Answer: Equatable {
    /// The code of the table of RFC 7541 that stands for a status; 0 where no head came.
    var status: UInt8 = 0
    var head: [UInt8] = []
    var body: [UInt8] = []
    var reset: UInt8?

    static let (ok, partial, missing) = (UInt8(0x88), UInt8(0x8A), UInt8(0x8D))
  }

  let connection: Connection

  /// Sends the preface and settings.
  ///
  /// - Parameter window: bytes of each stream that the origin may send ahead.
  init(port: Int, window: UInt32 = 0x7FFF_FFFF) throws {
    connection = try Connection(port: port)
    connection.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
    send(Frame.settings, payload: [0, 4] + Self.bytes(window))
    send(8, payload: Self.bytes(0x7FFF_0000))
  }

  private static func bytes(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  @discardableResult
  func send(_ kind: UInt8, flags: UInt8 = 0, stream: UInt32 = 0, payload: [UInt8] = []) -> Bool {
    connection.send(
      Array(Self.bytes(UInt32(payload.count)).dropFirst()) + [kind, flags] + Self.bytes(stream) + payload)
  }

  /// A request of GET or HEAD, in one frame.
  func ask(
    _ path: String, stream: UInt32, method: String = "GET", _ fields: [(String, String)] = [], isWhole: Bool = true
  ) {
    func text(_ text: String) -> [UInt8] { [UInt8(text.utf8.count)] + Array(text.utf8) }
    var block: [UInt8] = [0x02] + text(method) + [0x86, 0x04] + text(path) + [0x01] + text("localhost")
    for (name, value) in fields { block += [0x00] + text(name) + text(value) }
    send(Frame.headers, flags: isWhole ? 5 : 4, stream: stream, payload: block)
  }

  /// The next frame; nil at the end of the connection.
  func frame() throws -> Frame? {
    let start = try connection.read(9)
    guard start.count == 9 else { return nil }
    let length = start[..<3].reduce(0) { $0 << 8 | Int($1) }
    let stream = start[5...].reduce(0) { $0 << 8 | UInt32($1) }
    return Frame(kind: start[3], flags: start[4], stream: stream, payload: try connection.read(length))
  }

  /// Reads until so many streams have ended, by themselves or with the connection.
  ///
  /// - Parameters:
  ///   - stream: until this one has ended; nil: any.
  ///   - each: called for every frame.
  func answers(
    _ count: Int = .max, of stream: UInt32? = nil, _ each: (Frame) -> Void = { _ in }
  ) throws -> [UInt32: Answer] {
    var answers: [UInt32: Answer] = [:]
    var ended: Set<UInt32> = []
    while ended.count < count, stream.map({ !ended.contains($0) }) ?? true, let frame = try frame() {
      each(frame)
      guard frame.stream > 0 else { continue }
      switch frame.kind {
      case Frame.headers:
        answers[frame.stream, default: Answer()].head = frame.payload
        answers[frame.stream]?.status = frame.payload.first ?? 0
      case Frame.data: answers[frame.stream, default: Answer()].body += frame.payload
      case Frame.reset: answers[frame.stream, default: Answer()].reset = frame.code
      default: break
      }
      if frame.endsStream || frame.kind == Frame.reset { ended.insert(frame.stream) }
    }
    return answers
  }

  /// Reads until so many bytes of bodies have come.
  func readData(_ count: Int) throws {
    var bytes = 0
    while bytes < count, let frame = try frame() { bytes += frame.kind == Frame.data ? frame.payload.count : 0 }
  }

  /// Leaves out what comes on other streams meanwhile.
  func get(_ path: String, stream: UInt32, _ fields: [(String, String)] = []) throws -> Answer {
    ask(path, stream: stream, fields)
    return try answers(of: stream)[stream] ?? Answer()
  }
}
