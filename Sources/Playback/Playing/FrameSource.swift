import Decode
import Frames

/// Decoded frames on their way to a player. One thread uses it, and never waits for it.
public protocol FrameSource: AnyObject {
  /// Hands over what was decoded since the last call, oldest first.
  func drain(_ take: (Fed) -> Void) -> FrameSupply
  /// The oldest frame that was handed over and not yet released waits no more: it was shown, or never will be.
  func release()
  /// Decodes with this effort from the next frame on.
  func request(_ effort: DecodeEffort)
  /// Goes elsewhere: what was not handed over never will be, and the next thing that is handed over is this order's
  /// landing. An order that a newer one replaced before does not land.
  ///
  /// - Parameter waits: nothing behind the landing is decoded before `goOn`.
  func go(_ order: SeekOrder, id: Int, waits: Bool)
  /// Decodes ahead from where it is.
  func goOn()
  /// Frames that were left out to save effort.
  var framesLeftOut: Int { get }
  /// Frames that were decoded and not handed over, because the player had gone elsewhere.
  var framesDiscarded: Int { get }
}

/// Where to go in a clip. Times are the file's, as frames have them: not the timeline's.
public enum SeekOrder: Sendable, Hashable {
  case seek(SeekRequest)
  /// The frame after the one that came last.
  case next
  /// The frame before the one of this time.
  case before(MediaTime)
}

/// What a player is handed.
public enum Fed: Sendable {
  case frame(FedFrame)
  case landing(SeekLanding)

  public var frame: FedFrame? {
    switch self {
    case .frame(let frame): frame
    case .landing(let landing): landing.frame
    }
  }
}

/// What came of an order.
public struct SeekLanding: Sendable {
  /// The number that was given to the order.
  public var id: Int
  /// Nil where the clip has none: beside its ends, and before a file's that ends too early.
  public var frame: FedFrame?
  /// Frames that came out of the decoder for it.
  public var framesDecoded: Int

  public init(id: Int, frame: FedFrame?, framesDecoded: Int) {
    self.id = id
    self.frame = frame
    self.framesDecoded = framesDecoded
  }
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
