/// Fills the report of each request from what the player knows when it makes the request.
struct CMCDReporter: Sendable {
  let options: CMCDOptions
  /// Names the content.
  let content: String
  /// Nil until the manifest has come.
  var format: Presentation.Format?
  /// The picture waits for this: at the start, after a seek, in a stall.
  var isUrgent: @Sendable () -> Bool = { true }
  /// Whether the picture stood still since the last call.
  var takeStarvation: @Sendable () -> Bool = { false }

  private static let contentLimit = 64
  /// The throughput that is enough for a segment, as a multiple of its bit rate: CTA-5004's example.
  private static let sufficientRate = 5.0

  /// - Parameter buffer: media ahead of the picture, s.
  func report(of resource: StreamResource, buffer: Double) -> CMCDReport {
    var report = CMCDReport(options.mode)
    report[.cid] = .text(String(content.suffix(Self.contentLimit)))
    report[.sid] = .text(options.session)
    if let format {
      report[.sf] = .token(format == .hls ? "h" : "d")
      report[.st] = .token("v")
    }
    report[.ot] = .token(resource.kind.objectType(isSound: resource.rung == nil))
    if isUrgent() { report[.su] = .isTrue }
    guard resource.kind == .segment else { return report }
    // Playing is at normal speed: the buffer is the deadline.
    report[.bl] = .integer(Self.rounded(buffer * 1000, to: 100))
    report[.dl] = report[.bl]
    if takeStarvation() { report[.bs] = .isTrue }
    if let seconds = resource.seconds { report[.d] = .integer(Self.rounded(seconds * 1000, to: 1)) }
    if let media = resource.media { add(media, of: resource, to: &report) }
    return report
  }

  private func add(_ media: StreamResource.Media, of resource: StreamResource, to report: inout CMCDReport) {
    report[.br] = .integer(Self.rounded(media.bitrate / 1000, to: 1))
    report[.tb] = .integer(Self.rounded(media.topBitrate / 1000, to: 1))
    report[.rtp] = .integer(Self.rounded(media.bitrate / 1000 * Self.sufficientRate, to: 100))
    if let rate = media.throughput { report[.mtp] = .integer(Self.rounded(rate / 1000, to: 100)) }
    guard let next = media.next else { return }
    if next.address != resource.address {
      guard let path = resource.address.relativePath(of: next.address) else { return }
      report[.nor] = .text(path.percentEncoded())
    }
    if let range = next.range { report[.nrr] = .text("\(range.offset)-\(range.end - 1)") }
  }

  private static func rounded(_ value: Double, to step: Int) -> Int {
    Int(saturating: (value / Double(step)).rounded()) * step
  }
}

extension StreamRequest.Kind {
  /// CMCD's token of it.
  ///
  /// - Parameter isSound: of segments.
  fileprivate func objectType(isSound: Bool) -> String {
    switch self {
    case .manifest, .playlist: "m"
    case .initialization: "i"
    case .key: "k"
    case .index, .clock: "o"
    case .segment: isSound ? "a" : "v"
    }
  }
}

extension StreamAddress {
  /// The path from this resource to another one of the same server; nil for another server, and for a path with a query, which may
  /// hold secrets.
  func relativePath(of other: StreamAddress) -> String? {
    guard !other.text.contains("?") else { return nil }
    let path = text.prefix { $0 != "?" }
    let (own, wanted) = (Self.parts(path), Self.parts(other.text[...]))
    // The scheme, an empty part, and the host.
    guard own.count > 3, wanted.count > 3, own.prefix(3) == wanted.prefix(3) else { return nil }
    let common = zip(own.dropLast(), wanted.dropLast()).prefix { $0 == $1 }.count
    return (Array(repeating: "..", count: own.count - 1 - common) + wanted.dropFirst(common)).joined(separator: "/")
  }

  private static func parts(_ text: Substring) -> [Substring] {
    text.split(separator: "/", omittingEmptySubsequences: false)
  }
}
