import Frames
import Media

/// The parts of W3C WebVTT that thumbnail tracks need: blocks, cue timings, time stamps.
///
/// Pure, and linear in the length of the text.
enum WebVTT {
  /// `HH:MM:SS.mmm`.
  static func timestamp(_ milliseconds: Int64) -> String {
    func digits(_ value: Int64, _ count: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    let (seconds, fraction) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    return
      "\(digits(seconds / 3600, 2)):\(digits(seconds / 60 % 60, 2)):\(digits(seconds % 60, 2)).\(digits(fraction, 3))"
  }

  /// Rounded half up; nothing lies before the start.
  static func milliseconds(_ time: MediaTime) -> Int64 {
    let (milliseconds, rest) = max(0, time.nanoseconds).quotientAndRemainder(dividingBy: 1_000_000)
    return milliseconds + (rest >= 500_000 ? 1 : 0)
  }

  /// The lines of a text, without what ends them: CR LF, LF or CR. A byte order mark is left out.
  static func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    var position = start
    while position < bytes.count {
      defer { position += 1 }
      guard bytes[position] == 0x0A || bytes[position] == 0x0D else { continue }
      lines.append(bytes[Range(from: start, to: position)])
      if bytes[position] == 0x0D, position + 1 < bytes.count, bytes[position + 1] == 0x0A { position += 1 }
      start = position + 1
    }
    if start < bytes.count { lines.append(bytes[start...]) }
    return lines
  }

  /// Whether a file's first line says that it is WebVTT.
  static func isSignature(_ line: ArraySlice<UInt8>) -> Bool {
    let word = Array("WEBVTT".utf8)
    guard line.starts(with: word) else { return false }
    return line.count == word.count || isSpace(line[line.startIndex + word.count])
  }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0C }

  /// Any line with `-->` is a line of timings.
  static func holdsArrow(_ line: ArraySlice<UInt8>) -> Bool {
    var dashes = 0
    for byte in line {
      if byte == 0x3E, dashes >= 2 { return true }
      dashes = byte == 0x2D ? dashes + 1 : 0
    }
    return false
  }

  /// A block as the parser's algorithm, 6.1, collects it: up to a blank line, or to the next line of timings.
  struct Block {
    /// Of the line of timings, counted from one; nil in comments, styles and regions.
    var line: Int?
    var timings: (start: MediaTime, end: MediaTime)?
    var payload: [ArraySlice<UInt8>] = []
  }

  /// Passes each block to `handle`, which returns false to stop.
  static func eachBlock(_ lines: [ArraySlice<UInt8>], _ handle: (Block) -> Bool) {
    // The header goes on to the first blank line, or to the first cue.
    var position = 1
    while position < lines.count, !lines[position].isEmpty, !holdsArrow(lines[position]) { position += 1 }
    while position < lines.count {
      guard !lines[position].isEmpty else {
        position += 1
        continue
      }
      // A cue has its timings in the first line or, behind a name, in the second.
      let first = position
      var block = Block()
      while position < lines.count, !lines[position].isEmpty {
        if holdsArrow(lines[position]) {
          guard block.line == nil, position - first < 2 else { break }
          block.line = position + 1
          block.timings = timings(lines[position])
        } else if block.line != nil {
          block.payload.append(lines[position])
        }
        position += 1
      }
      guard handle(block) else { return }
    }
  }

  /// `START --> END`, and settings, which do not matter here.
  static func timings(_ line: ArraySlice<UInt8>) -> (start: MediaTime, end: MediaTime)? {
    var rest = line.drop(while: isSpace)
    guard let start = time(&rest) else { return nil }
    rest = rest.drop(while: isSpace)
    guard rest.starts(with: Array("-->".utf8)) else { return nil }
    rest = rest.dropFirst(3).drop(while: isSpace)
    guard let end = time(&rest), rest.first.map(isSpace) ?? true else { return nil }
    return (start, end)
  }

  /// `MM:SS.mmm`, or with hours of two digits or more before it.
  static func time(_ text: inout ArraySlice<UInt8>) -> MediaTime? {
    func number(_ separator: UInt8?) -> (value: Int64, digits: Int)? {
      if let separator {
        guard text.first == separator else { return nil }
        text = text.dropFirst()
      }
      let digits = text.prefix { (0x30...0x39).contains($0) }
      guard (1...9).contains(digits.count) else { return nil }
      text = text.dropFirst(digits.count)
      return (digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }, digits.count)
    }
    let colon: UInt8 = 0x3A
    guard let first = number(nil), first.digits >= 2, let second = number(colon), second.digits == 2 else { return nil }
    var (hours, minutes, seconds) = (Int64(0), first.value, second.value)
    if text.first == colon {
      guard let third = number(colon), third.digits == 2 else { return nil }
      (hours, minutes, seconds) = (first.value, second.value, third.value)
    } else if first.digits != 2 {
      return nil
    }
    guard let fraction = number(0x2E), fraction.digits == 3, minutes < 60, seconds < 60 else { return nil }
    let milliseconds = ((hours * 60 + minutes) * 60 + seconds) * 1000 + fraction.value
    return MediaTime(ticks: milliseconds, timeBase: Ratio(1, 1000))
  }
}
