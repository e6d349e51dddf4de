package import CFFmpeg
import Frames

/// A running hardware decoder as libavcodec's context sees it: its installation, and how its frames are delivered.
///
/// One thread at a time. It outlives the codec context that it is installed in.
package protocol HardwareSession: AnyObject {
  var choice: DecoderChoice { get }
  /// FFmpeg's decoder for the stream on that hardware.
  var codec: UnsafePointer<AVCodec> { get }
  /// Why the device does not decode the stream; nil while it does.
  var refusal: String? { get }
  /// Why frames are copied back though they were to be shared; nil when they were not, or are.
  var sharingRefusal: String? { get }
  /// Frames are drawn where they lie.
  var sharesMemory: Bool { get }

  /// Before the codec is opened.
  func install(in context: UnsafeMutablePointer<AVCodecContext>)

  /// Whether the device takes the next packet; where it does not, `refusal` says why.
  func takesPacket() -> Bool

  /// Makes of a frame in the decoder's memory one that can be drawn: shared, or copied to the CPU's memory. Does nothing to
  /// others.
  ///
  /// - Parameters:
  ///   - lending: where copies go; nil: to libavcodec's memory.
  ///   - allowsDeep: samples of more than 8 bits can be drawn.
  func bring(
    _ frame: UnsafeMutablePointer<AVFrame>, lending: DirectRendering?, allowsDeep: Bool
  ) throws(Failure)
}
