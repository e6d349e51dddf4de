import Frames
import Media

/// Tells from packets alone on which frame a seek lands, before one of them is decoded: pure.
///
/// Takes the packets from the sync sample on, in the order of decoding.
public struct SeekScout: Sendable {
  private let request: SeekRequest
  /// The last frame at or before the target.
  private var before: MediaTime?
  /// The first frame at or after the window's start.
  private var inside: MediaTime?
  /// The first frame after the target.
  private var after: MediaTime?
  private var decodingTime: MediaTime?
  private var packetsAfter = 0

  /// Frames that a packet can be shown ahead of in any codec: no H.264 or HEVC decoder holds more.
  private static let longestReorder = 16

  public init(_ request: SeekRequest) {
    self.request = request
  }

  /// - Parameter decodingTime: no packet after this one is shown before it; nil where it is not said.
  public mutating func saw(presentationTime time: MediaTime, decodingTime: MediaTime?) {
    if let decodingTime { self.decodingTime = max(decodingTime, self.decodingTime ?? decodingTime) }
    if time >= request.earliest { inside = min(time, inside ?? time) }
    if time <= request.target {
      before = max(time, before ?? time)
    } else {
      after = min(time, after ?? time)
      packetsAfter += 1
    }
  }

  /// No packet that is still to come changes the landing or the frame after it.
  public var isCertain: Bool {
    if let chosen = chosenInside, let decodingTime, decodingTime >= chosen { return true }
    guard let after else { return false }
    return packetsAfter > Self.longestReorder || decodingTime.map { $0 >= after } ?? false
  }

  /// The frame to land on; nil before there is a packet.
  public var landing: MediaTime? { chosenInside ?? before ?? after }

  /// The frame after the target, until which the landing is shown.
  public var following: MediaTime? { after }

  /// Makes the landing last until the frame after it where that is what is shown at the target.
  func extend(_ frame: inout VideoFrame) {
    guard let after, frame.presentationTime <= request.target, frame.presentationTime == before else { return }
    frame.lasts(until: after)
  }

  /// Only a window has room for a frame that is not shown at the target.
  private var chosenInside: MediaTime? {
    request.isExact ? nil : inside.flatMap { $0 <= request.latest ? $0 : nil }
  }
}
