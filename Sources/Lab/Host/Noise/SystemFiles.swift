import FoundationEssentials
import Frames
import Glibc

/// The text files of /proc and /sys below a root, so that tests can make a machine up.
///
/// Paths are written without the leading slash. What is missing, unreadable or malformed is nil or empty.
package struct SystemFiles: Sendable {
  package let root: String

  package init(root: String = "/") {
    self.root = root.hasSuffix("/") ? root : root + "/"
  }

  func exists(_ path: String) -> Bool { access(root + path, F_OK) == 0 }

  /// This process may read and write it.
  func isUsable(_ path: String) -> Bool { access(root + path, R_OK | W_OK) == 0 }

  func text(_ path: String) -> String? {
    let descriptor = open(root + path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 16384)
    while bytes.count < Self.limit {
      let count = read(descriptor, &block, block.count)
      guard count >= 0 else { return nil }
      if count == 0 { break }
      bytes += block[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// No file that is meant to be read here is longer.
  private static let limit = 1 << 20

  /// The trimmed text of a file with one value; nil when it is empty.
  func line(_ path: String) -> String? {
    let line = text(path)?.trimmed
    return line?.isEmpty == false ? line : nil
  }

  func number(_ path: String) -> Double? { line(path).flatMap(Self.number) }

  /// Whole numbers only; as Double, for sums of what a file claims must not overflow.
  static func number(_ text: some StringProtocol) -> Double? { Int64(text).map(Double.init) }

  /// Lines of a name, a number, and perhaps a unit: `MemTotal:  8192 kB`, `nr_throttled 3`.
  func numbers(_ path: String) -> [String: Double] {
    var numbers: [String: Double] = [:]
    for line in (text(path) ?? "").split(separator: "\n") {
      let words = line.split { $0 == " " || $0 == "\t" }
      guard words.count >= 2, let value = Self.number(words[1]) else { continue }
      numbers[String(words[0].hasSuffix(":") ? words[0].dropLast() : words[0])] = value
    }
    return numbers
  }

  func names(_ folder: String, prefix: String = "") -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root + folder)) ?? []
    return names.filter { $0.hasPrefix(prefix) }.sorted()
  }

  /// The numbers in `folder`'s names that are `prefix` and a number: processors, processes. They ascend.
  func numbered(_ folder: String, _ prefix: String) -> [Int] {
    names(folder, prefix: prefix).compactMap { Int($0.dropFirst(prefix.count)) }.sorted()
  }

  func linkTarget(_ path: String) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: root + path)
  }
}
