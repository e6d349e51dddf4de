import HTTP

/// Why requests of a stream bring nothing, though they are made again. A value.
public struct StreamTrouble: Sendable, Hashable {
  public enum Kind: String, Sendable, Hashable {
    /// No answer comes, or it breaks off.
    case network
    /// An answer came that is of no use, such as 503, or the server is refused.
    case server
  }

  public var kind: Kind
  /// `the server answered 503 Service Unavailable`.
  public var cause: String

  public init(_ kind: Kind, _ cause: String) { (self.kind, self.cause) = (kind, cause) }
}

/// The trouble of a stream by its requests that ended: it begins with a failed request and ends with one that brings the same.
/// Cancelled and abandoned requests change nothing. Pure.
package struct TroubleWatch: Sendable {
  private struct Failed {
    var trouble: StreamTrouble
    var kind: StreamRequest.Kind
  }

  /// Of the video's rungs, and of the manifest and the sound.
  private var (video, other): (Failed?, Failed?)

  package init() {}

  package var trouble: StreamTrouble? { (video ?? other)?.trouble }

  /// - Parameter trouble: of a request that failed.
  package mutating func note(_ request: StreamRequest, _ trouble: StreamTrouble?) {
    let isVideo = request.rung != nil
    switch request.outcome {
    // Media goes on without a server's clock.
    case .failed where request.kind == .clock: break
    case .failed(let cause):
      let failed = Failed(trouble: trouble ?? StreamTrouble(.server, cause), kind: request.kind)
      if isVideo { video = failed } else { other = failed }
    case .finished:
      (video, other) = (left(video, request, isSame: isVideo), left(other, request, isSame: !isVideo))
    case .abandoned, .cancelled: break
    }
  }

  /// What is left of a failure after a request that finished: anything shows that the network is there; a segment, that what leads to it is.
  private func left(_ failed: Failed?, _ request: StreamRequest, isSame: Bool) -> Failed? {
    guard let failed, failed.trouble.kind == .server else { return nil }
    return isSame && (request.kind == .segment || request.kind == failed.kind) ? nil : failed
  }
}

extension HTTPProblem {
  var trouble: StreamTrouble {
    switch kind {
    case .noHost, .noConnection, .proxy, .connectTimeout, .firstByteTimeout, .stall, .wholeTimeout, .lost, .portal:
      StreamTrouble(.network, cause)
    case .badURL, .badRequest, .forbiddenAddress, .certificate, .tls, .badResponse, .tooLong, .redirects, .status,
      .changed, .cancelled, .resources:
      StreamTrouble(.server, cause)
    }
  }
}
