internal import CFFmpeg
import Frames
import Media

/// FFmpeg's NVDEC. Its frames lie in CUDA's memory, which cannot be exported: they are copied, within the GPU, into images
/// that Vulkan made and CUDA imported.
struct CUDADecoder: HardwareDecoder {
  let choice = DecoderChoice.cuda
  let type = AV_HWDEVICE_TYPE_CUDA
  /// Copies that the GPU has not finished keep their surface: `CUDASharing.pendingLimit`, and one.
  let extraSurfaces = 4

  func obstacle(on device: DeviceIdentity?) -> String? {
    let driver: CUDADriver
    switch CUDADriver.loaded {
    case .success(let found): driver = found
    case .failure(let failure): return failure.cause
    }
    guard bench_has_library("libnvcuvid.so.1") != 0 else {
      return
        "libnvcuvid.so.1 is missing: install NVIDIA's libnvcuvid1 (Ubuntu: libnvidia-decode-VERSION); in a container "
        + "start it with NVIDIA_DRIVER_CAPABILITIES=all"
    }
    guard let device else { return nil }
    if cudaOrdinal(of: device.uuid, among: driver.uuids) == nil {
      return "CUDA does not know the device that draws: use NVIDIA's GPU as --device"
    }
    return nil
  }

  func name(of device: DeviceIdentity?) -> String? {
    guard case .success(let driver) = CUDADriver.loaded else { return nil }
    return device.flatMap { cudaOrdinal(of: $0.uuid, among: driver.uuids) }.map { String($0) }
  }

  func sharingObstacle(_ sharing: PictureSharing, _ codec: AVCodecID) -> String? {
    sharing.exportsPictures ? nil : "the device does not export memory and timelines"
  }

  func makeSharing(_ device: UnsafeMutablePointer<AVBufferRef>, _ allocator: PictureAllocator) -> (any FrameSharing)? {
    guard allocator.sharing?.exportsPictures == true, case .success(let driver) = CUDADriver.loaded
    else { return nil }
    return CUDASharing(driver, device, allocator)
  }
}

/// CUDA's number of a device; nil where it has none, or the device tells no UUID.
package func cudaOrdinal(of uuid: [UInt8], among uuids: [[UInt8]]) -> Int? {
  uuid.contains { $0 != 0 } ? uuids.firstIndex(of: uuid) : nil
}

/// CUDA's driver, loaded at first use, once.
final class CUDADriver: Sendable {
  /// Filled before it is shared.
  nonisolated(unsafe) let functions: UnsafeMutablePointer<bench_cuda>
  /// Of all devices, by CUDA's number.
  let uuids: [[UInt8]]

  static let loaded: Result<CUDADriver, Failure> = Result { () throws(Failure) in try CUDADriver() }

  private init() throws(Failure) {
    let functions = UnsafeMutablePointer<bench_cuda>.allocate(capacity: 1)
    functions.initialize(to: bench_cuda())
    do throws(Failure) {
      uuids = try Self.start(functions)
    } catch {
      functions.deallocate()
      throw error
    }
    self.functions = functions
  }

  private static func start(_ functions: UnsafeMutablePointer<bench_cuda>) throws(Failure) -> [[UInt8]] {
    if let missing = string(bench_cuda_load(functions)) {
      throw cannotUse(
        missing.hasPrefix("lib")
          ? "\(missing) is missing: it comes with NVIDIA's driver, in a container with its runtime"
          : "NVIDIA's driver is too old, it lacks \(missing): update it")
    }
    var count: Int32 = 0
    let result = bench_cuda_start(functions, &count)
    guard result == 0 else {
      throw cannotUse("CUDA does not start: \(String(cString: bench_cuda_error(functions, result)))")
    }
    guard count > 0 else { throw cannotUse("CUDA finds no GPU") }
    return (0..<count).map { ordinal in
      var uuid = [UInt8](repeating: 0, count: 16)
      return bench_cuda_uuid(functions, ordinal, &uuid) == 0 ? uuid : []
    }
  }

  private static func cannotUse(_ cause: String) -> Failure { Failure(.unsupported, "cannot use CUDA", cause: cause) }
}
