internal import CFFmpeg
import Frames
import Media

/// Copies decoded surfaces into pictures that the device that draws has made: within the GPU, and without waiting for it.
///
/// One thread at a time. Everything goes to the decoder's own stream: after the decoding of the surface that is copied, and
/// before the next frame is decoded into it.
final class CUDASharing: FrameSharing {
  private let driver: CUDADriver
  private let device: UnsafeMutablePointer<AVBufferRef>
  private let allocator: PictureAllocator
  /// Copies that may not be done; they keep their surfaces, the oldest first.
  private var pending: [Pending] = []
  private var spareEvents: [UnsafeMutableRawPointer] = []

  /// The oldest is waited for beyond that: decoders have few surfaces.
  static let pendingLimit = 3

  private struct Pending {
    let frame: UnsafeMutablePointer<AVFrame>
    let event: UnsafeMutableRawPointer
  }

  init(_ driver: CUDADriver, _ device: UnsafeMutablePointer<AVBufferRef>, _ allocator: PictureAllocator) {
    self.driver = driver
    self.device = device
    self.allocator = allocator
  }

  deinit {
    guard bench_cuda_enter(driver.functions, bench_cuda_context(device)) == 0 else { return }
    while !pending.isEmpty { endOldest() }
    for event in spareEvents { bench_cuda_free_event(driver.functions, event) }
    bench_cuda_leave(driver.functions)
  }

  func share(_ frame: UnsafeMutablePointer<AVFrame>) throws(Failure) -> SharedFrame? {
    guard let frames = bench_hardware_frames(frame), let format = sharedFormat(frames.pointee.sw_format) else {
      return nil
    }
    let crop = (x: Int(frame.pointee.crop_left), y: Int(frame.pointee.crop_top))
    let size = PictureSize(width: Int(frame.pointee.width) - crop.x, height: Int(frame.pointee.height) - crop.y)
    // Chroma begins at an even place.
    guard size.width > 0, size.height > 0, crop.x % 2 == 0, crop.y % 2 == 0 else { return nil }
    let request = PictureRequest(format: format, size: size, codedSize: size, alignment: 1)
    guard let picture = allocator.allocateExported(request) else { return nil }
    do throws(Failure) {
      try check(bench_cuda_enter(driver.functions, bench_cuda_context(device)), "enter its context")
      defer { bench_cuda_leave(driver.functions) }
      try copy(frame, from: crop, to: picture)
    } catch {
      picture.release()
      throw error
    }
    return SharedFrame(picture, format: format, size: size)
  }

  private func copy(
    _ frame: UnsafeMutablePointer<AVFrame>, from crop: (x: Int, y: Int), to picture: ExportedPicture
  ) throws(Failure) {
    let target = try imported(picture)
    let event = try makeEvent()
    guard let kept = av_frame_clone(frame) else {
      spareEvents.append(event)
      throw failure("out of memory")
    }
    let stream = bench_cuda_stream(device)
    let sources = [
      (frame.pointee.data.0, frame.pointee.linesize.0), (frame.pointee.data.1, frame.pointee.linesize.1),
    ]
    let value = picture.nextValue
    var result = bench_cuda_wait(driver.functions, target.timeline, value - 1, stream)
    for (index, image) in picture.images.enumerated() where result == 0 {
      let (plane, source) = (image.plane, sources[index])
      result = bench_cuda_copy_plane(
        driver.functions, source.0, Int(source.1), (crop.x >> plane.horizontalShift) * plane.bytesPerTexel,
        crop.y >> plane.verticalShift, &target.images[index], image.size.width * plane.bytesPerTexel, image.size.height,
        stream)
    }
    if result == 0 { result = bench_cuda_signal(driver.functions, target.timeline, value, stream) }
    let recorded = bench_cuda_record_event(driver.functions, event, stream)
    // Also after a failure: a part of the copies may be in flight.
    pending.append(Pending(frame: kept, event: event))
    try check(result, "copy a frame")
    picture.willBeWritten(at: value)
    try check(recorded, "copy a frame")
    while let oldest = pending.first, bench_cuda_event_is_done(driver.functions, oldest.event) != 0 { endOldest() }
    while pending.count > Self.pendingLimit { endOldest() }
  }

  /// Waits for the oldest copy, then releases its surface.
  private func endOldest() {
    let oldest = pending.removeFirst()
    _ = bench_cuda_wait_event(driver.functions, oldest.event)
    var frame: UnsafeMutablePointer<AVFrame>? = oldest.frame
    av_frame_free(&frame)
    spareEvents.append(oldest.event)
  }

  private func makeEvent() throws(Failure) -> UnsafeMutableRawPointer {
    if let spare = spareEvents.popLast() { return spare }
    var event: UnsafeMutableRawPointer?
    try check(bench_cuda_new_event(driver.functions, &event), "make an event")
    guard let event else { throw failure("CUDA gave no event") }
    return event
  }

  /// A picture as CUDA sees it; imported when it is first written.
  private func imported(_ picture: ExportedPicture) throws(Failure) -> CUDAPicture {
    if let known = picture.companion as? CUDAPicture, known.isOf(device) { return known }
    let made = try CUDAPicture(picture, driver, device)
    picture.companion = made
    return made
  }

  private func check(_ result: Int32, _ attempt: String) throws(Failure) {
    guard result != 0 else { return }
    throw failure("CUDA cannot \(attempt): \(String(cString: bench_cuda_error(driver.functions, result)))")
  }

  private func failure(_ cause: String) -> Failure { Failure(.device, "cannot share a decoded picture", cause: cause) }
}

/// A picture's images and timeline, imported. Made and used in the context of its device; goes from any thread.
private final class CUDAPicture: @unchecked Sendable {
  var images: [bench_cuda_image] = []
  private(set) var timeline: UnsafeMutableRawPointer?
  private let driver: CUDADriver
  /// Keeps the context.
  private var device: UnsafeMutablePointer<AVBufferRef>?

  init(
    _ picture: ExportedPicture, _ driver: CUDADriver, _ device: UnsafeMutablePointer<AVBufferRef>
  ) throws(Failure) {
    self.driver = driver
    self.device = av_buffer_ref(device)
    for (index, image) in picture.images.enumerated() {
      let memory = try picture.exportMemory(ofImage: index)
      var made = bench_cuda_image()
      // The import takes the descriptor over, or closes it.
      let result = bench_cuda_import_image(
        driver.functions, memory.release(), UInt64(image.byteCount), UInt32(image.size.width),
        UInt32(image.size.height),
        Int32(image.plane.components), Int32(image.plane.bytesPerComponent), &made)
      try check(result, "an image")
      images.append(made)
    }
    try check(
      bench_cuda_import_timeline(driver.functions, try picture.exportTimeline().release(), &timeline), "a timeline")
  }

  deinit {
    if let device, bench_cuda_enter(driver.functions, bench_cuda_context(device)) == 0 {
      for index in images.indices { bench_cuda_free_image(driver.functions, &images[index]) }
      if let timeline { _ = driver.functions.pointee.destroy_semaphore(timeline) }
      bench_cuda_leave(driver.functions)
    }
    av_buffer_unref(&device)
  }

  func isOf(_ other: UnsafeMutablePointer<AVBufferRef>) -> Bool { device?.pointee.data == other.pointee.data }

  private func check(_ result: Int32, _ thing: String) throws(Failure) {
    guard result != 0 else { return }
    throw Failure(
      .device, "cannot share a decoded picture",
      cause: "CUDA cannot import \(thing) of Vulkan's: \(String(cString: bench_cuda_error(driver.functions, result)))")
  }
}
