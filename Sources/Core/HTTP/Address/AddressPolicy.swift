/// Which hosts a request may reach, by the addresses that it really connects to.
///
/// What a user names may lie anywhere. What a playlist names, or a server redirects to, must lie in the Internet, or where the
/// playlist or server lies itself: a page on the web reaches neither this machine nor its network.
///
/// The address is looked at when the socket is made and again before each request is sent, so that neither a name that is
/// resolved anew nor a connection that another request opened leads around it. Behind a proxy the proxy resolves names, in a
/// network that is the user's choice: there only addresses that are written out, and `localhost`, are refused.
public struct AddressPolicy: Sendable, Hashable, Codable {
  private let allowed: Set<AddressScope>

  /// For what the user names: any address. A redirect from there is bound by where it comes from.
  public static let named = AddressPolicy(allowed: Set(AddressScope.allCases))

  /// For what a playlist or manifest names that lies at an address of this scope.
  public static func referred(from scope: AddressScope) -> AddressPolicy {
    switch scope {
    case .global, .reserved: AddressPolicy(allowed: [.global])
    case .privateUse: AddressPolicy(allowed: [.global, .privateUse])
    case .linkLocal: AddressPolicy(allowed: [.global, .linkLocal])
    case .loopback: AddressPolicy(allowed: [.global, .privateUse, .loopback])
    }
  }

  public func allows(_ scope: AddressScope) -> Bool { allowed.contains(scope) }

  /// For where a server at an address of this scope redirects to.
  package func afterRedirect(from scope: AddressScope) -> AddressPolicy {
    AddressPolicy(allowed: allowed.intersection(Self.referred(from: scope).allowed))
  }
}

/// What a host says of itself without being resolved: the scope of an address, or of `localhost`; nil for other names.
func writtenScope(ofHost host: String) -> AddressScope? {
  if let address = PeerAddress(host) { return address.scope }
  let name = host.hasSuffix(".") ? String(host.dropLast()) : host
  return name == "localhost" || name.hasSuffix(".localhost") ? .loopback : nil
}
