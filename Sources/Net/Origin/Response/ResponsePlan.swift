import NIOCore
import NIOHTTP1

/// What a response will be, before a byte of it is sent: a value that faults change.
public struct ResponsePlan: Sendable {
  /// Where the bytes of the body come from.
  enum Body: Sendable {
    case none
    case bytes(ByteBuffer)
    case file(ServedFile, Range<Int64>)
  }

  /// Something that happens instead of the rest of a response.
  enum Stop: Sendable, Hashable {
    /// Nothing is sent for so long; nil is for ever.
    case stall(seconds: Double?)
    case reset
    case close
  }

  /// A stop after so many bytes of the body; nil: before the head.
  struct Accident: Sendable, Hashable {
    var after: Int64?
    var stop: Stop
  }

  public internal(set) var status: Int
  var fields = HTTPHeaders()
  var body: Body
  /// As `Content-Length` has it; nil: as long as the body.
  var announcedBytes: Int64?
  /// Added to the clock of the `Date` field.
  var dateOffsetSeconds: Int64 = 0
  /// The head is sent in pieces over so many seconds; nil: at once.
  var headSeconds: Double?
  var accident: Accident?
  /// Bytes of the body that may be sent, from which instant on, ascending: it is sent while it is made, in chunks, and its length is
  /// not announced. Empty: all at once.
  var releases: [(instant: NIODeadline, bytes: Int64)] = []

  /// Length of the body in bytes.
  var bodyBytes: Int64 {
    switch body {
    case .none: 0
    case .bytes(let buffer): Int64(buffer.readableBytes)
    case .file(_, let range): range.upperBound - range.lowerBound
    }
  }

  /// A refusal with one line of text.
  init(status: Int, reason: String, allow: String? = nil, retryAfter: Int? = nil) {
    self.status = status
    body = .bytes(ByteBuffer(string: "\(status) \(reason)\n"))
    fields.add(name: "Content-Type", value: "text/plain; charset=utf-8")
    if let allow { fields.add(name: "Allow", value: allow) }
    if let retryAfter { fields.add(name: "Retry-After", value: "\(retryAfter)") }
  }

  init(_ refusal: DocumentRoot.Refusal) {
    switch refusal {
    case .missing: self.init(status: 404, reason: "Not Found")
    case .forbidden(let reason): self.init(status: 403, reason: "Forbidden: \(reason)")
    case .busy: self.init(status: 503, reason: "Service Unavailable: too many open files", retryAfter: 1)
    }
  }

  init(status: Int, body: Body, fields: HTTPHeaders) {
    self.status = status
    self.body = body
    self.fields = fields
  }

  /// What a server without faults answers a GET or HEAD for the content (RFC 9110, sections 13 and 14).
  static func answer(_ content: ServedContent, path: String, request: HTTPRequestHead) -> ResponsePlan {
    let size = content.size
    var fields = HTTPHeaders()
    fields.add(name: "Accept-Ranges", value: "bytes")
    fields.add(name: "ETag", value: content.entityTag)
    fields.add(name: "Last-Modified", value: HTTPDate.text(secondsSince1970: content.modifiedSeconds))
    fields.add(name: "Cache-Control", value: "no-cache")
    if isUnchanged(content, request.headers) { return ResponsePlan(status: 304, body: .none, fields: fields) }
    fields.add(name: "Content-Type", value: MediaType.of(path: path))
    let field = request.method == .GET && allowsRange(content, request.headers) ? request.range : nil
    switch RequestedRange(field, size: size) {
    case .whole: return ResponsePlan(status: 200, body: content.body(0..<size), fields: fields)
    case .part(let range):
      fields.add(name: "Content-Range", value: "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)")
      return ResponsePlan(status: 206, body: content.body(range), fields: fields)
    case .unsatisfiable:
      var refusal = ResponsePlan(status: 416, reason: "Range Not Satisfiable")
      refusal.fields.add(name: "Content-Range", value: "bytes */\(size)")
      return refusal
    }
  }

  private static func isUnchanged(_ content: ServedContent, _ fields: HTTPHeaders) -> Bool {
    let tag = content.entityTag
    if let tags = fields.joined("If-None-Match") {
      return tags.split(separator: ",").contains { candidate in
        let candidate = candidate.trimmingBlanks
        return candidate == "*" || candidate == tag || candidate == "W/" + tag
      }
    }
    guard let since = fields.first(name: "If-Modified-Since").flatMap(HTTPDate.seconds) else { return false }
    return content.modifiedSeconds <= since
  }

  private static func allowsRange(_ content: ServedContent, _ fields: HTTPHeaders) -> Bool {
    guard let condition = fields.first(name: "If-Range")?.trimmingBlanks else { return true }
    return condition == content.entityTag || HTTPDate.seconds(String(condition)) == content.modifiedSeconds
  }
}

extension HTTPRequestHead {
  /// The value of the `Range` field.
  var range: String? { headers.first(name: "Range") }
}

extension HTTPHeaders {
  /// The values of all fields of that name as one list; nil where there is none.
  fileprivate func joined(_ name: String) -> String? {
    let values = self[name]
    return values.isEmpty ? nil : values.joined(separator: ",")
  }
}
