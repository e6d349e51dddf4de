import FoundationEssentials
import Media

/// The keys of a W3C ClearKey licence, by their identifiers (Encrypted Media Extensions, 9.1.4).
struct ClearKeyLicence {
  private var keys: [[UInt8]: [UInt8]]
  /// Beyond the session in which it was given: the server says so.
  private(set) var mayBeKept = false

  private struct Text: Decodable {
    struct Key: Decodable {
      /// The identifier and the key of 16 bytes, in base64url without padding.
      var kid: String
      var k: String
    }

    var keys: [Key]
    /// `temporary`, which is meant where nothing is said, or `persistent-license`.
    var type: String?
  }

  private static let kept = "persistent-license"

  /// Nil for text that is no licence, or has a key or an identifier of another length than 16 bytes.
  init?(_ bytes: [UInt8]) {
    guard let text = try? JSONDecoder().decode(Text.self, from: Data(bytes)) else { return nil }
    var keys: [[UInt8]: [UInt8]] = [:]
    for key in text.keys {
      guard let identifier = Self.bytes(key.kid), let value = Self.bytes(key.k) else { return nil }
      keys[identifier] = value
    }
    self.keys = keys
    mayBeKept = text.type == Self.kept
  }

  /// What a licence server is asked by POST (section 9.1.3).
  ///
  /// - Parameter keeps: the answer is to be kept.
  static func question(_ identifiers: [[UInt8]], keeps: Bool = false) -> String {
    let names = identifiers.map { "\"\(coded($0))\"" }.joined(separator: ",")
    return #"{"kids":[\#(names)],"type":"\#(keeps ? kept : "temporary")"}"#
  }

  /// A licence of these keys that may be kept, in the order of their identifiers.
  var text: [UInt8] {
    let rows = keys.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { identifier, key in
      #"{"kty":"oct","kid":"\#(Self.coded(identifier))","k":"\#(Self.coded(key))"}"#
    }
    return Array(#"{"keys":[\#(rows.joined(separator: ","))],"type":"\#(Self.kept)"}"#.utf8)
  }

  /// base64url without padding.
  private static func coded(_ bytes: [UInt8]) -> String {
    let text = Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
    return String(text.prefix { $0 != "=" })
  }

  /// Without a key.
  init() { keys = [:] }

  var isEmpty: Bool { keys.isEmpty }

  var contentKeys: ContentKeys {
    var all = ContentKeys()
    for (identifier, key) in keys { all.add(key, for: identifier) }
    return all
  }

  /// With the keys of another one as well.
  mutating func add(_ other: ClearKeyLicence) { keys.merge(other.keys) { $1 } }

  /// - Parameter identifier: nil: the manifest does not tell; the only key there is.
  func key(_ identifier: [UInt8]?) -> [UInt8]? {
    guard let identifier else { return keys.count == 1 ? keys.first?.value : nil }
    return keys[identifier]
  }

  /// 16 bytes from 22 characters.
  private static func bytes(_ text: String) -> [UInt8]? {
    let usual = text.replacing("-", with: "+").replacing("_", with: "/").prefix { $0 != "=" }
    guard usual.utf8.count == 22, let data = Data(base64Encoded: usual + "=="), data.count == 16 else { return nil }
    return [UInt8](data)
  }
}
