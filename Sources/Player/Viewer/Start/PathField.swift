import Frames

/// A text field for a path or URL. Pure: the caller lists folders.
package struct PathField: Sendable, Hashable {
  package private(set) var text = ""
  /// Limit of its length: no path is longer.
  static let limit = 4096

  package init() {}

  package mutating func type(_ scalar: Unicode.Scalar) {
    guard !scalar.properties.isNewlineOrControl, text.utf8.count < Self.limit else { return }
    text.unicodeScalars.append(scalar)
  }

  /// The first line of pasted text, without the quotation marks and the `file://` that file managers add.
  package mutating func paste(_ copied: String) {
    var line = copied.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    line = line.trimmed
    if line.count >= 2, let first = line.first, first == line.last, first == "'" || first == "\"" {
      line = String(line.dropFirst().dropLast())
    }
    if line.hasPrefix("file://") { line = String(line.dropFirst(7)).withoutPercentEncoding }
    for scalar in line.unicodeScalars { type(scalar) }
  }

  package mutating func deleteBackward() { if !text.isEmpty { text.removeLast() } }
  package mutating func clear() { text = "" }

  /// The path or URL in the field; nil while it is empty.
  ///
  /// - Parameter home: the folder that `~` stands for.
  package func path(home: String) -> String? {
    let trimmed = text.trimmed
    guard !trimmed.isEmpty else { return nil }
    if trimmed == "~" { return home }
    return trimmed.hasPrefix("~/") ? home + trimmed.dropFirst() : trimmed
  }

  /// Completes the path by the common prefix of the matching names in its folder, as shells do.
  ///
  /// - Parameters:
  ///   - home: the folder that `~` stands for.
  ///   - names: the names in a folder, folders with a trailing `/`.
  package mutating func complete(home: String, names: (_ folder: String) -> [String]) {
    guard !text.contains("://"), let path = path(home: home) else { return }
    let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let (folder, start) = (String(path[..<slash]), path[slash...])
    let fitting = names(folder.isEmpty ? "." : folder).filter {
      $0.hasPrefix(start) && (!start.isEmpty || !$0.hasPrefix("."))
    }
    guard var common = fitting.first else { return }
    for name in fitting { common = String(zip(common, name).prefix { $0 == $1 }.map(\.0)) }
    for scalar in common.dropFirst(start.count).unicodeScalars { type(scalar) }
  }
}

extension Unicode.Scalar.Properties {
  fileprivate var isNewlineOrControl: Bool {
    generalCategory == .control || generalCategory == .lineSeparator || generalCategory == .paragraphSeparator
  }
}
