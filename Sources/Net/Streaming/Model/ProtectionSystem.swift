/// Names of systems for digital rights management, for messages.
enum ProtectionSystem {
  /// ClearKey: as DASH-IF registered it, and as W3C's common key identifiers are signalled.
  static let clearKey: Set<String> = ["e2719d58-a985-b3c9-781a-b030af78d30e", "1077efec-c0b2-4d02-ace3-3c1e52e2fb4b"]
  /// Common encryption itself, without a system.
  static let commonEncryption = "urn:mpeg:dash:mp4protection:2011"

  private static let names = [
    "com.apple.streamingkeydelivery": "FairPlay",
    "com.microsoft.playready": "PlayReady",
    "94ce86fb-07ff-4f43-adb8-93d2fa968ca2": "FairPlay",
    "9a04f079-9840-4286-ab92-e65be0885f95": "PlayReady",
    "edef8ba9-79d6-4ace-a3c8-27dcd51d21ed": "Widevine",
    "5e629af5-38da-4063-8977-97ffbd9902d4": "Marlin",
    "f239e769-efa3-4850-9c16-a903c6932efb": "Adobe Primetime",
  ]

  /// The identifier behind `urn:uuid:` in lower case; other texts as they are.
  static func identifier(of scheme: String) -> String {
    let text = scheme.lowercased()
    return text.hasPrefix("urn:uuid:") ? String(text.dropFirst("urn:uuid:".count)) : text
  }

  /// The system's name, or the scheme where it has none.
  static func name(of scheme: String) -> String {
    names[identifier(of: scheme)] ?? "'\(scheme.prefix(60))'"
  }
}
