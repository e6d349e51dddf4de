import HTTP

/// The trouble of a stream by its requests that ended: it begins with a failed request and ends with one that brings the same.
/// Cancelled and abandoned requests change nothing. Pure.
package struct TroubleWatch: Sendable {
  private struct Failed {
    var trouble: NetworkTrouble
    var kind: StreamRequest.Kind
  }

  /// Of the video's rungs, and of the manifest and the sound.
  private var (video, other): (Failed?, Failed?)

  package init() {}

  package var trouble: NetworkTrouble? { (video ?? other)?.trouble }

  /// - Parameter trouble: of a request that failed.
  package mutating func note(_ request: StreamRequest, _ trouble: NetworkTrouble?) {
    let isVideo = request.rung != nil
    switch request.outcome {
    // Media goes on without a server's clock.
    case .failed where request.kind == .clock: break
    case .failed(let cause):
      let failed = Failed(trouble: trouble ?? NetworkTrouble(.server, cause), kind: request.kind)
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
