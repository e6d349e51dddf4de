import Glibc

/// The kinds of files the program writes. An existing file is recognised by its content, never by its name.
public enum OutputKind: Sendable, CaseIterable {
  case record, comparison, sessions, trace, frameTable, report, inputEvents, thumbnailTrack, png, jpeg, syntheticClip,
    requestLog, p1203, events, export

  /// Its name in messages.
  public var name: String {
    switch self {
    case .record: "record"
    case .comparison: "comparison"
    case .sessions: "sessions"
    case .trace: "trace"
    case .frameTable: "frame table"
    case .report: "report"
    case .inputEvents: "input events"
    case .thumbnailTrack: "thumbnail track"
    case .png, .jpeg: "picture"
    case .syntheticClip: "synthetic clip"
    case .requestLog: "request log"
    case .p1203: "input of P.1203"
    case .events: "events"
    case .export: "export"
    }
  }

  /// Throws `.output` when `path` is a non-empty file of another kind. The file is only read.
  ///
  /// A missing file, a pipe and a folder pass: the writer checks those.
  ///
  /// - Parameter force: the user wants the file replaced, of any kind.
  public func checkReplaceable(_ path: String, force: Bool) throws(Failure) {
    guard !force, OutputPlace(at: path) == .file else { return }
    let attempt = "cannot write the \(name) to '\(path)'"
    let remedy = "name another file, or add --force to replace it"
    guard let file = FileLook(path) else {
      throw Failure(.output, attempt, cause: "a file that cannot be read is there", remedy: remedy)
    }
    if file.size == 0 || recognises(file) { return }
    throw Failure(.output, attempt, cause: "a file that is not \(noun) is there", remedy: remedy)
  }

  private var noun: String {
    switch self {
    case .record, .comparison, .trace, .frameTable, .report, .requestLog: "a \(name) of bench360"
    case .sessions: "a file of sessions of bench360"
    case .inputEvents: "input events of bench360"
    case .thumbnailTrack: "a WebVTT track"
    case .png: "a PNG picture"
    case .jpeg: "a JPEG picture"
    case .syntheticClip: "a synthetic clip of bench360"
    case .p1203: "an input of P.1203"
    case .events: "events of bench360"
    case .export: "an export of bench360"
    }
  }

  private func recognises(_ file: borrowing FileLook) -> Bool {
    switch self {
    case .record: file.isJSON(ofSchema: "bench360")
    case .comparison: file.isJSON(ofSchema: "bench360-comparison")
    case .sessions: file.isJSON(ofSchema: "bench360-abr")
    case .inputEvents: file.isJSON(ofSchema: "bench360-input")
    case .trace: file.begins(#"{"displayTimeUnit":"ms","metadata":"#) && file.holds(#""traceEvents":["#)
    case .frameTable: file.begins("scenario,variant,trial,frame,")
    case .report:
      file.begins("<!DOCTYPE html>") && file.holds(#"<meta name="generator" content="bench360""#, firstBytes: 4096)
    case .requestLog: file.begins(#"{"bytes":"#) && file.holds(#","connection":"#, firstBytes: 4096)
    case .events:
      (file.begins(#"{"session":""#) || file.begins(#"{"resourceSpans":"#))
        && file.holds("\"bench360-events/", firstBytes: 4096)
    case .export:
      file.begins("# TYPE bench360_") || file.begins("created,label,version,commit,")
        || file.begins("{\n  \"git_hash\" : ")
        || file.begins("<?xml version=\"1.0\"?>\n<PhoronixTestSuite>")
        || (file.begins("{\"resourceMetrics\":") || file.begins("{\"batch_id\":"))
          && file.holds("bench360", firstBytes: 4096)
        || file.begins("{\n  \"") && file.holds("\"lower_value\" : ", firstBytes: 4096)
    case .p1203: file.begins("{\n  \"I11\"") && file.holds(#""I23""#)
    case .thumbnailTrack: file.begins("WEBVTT") || file.begins("\u{FEFF}WEBVTT")
    case .png: file.begins([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    case .jpeg: file.begins([0xFF, 0xD8, 0xFF])
    // MP4 may have it in its last bytes, Matroska has it in its first ones.
    case .syntheticClip:
      file.holds(SyntheticTag.prefix, firstBytes: FileLook.piece)
        || file.holds(SyntheticTag.prefix, from: file.size - 4 * FileLook.piece)
    }
  }
}

/// A file that is searched in blocks.
private struct FileLook: ~Copyable {
  static let piece = 1 << 20
  let size: Int
  private let descriptor: Int32

  /// Nil when it cannot be read.
  init?(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      close(descriptor)
      return nil
    }
    (self.descriptor, size) = (descriptor, Int(status.st_size))
  }

  deinit { close(descriptor) }

  func begins(_ text: String) -> Bool { begins(Array(text.utf8)) }

  func begins(_ bytes: [UInt8]) -> Bool { read(at: 0, count: bytes.count) == bytes }

  /// Whether it is a JSON object with a `schema` of that name, for any order of keys and any escaping of slashes.
  func isJSON(ofSchema name: String) -> Bool {
    guard read(at: 0, count: 64).first(where: { !isBlank($0) }) == UInt8(ascii: "{") else { return false }
    return [#""\#(name)/"#, #""\#(name)\/"#].contains { find($0, behind: endsWithSchemaKey) }
  }

  func holds(_ text: String, from start: Int = 0, firstBytes count: Int = .max) -> Bool {
    find(text, in: Range(from: max(0, start), to: min(size, count))) { _ in true }
  }

  /// Whether the file contains the text at a place whose preceding bytes `isFine` accepts.
  private func find(
    _ text: String, in range: Range<Int>? = nil, behind isFine: (ArraySlice<UInt8>) -> Bool
  ) -> Bool {
    let pattern = Array(text.utf8)
    // Blocks overlap by this much: the pattern and the bytes before it.
    let overlap = 256
    let range = range ?? 0..<size
    var start = range.lowerBound
    while start < range.upperBound {
      let bytes = read(at: start, count: min(Self.piece, range.upperBound - start))
      var place = bytes.startIndex
      while let found = bytes.firstPlace(of: pattern, from: place) {
        if isFine(bytes[Range(from: max(0, found - overlap / 2), to: found)]) { return true }
        place = found + 1
      }
      guard bytes.count > overlap else { return false }
      start += bytes.count == Self.piece ? bytes.count - overlap : bytes.count
    }
    return false
  }

  private func read(at place: Int, count: Int) -> [UInt8] {
    guard count > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
      done = max(0, pread(descriptor, buffer.baseAddress, count, place))
    }
  }
}

/// `"schema":`, with blanks or without.
private func endsWithSchemaKey(_ bytes: ArraySlice<UInt8>) -> Bool {
  let key = bytes.reversed().drop { isBlank($0) }
  guard key.first == UInt8(ascii: ":") else { return false }
  return key.dropFirst().drop { isBlank($0) }.starts(with: #""schema""#.utf8.reversed())
}

private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (9...13).contains(byte) }

extension [UInt8] {
  /// `pattern` is not empty.
  fileprivate func firstPlace(of pattern: [UInt8], from start: Int) -> Int? {
    withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return nil }
      var place = start
      while place + pattern.count <= bytes.count,
        let found = memchr(base + place, Int32(pattern[0]), bytes.count - pattern.count + 1 - place)
      {
        place = UnsafeRawPointer(found) - base
        if memcmp(base + place, pattern, pattern.count) == 0 { return place }
        place += 1
      }
      return nil
    }
  }
}
