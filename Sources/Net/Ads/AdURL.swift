import HTTP

/// A URL that a document of ads names, and the hosts that a request for it may reach: those of the document's own surroundings, and the
/// Internet (`AddressPolicy`).
public struct AdURL: Sendable, Hashable {
  public var text: String
  public var policy: AddressPolicy

  public init(_ text: String, _ policy: AddressPolicy) { (self.text, self.policy) = (text, policy) }
}

/// A schedule, or an answer of an ad server.
public struct AdDocument: Sendable {
  public var bytes: [UInt8]
  /// Where it was found, and the hosts that its URLs may lead to.
  public var base: AdBase

  public init(bytes: [UInt8], base: AdBase) { (self.bytes, self.base) = (bytes, base) }
}
