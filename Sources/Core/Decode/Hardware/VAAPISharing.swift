internal import CFFmpeg
import Frames
import Media
import Synchronization

/// Hands surfaces over as dma-bufs: nothing is copied, and each keeps its surface until the frame's last holder let go.
///
/// One thread at a time.
final class VAAPISharing: FrameSharing {
  private let device: UnsafeMutablePointer<AVBufferRef>
  private let allocator: PictureAllocator
  private let lent = Lent()

  /// Surfaces that may be out at once; beyond that frames are copied back, so that the decoder never runs out.
  static let lentLimit = 16

  /// How many are out. Raised by the decoder's thread, lowered by any.
  private final class Lent: Sendable {
    let count = Atomic<Int>(0)
  }

  init(_ device: UnsafeMutablePointer<AVBufferRef>, _ allocator: PictureAllocator) {
    self.device = device
    self.allocator = allocator
  }

  func share(_ frame: UnsafeMutablePointer<AVFrame>) throws(Failure) -> SharedFrame? {
    guard let frames = bench_hardware_frames(frame), let format = sharedFormat(frames.pointee.sw_format),
      frame.pointee.crop_left == 0, frame.pointee.crop_top == 0,
      lent.count.load(ordering: .relaxed) < Self.lentLimit
    else { return nil }
    // Vulkan does not wait for what a video engine does.
    guard bench_vaapi_wait(device, frame) == 0 else { throw failure("the driver does not tell when a frame is done") }
    let size = PictureSize(width: Int(frame.pointee.width), height: Int(frame.pointee.height))
    let picture = try describe(frame, format, size)
    let allocation = try allocator.adopt(picture)
    guard let surface = av_frame_clone(frame) else {
      allocation.release()
      throw failure("out of memory")
    }
    lent.count.add(1, ordering: .relaxed)
    return SharedFrame(allocation, format: format, size: size, surface: surface) { [lent] in
      lent.count.subtract(1, ordering: .relaxed)
    }
  }

  private func describe(
    _ frame: UnsafeMutablePointer<AVFrame>, _ format: PictureFormat, _ size: PictureSize
  ) throws(Failure) -> DMABufPicture {
    var mapped = av_frame_alloc()
    // Closes the driver's descriptors; the picture has its own.
    defer { av_frame_free(&mapped) }
    guard let mapped else { throw failure("out of memory") }
    mapped.pointee.format = AV_PIX_FMT_DRM_PRIME.rawValue
    let errors = FFmpegErrors()
    let status = bench_map_for_reading(mapped, frame)
    guard status >= 0, let descriptor = bench_drm_descriptor(mapped) else {
      throw failure("the driver does not export its surfaces: \(errors.reason(status))")
    }
    let layout = try DRMFrame(descriptor.pointee).layout(format: format, size: size)
    var objects: [DMABufObject] = []
    for object in layout.objects {
      guard let own = FileDescriptor(duplicating: object.descriptor) else { throw failure("too many files are open") }
      objects.append(DMABufObject(descriptor: own, byteCount: object.byteCount, modifier: object.modifier))
    }
    return DMABufPicture(format: format, size: size, objects: objects, planes: layout.planes)
  }

  private func failure(_ cause: String) -> Failure { Failure(.device, "cannot share a decoded picture", cause: cause) }
}

extension DRMFrame {
  /// As FFmpeg gives it; nothing is checked.
  init(_ descriptor: AVDRMFrameDescriptor) {
    let objects = withUnsafeBytes(of: descriptor.objects) { Array($0.bindMemory(to: AVDRMObjectDescriptor.self)) }
    let layers = withUnsafeBytes(of: descriptor.layers) { Array($0.bindMemory(to: AVDRMLayerDescriptor.self)) }
    self.init(
      objectCount: Int(descriptor.nb_objects),
      objects: objects.map {
        Object(descriptor: $0.fd, byteCount: Int(clamping: $0.size), modifier: $0.format_modifier)
      },
      layerCount: Int(descriptor.nb_layers),
      layers: layers.map { layer in
        let planes = withUnsafeBytes(of: layer.planes) { Array($0.bindMemory(to: AVDRMPlaneDescriptor.self)) }
        return Layer(
          format: layer.format, planeCount: Int(layer.nb_planes),
          planes: planes.map { DMABufPlane(object: Int($0.object_index), offset: $0.offset, pitch: $0.pitch) })
      })
  }
}
