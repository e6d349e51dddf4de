package import CFFmpeg
import Frames

/// Makes a decoder's frames readable to the device that draws. One thread at a time.
package protocol FrameSharing: AnyObject {
  /// Nil where this frame, such as one of another format, is to be copied back; throws where none can be shared any more.
  func share(_ frame: UnsafeMutablePointer<AVFrame>) throws(Failure) -> SharedFrame?
}

/// A frame whose samples both devices know; gives everything back with its last reference, on any thread.
package final class SharedFrame: @unchecked Sendable {
  let allocation: PictureAllocation
  let format: PictureFormat
  let size: PictureSize
  /// The decoder's surface, where the samples lie in it.
  private var surface: UnsafeMutablePointer<AVFrame>?
  private let onEnd: @Sendable () -> Void

  /// Takes `allocation` and `surface` over.
  package init(
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

  /// Attaches it to `frame`, which releases it when unreferenced; false when memory is short.
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

  /// The shared picture attached to a hardware decoder's frame; nil when there is none.
  static func attached(to frame: UnsafeMutablePointer<AVFrame>) -> SharedFrame? {
    guard frame.pointee.hw_frames_ctx != nil, let data = frame.pointee.opaque_ref?.pointee.data else { return nil }
    return Unmanaged<SharedFrame>.fromOpaque(data).takeUnretainedValue()
  }
}

/// The format of shared samples, 4:2:0 of 8, 10 or 12 bits; nil for all others, which are copied back.
package func sharedFormat(_ format: AVPixelFormat) -> PictureFormat? {
  guard let found = directFormat(format), found.isChromaInterleaved else { return nil }
  return found
}
