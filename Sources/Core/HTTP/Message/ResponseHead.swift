internal import CCurl
import Frames
import Glibc

/// What a response says before its body.
public struct ResponseHead: Sendable, Hashable {
  public let status: Int
  /// After redirects.
  public let url: HTTPURL
  public let fields: HTTPFields
  /// Of the address that answered. Behind a proxy: of the address or `localhost` in the URL, else `.global`.
  public let scope: AddressScope

  /// The body's length as it is sent, in bytes; nil where the server does not tell.
  public var contentLength: Int64? { fields["content-length"].flatMap { Int64($0) }.flatMap { $0 < 0 ? nil : $0 } }

  /// The media type in lower case, without parameters; empty where there is none.
  public var mediaType: String {
    let text = fields["content-type"] ?? ""
    return text.prefix { $0 != ";" }.split(separator: " ").joined().lowercased()
  }

  /// What a partial response holds: its bytes and the whole length where that is known. Nil where it is missing or not
  /// well-formed.
  public var contentRange: (first: Int64, last: Int64, total: Int64?)? {
    guard let words = fields["content-range"]?.split(separator: " "), words.count == 2, words[0].lowercased() == "bytes"
    else { return nil }
    let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Int64(ends[0]), let last = Int64(ends[1]), first >= 0, last >= first else {
      return nil
    }
    if parts[1] == "*" { return (first, last, nil) }
    guard let total = Int64(parts[1]), total > last else { return nil }
    return (first, last, total)
  }

  /// The whole length of a resource of which a range is beyond its end (status 416).
  public var unsatisfiedTotal: Int64? {
    guard status == 416, let text = fields["content-range"], let slash = text.lastIndex(of: "/") else { return nil }
    return Int64(text[text.index(after: slash)...]).flatMap { $0 < 0 ? nil : $0 }
  }

  /// Seconds that the server asks to wait before the next request; nil where it does not.
  public var retryAfter: Double? {
    guard let text = fields["retry-after"] else { return nil }
    if let seconds = Double(text), seconds.isFinite { return max(0, seconds) }
    let date = curl_getdate(text, nil)
    guard date >= 0 else { return nil }
    let own = fields["date"].map { curl_getdate($0, nil) } ?? -1
    return max(0, Double(date - (own >= 0 ? own : time(nil))))
  }

  /// Bytes of the whole resource, where the response tells.
  private var total: Int64? {
    switch status {
    case 206: contentRange?.total
    case 416: unsatisfiedTotal
    default: fields.contains("content-encoding") ? nil : contentLength
    }
  }

  /// Says which version of a resource this is.
  public var validator: HTTPValidator {
    HTTPValidator(
      entityTag: fields["etag"].flatMap { $0.hasPrefix("W/") ? nil : $0 }, lastModified: fields["last-modified"],
      total: total)
  }

  /// The status as a problem; nil where it is a success.
  public var problem: HTTPProblem? {
    (200...299).contains(status) ? nil : HTTPProblem(status: status, retryAfter: retryAfter)
  }
}

/// Which version of a resource a response is of.
public struct HTTPValidator: Sendable, Hashable {
  public let entityTag: String?
  public let lastModified: String?
  public let total: Int64?

  package init(entityTag: String? = nil, lastModified: String? = nil, total: Int64? = nil) {
    (self.entityTag, self.lastModified, self.total) = (entityTag, lastModified, total)
  }

  /// Whether two responses can be of one version: nothing that both say differs.
  public func fits(_ other: HTTPValidator) -> Bool {
    func agree<Value: Equatable>(_ a: Value?, _ b: Value?) -> Bool {
      guard let a, let b else { return true }
      return a == b
    }
    return agree(entityTag, other.entityTag) && agree(lastModified, other.lastModified) && agree(total, other.total)
  }
}

/// A response with its whole body.
public struct HTTPResponse: Sendable {
  public let head: ResponseHead
  public let body: [UInt8]
}
