/// A single range of a `Range` field (RFC 9110, section 14.1.2).
package enum RequestedRange: Hashable {
  /// The field is absent, names several ranges or another unit, or is malformed: the whole is served.
  case whole
  case part(Range<Int64>)
  /// No byte of the file lies in it.
  case unsatisfiable

  /// - Parameters:
  ///   - field: its value; nil where there is none.
  ///   - size: of the file in bytes.
  package init(_ field: String?, size: Int64) {
    self = .whole
    guard let field, let equals = field.firstIndex(of: "="),
      field[..<equals].trimmingBlanks.lowercased() == "bytes"
    else { return }
    let ends = field[field.index(after: equals)...].trimmingBlanks.split(
      separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2 else { return }
    switch (Self.number(ends[0]), Self.number(ends[1])) {
    case (let first?, nil) where ends[1].isEmpty:
      self = first < size ? .part(Range(from: first, to: size)) : .unsatisfiable
    case (nil, let suffix?) where ends[0].isEmpty:
      self = suffix > 0 && size > 0 ? .part(Range(from: max(0, size - suffix), to: size)) : .unsatisfiable
    case (let first?, let last?) where first <= last:
      self = first < size ? .part(Range(from: first, to: min(size, last == .max ? size : last + 1))) : .unsatisfiable
    default: return
    }
  }

  /// Digits only; a number beyond the range of Int64 counts as its largest.
  private static func number(_ text: Substring) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    return Int64(text) ?? .max
  }
}

extension StringProtocol {
  /// Without spaces and tabs at both ends.
  var trimmingBlanks: Substring {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    var text = Substring(self).drop(while: isBlank)
    while let last = text.last, isBlank(last) { text.removeLast() }
    return text
  }
}
