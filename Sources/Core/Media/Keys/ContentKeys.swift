import Frames

/// Keys of common encryption (ISO/IEC 23001-7) that the caller has, by their identifiers, and a server that may give others.
///
/// A value. Keys are secrets: its descriptions tell none, and messages name identifiers alone.
public struct ContentKeys: Sendable, Hashable, Codable {
  private var keys: [[UInt8]: [UInt8]] = [:]
  /// A ClearKey licence server (Encrypted Media Extensions, 9.1.3), which is asked by POST for keys that are not here; nil: none is.
  public var licenceURL: String?

  public init() {}

  /// Bytes of a key, and of an identifier.
  public static let byteCount = 16

  /// `KID:KEY`, hexadecimal; the identifier may be written as a UUID.
  ///
  /// Throws `.usage` with what is wrong, which is not quoted: it may be most of a key.
  public init(_ text: some StringProtocol) throws(Failure) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw Self.flaw("it is not written KID:KEY") }
    add(
      try Self.bytes(String(parts[1]), called: "key"),
      for: try Self.bytes(String(parts[0]).replacing("-", with: ""), called: "identifier"))
  }

  /// - Parameters:
  ///   - key: 16 bytes; others are passed over.
  ///   - identifier: 16 bytes.
  public mutating func add(_ key: [UInt8], for identifier: [UInt8]) {
    guard key.count == Self.byteCount, identifier.count == Self.byteCount else { return }
    keys[identifier] = key
  }

  /// With the keys of another one as well, which win, and its server.
  public mutating func add(_ other: ContentKeys) {
    keys.merge(other.keys) { $1 }
    licenceURL = other.licenceURL ?? licenceURL
  }

  /// No key is here, and no server that might have one.
  public var isEmpty: Bool { keys.isEmpty && licenceURL == nil }
  public var count: Int { keys.count }

  /// - Parameter identifier: nil: the content does not tell; the only key there is.
  package func key(_ identifier: [UInt8]?) -> [UInt8]? {
    guard let identifier else { return keys.count == 1 ? keys.first?.value : nil }
    return keys[identifier]
  }

  private static func bytes(_ text: String, called name: String) throws(Failure) -> [UInt8] {
    let digits = text.compactMap { $0.isASCII ? $0.hexDigitValue.map(UInt8.init) : nil }
    guard digits.count == text.count else { throw flaw("its \(name) is not hexadecimal") }
    guard digits.count == 2 * byteCount else {
      throw flaw("its \(name) has \(digits.count) hexadecimal digits, not \(2 * byteCount)")
    }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  private static func flaw(_ cause: String) -> Failure {
    Failure(
      .usage, "cannot use a key", cause: cause, remedy: "write KID:KEY, each of \(2 * byteCount) hexadecimal digits")
  }
}

extension ContentKeys: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { count == 1 ? "1 key" : "\(count) keys" }
  public var debugDescription: String { description }
  /// Without children: `dump` and test libraries look into values.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Hexadecimal, as messages name an identifier.
package func keyName(_ identifier: [UInt8]) -> String {
  identifier.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
