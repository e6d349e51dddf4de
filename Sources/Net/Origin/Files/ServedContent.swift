import NIOCore

/// What a path leads to: a file, or a copy of it in memory.
struct ServedContent: Sendable {
  private enum Source {
    case file(ServedFile)
    case copy(ByteBuffer)
  }

  private let source: Source
  let size: Int64
  /// In seconds since 1970.
  let modifiedSeconds: Int64
  let entityTag: String

  init(_ file: ServedFile) {
    source = .file(file)
    (size, modifiedSeconds, entityTag) = (file.size, file.modifiedSeconds, file.entityTag)
  }

  /// A copy of the whole file. Blocks: never on an event loop. Throws `IOError` where reading fails.
  init(copying file: ServedFile) throws {
    let bytes = try file.read(at: 0, count: Int(file.size))
    source = .copy(bytes)
    (size, modifiedSeconds, entityTag) = (Int64(bytes.readableBytes), file.modifiedSeconds, file.entityTag)
  }

  /// Bytes made for one request.
  ///
  /// - Parameter tag: without quotes; others have other bytes.
  init(_ bytes: ByteBuffer, tag: String, modifiedSeconds: Int64) {
    source = .copy(bytes)
    (size, self.modifiedSeconds, entityTag) = (Int64(bytes.readableBytes), modifiedSeconds, "\"\(tag)\"")
  }

  /// Bytes of a copy; 0 for a file.
  var copiedBytes: Int {
    if case .copy(let bytes) = source { bytes.readableBytes } else { 0 }
  }

  /// - Parameter range: within 0 and the size.
  func body(_ range: Range<Int64>) -> ResponsePlan.Body {
    switch source {
    case .file(let file): .file(file, range)
    case .copy(let bytes):
      .bytes(bytes.getSlice(at: bytes.readerIndex + Int(range.lowerBound), length: range.count) ?? ByteBuffer())
    }
  }
}

/// The first versions of files that faults serve again and again. Used on the origin's event loop alone.
struct FirstVersions {
  /// Larger files are served as they are now.
  static let fileLimit: Int64 = 16 << 20
  private static let byteLimit = 64 << 20
  private static let countLimit = 1000

  private var contents: [String: ServedContent] = [:]
  private var bytes = 0

  subscript(path: String) -> ServedContent? { contents[path] }

  /// Keeps a copy, unless there is one of that path, or too much is kept.
  mutating func keep(_ content: ServedContent, of path: String) {
    guard contents[path] == nil, contents.count < Self.countLimit, bytes + content.copiedBytes <= Self.byteLimit
    else { return }
    contents[path] = content
    bytes += content.copiedBytes
  }
}
