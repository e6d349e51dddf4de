package import CFFmpeg
import Frames
import Media

/// Hands frames over that FFmpeg made on the device that draws: nothing is copied, and each keeps its images until its last
/// holder let go. One thread at a time.
package final class VulkanSharing: FrameSharing {
  private let allocator: PictureAllocator

  package init(_ allocator: PictureAllocator) { self.allocator = allocator }

  package func share(_ frame: UnsafeMutablePointer<AVFrame>) throws(Failure) -> SharedFrame? {
    guard let frames = bench_hardware_frames(frame), let format = directFormat(frames.pointee.sw_format),
      frame.pointee.crop_left == 0, frame.pointee.crop_top == 0
    else { return nil }
    let count = Int(bench_vulkan_image_count(frame))
    guard count == format.planes.count || bench_vulkan_has_plane_views(frame) != 0 else { return nil }
    guard let state = VulkanFrameState(frame, imageCount: count) else {
      throw Failure(.device, "cannot share a decoded picture", cause: "out of memory")
    }
    let size = PictureSize(width: Int(frame.pointee.width), height: Int(frame.pointee.height))
    let allocation = try allocator.adopt(
      LentPicture(format: format, size: size, images: state.images, state: state))
    return SharedFrame(allocation, format: format, size: size)
  }
}

/// The images of one frame, by the rules of FFmpeg's `AVVkFrame`: a caller that submits work with them does it while the frame is
/// locked, waits for the value that it has, and raises that.
private final class VulkanFrameState: LentPictureState, Sendable {
  /// A reference of our own: `AVFrame` itself is read only.
  nonisolated(unsafe) private let frame: UnsafeMutablePointer<AVFrame>
  private let count: Int

  init?(_ frame: UnsafeMutablePointer<AVFrame>, imageCount: Int) {
    guard let kept = av_frame_clone(frame) else { return nil }
    self.frame = kept
    count = imageCount
  }

  deinit {
    var frame: UnsafeMutablePointer<AVFrame>? = frame
    av_frame_free(&frame)
  }

  var images: [OpaquePointer] {
    (0..<count).compactMap { bench_vulkan_image(frame, Int32($0)).map { OpaquePointer($0) } }
  }

  func begin() -> [LentImageState] {
    bench_vulkan_lock_frame(frame)
    return (0..<count).compactMap { index in
      let state = bench_vulkan_state(frame, Int32(index))
      return state.timeline.map {
        LentImageState(layout: state.layout, family: state.family, timeline: OpaquePointer($0), value: state.value)
      }
    }
  }

  func end(isSubmitted: Bool) {
    if isSubmitted { for index in 0..<count { bench_vulkan_was_read(frame, Int32(index)) } }
    bench_vulkan_unlock_frame(frame)
  }
}
