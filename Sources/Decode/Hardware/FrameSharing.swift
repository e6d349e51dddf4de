internal import CFFmpeg
import Frames

/// Makes a decoder's frames readable to the device that draws. One thread at a time.
protocol FrameSharing: AnyObject {
  /// Nil where this frame, such as one of another format, is to be copied back; throws where none can be shared any more.
  func share(_ frame: UnsafeMutablePointer<AVFrame>) throws(Failure) -> SharedFrame?
}

/// A frame whose samples both devices know; gives everything back with its last reference, on any thread.
final class SharedFrame: @unchecked Sendable {
  let allocation: PictureAllocation
  let format: PictureFormat
  let size: PictureSize
  /// The decoder's surface, where the samples lie in it.
  private var surface: UnsafeMutablePointer<AVFrame>?
  private let onEnd: @Sendable () -> Void

  /// Takes `allocation` and `surface` over.
  init(
    _ allocation: PictureAllocation, format: PictureFormat, size: PictureSize,
    surface: UnsafeMutablePointer<AVFrame>? = nil, onEnd: @escaping @Sendable () -> Void = {}
  ) {
    self.allocation = allocation
    self.format = format
    self.size = size
    self.surface = surface
    self.onEnd = onEnd
  }

  deinit {
    allocation.release()
    av_frame_free(&surface)
    onEnd()
  }

  /// Hangs it on `frame`, which lets go of it when it is unreferenced; false when memory is short.
  func attach(to frame: UnsafeMutablePointer<AVFrame>) -> Bool {
    let retained = Unmanaged.passRetained(self)
    let buffer = av_buffer_create(
      retained.toOpaque().assumingMemoryBound(to: UInt8.self), 1,
      { opaque, _ in
        guard let opaque else { return }
        Unmanaged<SharedFrame>.fromOpaque(opaque).release()
      }, retained.toOpaque(), 0)
    guard let buffer else {
      retained.release()
      return false
    }
    av_buffer_unref(&frame.pointee.opaque_ref)
    frame.pointee.opaque_ref = buffer
    return true
  }

  /// What hangs on a hardware decoder's frame; nil when nothing does.
  static func attached(to frame: UnsafeMutablePointer<AVFrame>) -> SharedFrame? {
    guard frame.pointee.hw_frames_ctx != nil, let data = frame.pointee.opaque_ref?.pointee.data else { return nil }
    return Unmanaged<SharedFrame>.fromOpaque(data).takeUnretainedValue()
  }
}

/// The format of shared samples; nil for what is copied back: all but 4:2:0 of 8, 10 and 12 bits.
func sharedFormat(_ format: AVPixelFormat) -> PictureFormat? {
  guard let found = directFormat(format), found.isChromaInterleaved else { return nil }
  return found
}
