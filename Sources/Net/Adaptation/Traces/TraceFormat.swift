import FoundationEssentials
import Frames

/// A file format of network traces: one row of `TraceFormat.all`, recognised by content.
public struct TraceFormat: Sendable {
  /// A word for messages.
  public let name: String
  /// What a file of this format holds, for help texts.
  public let summary: String
  /// Whether a file that begins so is of this format.
  let recognises: @Sendable (TraceHead) -> Bool
  let periods: @Sendable (Data) throws(TraceProblem) -> TraceContent

  public static let all: [TraceFormat] = [.own, .sabre, .log, .mahimahi]

  /// Limit of a file's size.
  public static let byteLimit = 16 << 20

  /// Reads a trace of any format.
  ///
  /// - Parameters:
  ///   - data: the file's content; untrusted.
  ///   - name: the file's path, for messages; its last part without the extension names a trace that has no name.
  ///
  /// Throws `.input` if the content is of no format, damaged, or out of `NetworkTrace.Limits`.
  public static func read(_ data: Data, name: String) throws(Failure) -> NetworkTrace {
    let attempt = "cannot read network trace '\(oneLine(name, limit: 200))'"
    guard data.count <= byteLimit else {
      throw Failure(
        .input, attempt, cause: "it has more than \(byteLimit >> 20) MiB", remedy: "give a shorter part of the trace")
    }
    let head = TraceHead(data)
    guard let format = all.first(where: { $0.recognises(head) }) else {
      let known = all.map(\.summary).joined(separator: "; ")
      throw Failure(
        .input, attempt, cause: data.isEmpty ? "the file is empty" : "it has none of the known formats",
        remedy: "give one of: \(known)")
    }
    do throws(TraceProblem) {
      let content = try format.periods(data)
      let file = name.split(separator: "/").last ?? "trace"
      let stem = file.lastIndex(of: ".").map { $0 > file.startIndex ? file[..<$0] : file } ?? file
      return try network(content, name: content.name ?? String(stem), attempt: attempt)
    } catch {
      throw Failure(
        .input, attempt, cause: error.cause,
        remedy: "it was taken for the format '\(format.name)': correct it, or give another file")
    }
  }

  /// Reads the file at `path`, which must be a regular file of at most `byteLimit`.
  public static func read(file path: String) throws(Failure) -> NetworkTrace {
    try read(try BoundedFile.read(path, called: "network trace", limit: byteLimit), name: path)
  }

  private static func network(
    _ content: TraceContent, name: String, attempt: String
  ) throws(TraceProblem) -> NetworkTrace {
    do throws(Failure) {
      return try NetworkTrace(name: oneLine(name, limit: 120), periods: content.periods, repeats: content.repeats)
    } catch {
      throw TraceProblem(cause: error.cause)
    }
  }
}

/// What a format's parser reads.
struct TraceContent {
  var name: String?
  var periods: [NetworkTrace.Period]
  var repeats = true
}

/// Why a file is damaged: a clause for a sentence.
struct TraceProblem: Error {
  let cause: String
}

/// The beginning of a file, by which formats recognise it.
struct TraceHead {
  /// The first byte that is no blank.
  let firstByte: UInt8?
  /// Columns of the first line, if all of them are numbers; else empty.
  let numbers: [Double]

  init(_ data: Data) {
    let start = data.prefix(4096).drop { TextLines.isBlank($0) || $0 == UInt8(ascii: "\n") }
    firstByte = start.first
    let columns = start.prefix { $0 != UInt8(ascii: "\n") }.split(whereSeparator: TextLines.isBlank)
    let values = columns.compactMap { TextLines.number($0) }
    numbers = values.count == columns.count ? values : []
  }
}

/// Lines of numbers with blanks between them.
enum TextLines {
  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

  /// A decimal number; nil for any other text, such as `nan` or `0x10`.
  static func number(_ text: Data.SubSequence) -> Double? {
    guard !text.isEmpty, text.count <= 40,
      text.allSatisfy({ (0x30...0x39).contains($0) || ".+-eE".utf8.contains($0) }),
      let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite
    else { return nil }
    return value
  }

  /// Calls `body` with the columns of each line that is not empty, and its number from 1.
  static func forEach(
    _ data: Data, columns: Int, _ body: (Int, [Double]) throws(TraceProblem) -> Void
  ) throws(TraceProblem) {
    var number = 0
    var rest = data[...]
    while !rest.isEmpty {
      number += 1
      let line = rest.prefix { $0 != UInt8(ascii: "\n") }
      rest = rest[line.endIndex...].dropFirst()
      var values: [Double] = []
      for text in line.split(whereSeparator: isBlank) {
        guard let value = TextLines.number(text) else { throw TraceProblem(cause: "line \(number) has no number") }
        values.append(value)
      }
      if values.isEmpty { continue }
      guard values.count == columns else {
        throw TraceProblem(
          cause: "line \(number) has \(values.count) \(values.count == 1 ? "column" : "columns"), not \(columns)")
      }
      try body(number, values)
    }
  }
}
