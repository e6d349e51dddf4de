import Frames
import Media

extension ContentKeys {
  /// The keys of a file: a JSON Web Key set as ClearKey licences are (`{"keys":[{"kty":"oct","kid":…,"k":…}]}`), or lines of `KID:KEY`, of
  /// which empty ones and those behind `#` are passed over.
  ///
  /// Throws `.input` with what is wrong, without quoting it.
  public init(file: String) throws(Failure) {
    let attempt = "cannot read the keys in '\(file)'"
    let bytes = try readBytes(file, byteLimit: 1 << 20, interruption: Interruption())
    if bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") {
      guard let licence = ClearKeyLicence(bytes), !licence.isEmpty else {
        throw Failure(
          .input, attempt, cause: "it is no set of JSON Web Keys, or one of its keys does not have 16 bytes",
          remedy: "write {\"keys\":[{\"kty\":\"oct\",\"kid\":…,\"k\":…}]} in base64url, or lines of KID:KEY")
      }
      self = licence.contentKeys
      return
    }
    self.init()
    let lines = String(decoding: bytes, as: UTF8.self).split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (number, line) in lines.enumerated() {
      let text = line.filter { !$0.isWhitespace }
      guard !text.isEmpty, !text.hasPrefix("#") else { continue }
      do throws(Failure) {
        add(try ContentKeys(text))
      } catch {
        throw Failure(.input, attempt, cause: "line \(number + 1): \(error.cause)", remedy: error.remedy)
      }
    }
    guard count > 0 else { throw Failure(.input, attempt, cause: "it has none", remedy: "write lines of KID:KEY") }
  }

  /// Where the caller's licence server is; nil: there is none.
  func licenceAddress() throws(Failure) -> StreamAddress? {
    guard let licenceURL else { return nil }
    return try StreamAddress(url: licenceURL)
  }
}

extension NetworkOptions {
  /// With the keys that a clip needs and the licence server has, which is asked once where any is missing, and is not needed any more. Of
  /// streams their loader asks.
  ///
  /// Throws as opening the clip does, and `.encrypted` for an answer that is no licence.
  public func withKeys(
    of path: String, interruption: Interruption = Interruption()
  ) throws(Failure) -> NetworkOptions {
    guard let server = keys.licenceURL else { return self }
    let wanted = try keyIdentifiers(path, network: self, interruption: interruption)
    guard !wanted.isEmpty else { return self }
    var network = self
    network.keys.licenceURL = nil
    let missing = wanted.filter { keys.key($0) == nil }
    guard !missing.isEmpty else { return network }
    let answer = try ask(
      server, ClearKeyLicence.question(missing), byteLimit: Int(StreamLimits().licenceBytes), self, interruption)
    guard let licence = ClearKeyLicence(answer) else {
      throw Failure(
        .encrypted, "cannot decrypt '\(path)'", cause: "its ClearKey licence is damaged, or none",
        remedy: "check --licence-url")
    }
    network.keys.add(licence.contentKeys)
    return network
  }
}
