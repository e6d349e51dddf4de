import Frames
import GPU
import Glibc
import Render
import Support
import Synchronization
import Testing

/// Pictures in memory that another driver writes: here the CPU, through the file descriptors that CUDA would get.
@Suite(.tier(.test), .enabled(if: TestDevice.isAvailable, "no Vulkan device"))
struct SharedPictureTests {
  /// Rows of these sizes have no padding where texels lie in rows: then the CPU can write what a driver of the GPU
  /// would.
  private static let size = PictureSize(width: 256, height: 128)

  private static func pool() throws -> PicturePool {
    PicturePool(device: try TestDevice.device(), strategies: [.shared])
  }

  private static func request(_ format: PictureFormat, _ size: PictureSize = size) -> PictureRequest {
    PictureRequest(format: format, size: size, codedSize: size, alignment: 1)
  }

  /// Mesa keeps a header before the memory of its CPU driver, and a power of two is what that is aligned to.
  private static func start(of image: ExportedImage, in memory: FileDescriptor) -> Int {
    let header = (memory.byteCount ?? 0) - image.byteCount
    return header > 0 ? 1 << (Int.bitWidth - 1 - header.leadingZeroBitCount) : 0
  }

  /// Nil where the device exports no memory.
  private static func picture(_ format: PictureFormat, from pool: PicturePool) throws -> ExportedPicture? {
    guard let picture = pool.allocateExportedToCPU(request(format)) else {
      print("skipped: no memory is exported: \(pool.refusal ?? "no reason")")
      return nil
    }
    return picture
  }

  /// Descriptors of a GPU's memory mean something to its drivers alone: there `gpu-run` holds what CUDA writes against software.
  private static let exportsToTheCPU = TestDevice.isAvailable && (try? TestDevice.device().info.isSoftware) == true

  @Test(.enabled(if: exportsToTheCPU, "a GPU's memory"), arguments: [PictureFormat.nv12, .p010])
  func exportedMemoryHasTheReportedSize(format: PictureFormat) throws {
    let pool = try Self.pool()
    guard let picture = try Self.picture(format, from: pool) else { return }
    defer { picture.release() }
    #expect(picture.planes.isEmpty && picture.images.count == 2)
    var identities: Set<UInt64> = []
    for (index, (image, plane)) in zip(picture.images, format.planes).enumerated() {
      let memory = try picture.exportMemory(ofImage: index)
      #expect(withExtendedLifetime(memory) { memory.rawValue >= 0 && fcntl(memory.rawValue, F_GETFD) >= 0 })
      #expect(image.size == plane.size(of: Self.size) && image.plane == plane)
      #expect(image.byteCount >= image.size.width * image.size.height * plane.bytesPerTexel)
      if let bytes = memory.byteCount { #expect(bytes >= image.byteCount) }
      if let identity = memory.identity { identities.insert(identity) }
    }
    #expect(identities.count == 2, "each image has memory for itself")
  }

  /// The whole way of a shared frame but for the other driver: taken over, sampled, given back, drawn again, written
  /// again.
  @Test(.enabled(if: exportsToTheCPU, "a GPU's memory"), arguments: [PictureFormat.nv12, .p010])
  func foreignWritesAreDrawn(format: PictureFormat) throws {
    let pool = try Self.pool()
    var generator = SeededGenerator()
    let geometry = PictureGeometry(projection: .equirectangular)
    let target = PictureSize(width: 160, height: 90)
    let renderer = try ViewRenderer(
      pipelines: KeptPipelines.of(.fragment), geometry: geometry, targetSize: target)
    for round in 0..<3 {
      guard let picture = try Self.picture(format, from: pool) else { return }
      var frame = TestPictures.noisy(
        format: format, size: Self.size, color: ColorDescription(matrix: .bt709, range: .limited), generator: &generator
      )
      let copied = try renderedView(frame, geometry, Camera(pan: 170), target)
      for (index, plane) in frame.picture.planes.enumerated() {
        let memory = try picture.exportMemory(ofImage: index)
        let bytes = plane.packedBytes()
        let written = withExtendedLifetime(memory) {
          pwrite(memory.rawValue, bytes, bytes.count, Self.start(of: picture.images[index], in: memory))
        }
        #expect(written == bytes.count)
      }
      let value = picture.nextValue
      picture.willBeWritten(at: value)
      try pool.wasWritten(picture, at: value)
      frame.picture = HostPicture(planes: PlaneList(), owner: pool, allocation: picture)
      #expect(!frame.isInHostMemory)
      for _ in 0..<2 {
        _ = try renderer.render(frame, camera: Camera(pan: 170), wantsPixels: true)
        let view = try #require(try renderer.drain().last)
        #expect(view.upload == .shared && view.uploadMilliseconds == 0 && view.uploadGPUMilliseconds == nil)
        #expect(view.pixels == copied, "seed \(generator.seed), round \(round)")
      }
      #expect(picture.nextValue == value + 1)
      picture.release()
    }
    #expect(pool.picturesMade == 1, "one picture is lent again and again")
    #expect(try TestDevice.validationMessages() == [])
  }

  /// A draw waits for the writer: it ends only once the timeline was raised.
  @Test func drawsWaitForTheWriter() throws {
    let pool = try Self.pool()
    guard let picture = try Self.picture(.nv12, from: pool) else { return }
    defer { picture.release() }
    var generator = SeededGenerator()
    var frame = TestPictures.noisy(
      format: .nv12, size: Self.size, color: ColorDescription(matrix: .bt709, range: .limited), generator: &generator)
    frame.picture = HostPicture(planes: PlaneList(), owner: pool, allocation: picture)
    let value = picture.nextValue
    picture.willBeWritten(at: value)
    let renderer = try ViewRenderer(
      device: try TestDevice.device(), geometry: PictureGeometry(projection: .flat),
      targetSize: PictureSize(width: 64, height: 32))
    var finished = 0
    for _ in 0..<3 { try renderer.render(frame, camera: Camera()) { _ in finished += 1 } }
    // Three are in flight, and none can end: nothing was written.
    #expect(finished == 0)
    try pool.wasWritten(picture, at: value)
    try renderer.drain { _ in finished += 1 }
    #expect(finished == 3)
    #expect(try TestDevice.validationMessages() == [])
  }

  /// Decoder threads ask for pictures: what the device still has to do must not stop them.
  @Test func allocationDoesNotWaitForTheDevice() throws {
    let device = try GPUDevice(validate: true)
    let pool = PicturePool(device: device, strategies: [.shared])
    guard let first = try Self.picture(.nv12, from: pool) else { return }
    var generator = SeededGenerator()
    var frame = TestPictures.noisy(
      format: .nv12, size: Self.size, color: ColorDescription(matrix: .bt709, range: .limited), generator: &generator)
    frame.picture = HostPicture(planes: PlaneList(), owner: pool, allocation: first)
    let value = first.nextValue
    first.willBeWritten(at: value)
    let renderer = try ViewRenderer(
      device: device, geometry: PictureGeometry(projection: .flat), targetSize: PictureSize(width: 64, height: 32))
    // The queue stands still until the first picture is written.
    try renderer.render(frame, camera: Camera()) { _ in }
    let second = pool.allocateExportedToCPU(Self.request(.nv12))
    #expect(second != nil, "\(pool.refusal ?? "")")
    try pool.wasWritten(first, at: value)
    try renderer.drain { _ in }
    first.release()
    second?.release()
  }

  /// A picture that there is no room for is not made first.
  @Test(arguments: [UploadStrategy.direct, .staged])
  func theLimitIsLookedAtFirst(strategy: UploadStrategy) throws {
    let pool = PicturePool(device: try TestDevice.device(), strategies: [strategy], byteLimit: 1 << 20)
    #expect(pool.allocate(Self.request(.nv12, PictureSize(width: 1 << 20, height: 1 << 20))) == nil)
    #expect(pool.refusal == "pictures would take more than 1 MiB" && pool.picturesMade == 0)
    let small = pool.allocate(Self.request(.nv12))
    #expect(small != nil || strategy == .direct, "\(pool.refusal ?? "")")
    small?.release()
  }

  /// Threads that draw one picture, each with a renderer of its own, and threads that keep the writer's object: the image's
  /// layout and that object are all they share. For ThreadSanitizer, and for a count of references that goes wrong.
  @Test func oneSharedPictureIsDrawnByManyThreads() throws {
    final class Kept: Sendable {
      let number: Int
      init(_ number: Int) { self.number = number }
    }
    let device = try TestDevice.device()
    let pool = try Self.pool()
    guard let picture = try Self.picture(.nv12, from: pool) else { return }
    defer { picture.release() }
    var generator = SeededGenerator()
    var frame = TestPictures.noisy(
      format: .nv12, size: Self.size, color: ColorDescription(matrix: .bt709, range: .limited), generator: &generator)
    frame.picture = HostPicture(planes: PlaneList(), owner: pool, allocation: picture)
    let value = picture.nextValue
    picture.willBeWritten(at: value)
    try pool.wasWritten(picture, at: value)
    let views = Mutex<[[UInt8]]>([])
    let threads = try (0..<4).map { number in
      try WorkerThread { [frame] in
        do throws(Failure) {
          let renderer = try ViewRenderer(
            device: device, geometry: PictureGeometry(projection: .flat), targetSize: PictureSize(width: 64, height: 32)
          )
          for _ in 0..<8 { try renderer.render(frame, camera: Camera(), wantsPixels: true) { _ in } }
          try renderer.drain { view in views.withLock { $0.append(view.pixels ?? []) } }
        } catch {
          Issue.record(error)
        }
        for round in 0..<20_000 {
          picture.companion = Kept(number * 20_000 + round)
          _ = (picture.companion as? Kept)?.number
        }
      }
    }
    for thread in threads { thread.join() }
    let drawn = views.withLock { $0 }
    #expect(drawn.count >= 4 && Set(drawn).count == 1 && drawn.first?.isEmpty == false)
    #expect((picture.companion as? Kept).map { $0.number % 20_000 == 19_999 } == true, "the last of one of the threads")
    picture.companion = nil
    #expect(try TestDevice.validationMessages() == [])
  }

  @Test func unsupportedSharingIsRefused() throws {
    let device = try TestDevice.device()
    var generator = SeededGenerator()
    var frame = TestPictures.noisy(
      format: .nv12, size: Self.size, color: ColorDescription(matrix: .bt709, range: .limited), generator: &generator)
    frame.picture = HostPicture(planes: PlaneList(), owner: device)
    let renderer = try ViewRenderer(
      device: device, geometry: PictureGeometry(projection: .flat), targetSize: PictureSize(width: 64, height: 32))
    #expect(throws: Failure.self) { try renderer.render(frame, camera: Camera(), wantsPixels: true) }
    // Pools share only on request, and report exactly the device's capabilities.
    let host = PicturePool(device: device, strategies: [.direct, .staged])
    #expect(host.sharing == nil && host.allocateExported(Self.request(.nv12)) == nil)
    let shared = try Self.pool()
    #expect(shared.sharing == device.info.sharing)
    #expect((shared.sharing == nil) == (UploadStrategy.shared.obstacle(on: device) != nil))
    if shared.sharing?.exportsPictures != true { #expect(shared.allocateExported(Self.request(.nv12)) == nil) }
    if shared.sharing?.importsDMABufs != true {
      #expect(throws: Failure.self) {
        _ = try shared.adopt(DMABufPicture(format: .nv12, size: Self.size, objects: [], planes: []))
      }
    }
  }

  @Test func pictureSizesMayChange() throws {
    let pool = try Self.pool()
    guard let first = try Self.picture(.nv12, from: pool) else { return }
    first.release()
    let small = try #require(pool.allocateExportedToCPU(Self.request(.nv12, PictureSize(width: 64, height: 32))))
    small.release()
    #expect(pool.picturesMade == 2)
    let again = try #require(pool.allocateExportedToCPU(Self.request(.nv12, PictureSize(width: 64, height: 32))))
    #expect(again === small)
    again.release()
  }
}
