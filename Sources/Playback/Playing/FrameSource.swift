import Frames

/// Decoded frames on their way to a player. One thread uses it, and never waits for it.
public protocol FrameSource: AnyObject {
  /// Hands over what was decoded since the last call, oldest first.
  func drain(_ take: (FedFrame) -> Void) -> FrameSupply
  /// The oldest frame that was handed over and not yet released waits no more: it was shown, or never will be.
  func release()
  /// Decodes with this effort from the next frame on.
  func request(_ effort: DecodeEffort)
  /// Frames that were left out to save effort.
  var framesLeftOut: Int { get }
}

/// Whether there are frames to come.
public enum FrameSupply: Sendable, Hashable {
  case flowing
  /// Those handed over are the last.
  case ended
  case failed(Failure)
}

/// A decoded frame and its place on the timeline.
public struct FedFrame: Sendable {
  public var place: PacedFrame
  public var frame: VideoFrame

  public init(place: PacedFrame, frame: VideoFrame) {
    self.place = place
    self.frame = frame
  }
}

/// How far ahead of the display is decoded: until either limit is met, but two frames in any case.
public struct LookAhead: Sendable, Hashable, Codable {
  public var frames: Int
  public var bytes: Int

  public init(frames: Int = 8, bytes: Int = 512 << 20) {
    self.frames = frames
    self.bytes = bytes
  }

  /// Whether one more frame may be decoded while so many wait.
  ///
  /// - Parameter next: its bytes, as far as one can tell beforehand.
  func allows(frames waiting: Int, bytes held: Int, next: Int) -> Bool {
    // A player goes on after a stall with two.
    waiting < 2 || waiting < frames && held + next <= bytes
  }
}
