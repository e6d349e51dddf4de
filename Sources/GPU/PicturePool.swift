internal import CVulkan
import Frames
import Synchronization

/// Pictures that a decoder writes and a shader samples, in one and the same memory.
///
/// Each picture is one allocation with a linear image per plane. `allocate` never blocks: when all pictures are lent,
/// the pool grows up to `byteLimit`, then refuses. Thread-safe.
public final class PicturePool: PictureAllocator, @unchecked Sendable {
  public let byteLimit: Int
  private let device: GPUDevice
  private let state = Mutex(State())

  private struct State {
    var idle: [PooledPicture] = []
    var bytes = 0
    var made = 0
    var refusal: String?
  }

  public init(device: GPUDevice, byteLimit: Int = 4 << 30) {
    self.device = device
    self.byteLimit = byteLimit
  }

  /// Whether this device can sample what a decoder wrote at all; the reason when it cannot.
  public static func obstacle(on device: GPUDevice) -> String? {
    if !device.info.features.contains(.hostCachedImages) {
      return "the device's own memory is not cached by the CPU"
    }
    if !device.info.features.contains(.linearSampling) { return "the device does not sample linear images" }
    return nil
  }

  /// Why the last request was refused, nil when none was.
  public var refusal: String? { state.withLock { $0.refusal } }
  /// Pictures made since the pool exists: constant in the steady state.
  public var picturesMade: Int { state.withLock { $0.made } }

  public func allocate(_ request: PictureRequest) -> PictureAllocation? {
    let idle = state.withLock { state -> PooledPicture? in
      state.idle.removeAll { picture in
        guard picture.request != request else { return false }
        state.bytes -= picture.byteCount
        return true
      }
      return state.idle.popLast()
    }
    if let idle { return idle }
    do throws(Failure) {
      let picture = try PooledPicture(device: device, request: request, pool: self)
      return state.withLock { state in
        guard state.bytes + picture.byteCount <= byteLimit else {
          state.refusal = "pictures would take more than \(byteLimit >> 20) MiB"
          return nil
        }
        state.bytes += picture.byteCount
        state.made += 1
        return picture
      }
    } catch {
      state.withLock { $0.refusal = error.cause }
      return nil
    }
  }

  fileprivate func takeBack(_ picture: PooledPicture) {
    state.withLock { $0.idle.append(picture) }
  }
}

/// One picture of the pool. Written by the decoder that holds it, read by GPU work that keeps its frame alive.
final class PooledPicture: PictureAllocation, @unchecked Sendable {
  let request: PictureRequest
  let planes: PlaneList
  let textures: PictureTextures
  var byteCount: Int { memory.byteCount }
  private let memory: DeviceMemory
  /// Weak, for idle pictures belong to the pool.
  private weak let pool: PicturePool?

  init(device: GPUDevice, request: PictureRequest, pool: PicturePool) throws(Failure) {
    let layout = try LinearLayout(device: device, request: request)
    do throws(Failure) {
      let memory = try DeviceMemory(
        device: device, byteCount: layout.byteCount, typeBits: layout.typeBits, wishes: [unifiedMemory],
        purpose: "a picture of \(request.size)")
      guard let base = memory.base else { throw Failure(.device, "cannot map a picture", cause: "no address") }
      for plane in layout.planes {
        try check(
          vkBindImageMemory(device.handle, plane.image, memory.handle, VkDeviceSize(plane.offset)), "bind a picture")
      }
      planes = PlaneList(
        layout.planes.map { plane in
          HostPlane(
            base: base + plane.offset + plane.imageOffset, bytesPerRow: plane.pitch, rowBytes: plane.rowBytes,
            rows: plane.rows)
        })
      self.memory = memory
    } catch {
      layout.destroyImages(device)
      throw error
    }
    var images: [GPUImage] = []
    for (plane, format) in zip(layout.planes, request.format.planes) {
      images.append(
        try GPUImage(
          device: device, adopting: plane.image, size: format.size(of: request.size), format: textureFormat(format)))
    }
    textures = PictureTextures(format: request.format, size: request.size, images: images)
    self.request = request
    self.pool = pool
  }

  func release() {
    pool?.takeBack(self)
  }
}
