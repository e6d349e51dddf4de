internal import CFFmpeg
import Decode
import Frames
import Glibc
import Media

/// Shares frames as another driver would, for tests: the CPU copies the planes, without padding, to where the file descriptors
/// of exported pictures lead. It has written when it returns.
final class PlantedSharing: FrameSharing {
  private let limit: Int
  private let allocator: PictureAllocator
  private var count = 0

  /// - Parameter limit: frames that can be shared.
  init(_ limit: Int, _ allocator: PictureAllocator) { (self.limit, self.allocator) = (limit, allocator) }

  func share(_ frame: UnsafeMutablePointer<AVFrame>) throws(Failure) -> SharedFrame? {
    guard let format = sharedFormat(bench_hardware_frames(frame)?.pointee.sw_format ?? AV_PIX_FMT_NONE) else {
      return nil
    }
    count += 1
    guard count <= limit else { throw Failure(.device, "cannot share a frame", cause: "a planted refusal to share") }
    let size = PictureSize(width: Int(frame.pointee.width), height: Int(frame.pointee.height))
    let request = PictureRequest(format: format, size: size, codedSize: size, alignment: 1)
    guard let picture = allocator.allocateExported(request) else { return nil }
    var copy = av_frame_alloc()
    defer { av_frame_free(&copy) }
    guard let copy, av_hwframe_transfer_data(copy, frame, 0) >= 0 else {
      picture.release()
      throw Failure(.device, "cannot share a frame", cause: "it cannot be read")
    }
    let sources = [(copy.pointee.data.0, copy.pointee.linesize.0), (copy.pointee.data.1, copy.pointee.linesize.1)]
    for (index, (image, source)) in zip(picture.images, sources).enumerated() {
      let memory = try picture.exportMemory(ofImage: index)
      let bytes = image.size.width * image.plane.bytesPerTexel
      for row in 0..<image.size.height {
        withExtendedLifetime(memory) {
          _ = pwrite(memory.rawValue, source.0.map { $0 + row * Int(source.1) }, bytes, row * bytes)
        }
      }
    }
    picture.willBeWritten(at: picture.nextValue)
    return SharedFrame(picture, format: format, size: size)
  }
}
