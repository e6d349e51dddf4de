import Frames
import GPU
import Support
import Synchronization
import Testing

/// Pictures that cannot be made, because a view of one of their images cannot.
@Suite(.tier(.test), .enabled(if: TestDevice.isAvailable, "no Vulkan device"))
struct FailedPictureTests {
  /// One view in the row fails.
  private final class PlantedViewFaults: ImageViewFaults {
    private let left = Atomic<Int>(-1)

    /// The view after `count` fails, once.
    func fail(after count: Int) { left.store(count, ordering: .relaxed) }

    func failsNext() -> Bool {
      guard left.load(ordering: .relaxed) >= 0 else { return false }
      return left.subtract(1, ordering: .relaxed).oldValue == 0
    }
  }

  private static let size = PictureSize(width: 256, height: 128)

  /// The validation layer counts objects: it names each image, view and allocation that is left when the device goes.
  @Test(arguments: [UploadStrategy.direct, .shared], [0, 1, 2])
  func nothingIsLeftOfAPictureWhoseViewFails(strategy: UploadStrategy, failing: Int) throws {
    let faults = PlantedViewFaults()
    let instance = try Self.allocate(strategy, failing, faults)
    #expect(instance?.validation.messages ?? [] == [])
  }

  /// The instance of the device, which has gone; nil where it has no such pictures.
  private static func allocate(
    _ strategy: UploadStrategy, _ failing: Int, _ faults: PlantedViewFaults
  ) throws -> GPUInstance? {
    let device = try GPUDevice(validate: true, seams: DeviceSeams(imageViews: faults))
    let pool = PicturePool(device: device, strategies: [strategy])
    let format: PictureFormat = strategy == .direct ? .yuv420p : .nv12
    let request = PictureRequest(format: format, size: size, codedSize: size, alignment: 1)
    func make() -> (any PictureAllocation)? {
      strategy == .direct ? pool.allocate(request) : pool.allocateExportedToCPU(request)
    }
    // Where the device has no such pictures, there is nothing to fail.
    guard let first = make() else { return nil }
    guard failing < format.planes.count else { return nil }
    faults.fail(after: failing)
    #expect(make() == nil && pool.refusal == "out of device memory" && pool.picturesMade == 1)
    // Memory that was set aside for it is there again: the next is made, and the first one is what it was.
    let second = try #require(make())
    #expect(pool.picturesMade == 2)
    first.release()
    second.release()
    return device.instance
  }
}
