import Frames

/// The origins (scheme, host and port) that have answered in one session: a failure to connect to one of them may pass, where a name that was
/// never reached may be wrong. Any thread.
package final class ReachedOrigins: Sendable {
  private let origins = Monitor<Set<String>>([])

  package init() {}

  package func contains(_ address: StreamAddress) -> Bool {
    origins.withLock { $0.contains(Self.origin(of: address)) }
  }

  package func insert(_ address: StreamAddress) {
    origins.withLock { _ = $0.insert(Self.origin(of: address)) }
  }

  private static func origin(of address: StreamAddress) -> String {
    let text = address.text
    guard let scheme = text.firstRange(of: "://") else { return "" }
    let authority = text[scheme.upperBound...].prefix { !"/?#".contains($0) }
    return text[..<scheme.upperBound].lowercased() + (authority.split(separator: "@").last ?? "").lowercased()
  }
}
