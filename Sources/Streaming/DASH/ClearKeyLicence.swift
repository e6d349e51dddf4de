import Foundation

/// The keys of a W3C ClearKey licence, by their identifiers (Encrypted Media Extensions, 9.1.4).
struct ClearKeyLicence {
  private let keys: [[UInt8]: [UInt8]]

  private struct Text: Decodable {
    struct Key: Decodable {
      /// The identifier and the key of 16 bytes, in base64url without padding.
      var kid: String
      var k: String
    }

    var keys: [Key]
  }

  /// Nil for text that is no licence, or has a key or an identifier of another length than 16 bytes.
  init?(_ bytes: [UInt8]) {
    guard let text = try? JSONDecoder().decode(Text.self, from: Data(bytes)) else { return nil }
    var keys: [[UInt8]: [UInt8]] = [:]
    for key in text.keys {
      guard let identifier = Self.bytes(key.kid), let value = Self.bytes(key.k) else { return nil }
      keys[identifier] = value
    }
    self.keys = keys
  }

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
