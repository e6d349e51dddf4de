import Decode
import Frames
import Media

/// Decoded frames on their way to a player. One thread uses it, and never waits for it.
public protocol FrameSource: AnyObject {
  /// Hands over the items decoded since the last call, oldest first.
  func drain(_ take: (FeedItem) -> Void) -> FrameSupply
  /// Releases the oldest frame handed over and not yet released: it was shown, or never will be.
  func release()
  /// Decodes with this effort from the next frame on.
  func request(_ effort: DecodeEffort)
  /// Seeks: discards items not yet handed over; the next item is this order's landing. An order replaced by a newer one
  /// does not land.
  ///
  /// - Parameter waits: nothing behind the landing is decoded before `goOn`.
  func go(_ order: SeekOrder, id: Int, waits: Bool)
  /// Decodes ahead from where it is.
  func goOn()
  /// Frames that were left out to save effort.
  var framesLeftOut: Int { get }
  /// Frames that were decoded and discarded because of a seek.
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

/// An item for the player.
public enum FeedItem: Sendable {
  case frame(QueuedFrame)
  case landing(SeekLanding)

  public var frame: QueuedFrame? {
    switch self {
    case .frame(let frame): frame
    case .landing(let landing): landing.frame
    }
  }
}

/// The result of an order.
public struct SeekLanding: Sendable {
  /// The number that was given to the order.
  public var id: Int
  /// Nil where the clip has none: beside its ends, and before a file's that ends too early.
  public var frame: QueuedFrame?
  /// Frames that came out of the decoder for it.
  public var framesDecoded: Int

  public init(id: Int, frame: QueuedFrame?, framesDecoded: Int) {
    self.id = id
    self.frame = frame
    self.framesDecoded = framesDecoded
  }
}

/// Whether there are frames to come.
public enum FrameSupply: Sendable, Hashable {
  case flowing
  /// The frames handed over are the last.
  case ended
  /// So they are, but the clip should have more: the file is truncated, or its server broke off. The failure tells; other places
  /// can still be sought.
  case endedEarly(Failure)
  case failed(Failure)
}

/// A decoded frame and its place on the timeline.
public struct QueuedFrame: Sendable {
  public var place: PacedFrame
  public var frame: VideoFrame

  public init(place: PacedFrame, frame: VideoFrame) {
    self.place = place
    self.frame = frame
  }
}
