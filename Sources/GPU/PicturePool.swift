import Frames
import Synchronization

/// Pictures that a decoder writes and the GPU reads, in one and the same memory.
///
/// `allocate` never blocks: when all pictures are lent, the pool grows up to `byteLimit`, or until the device has no more
/// memory for this process where the driver tells that, then refuses. Thread-safe.
public final class PicturePool: PictureAllocator, @unchecked Sendable {
  public let byteLimit: Int
  private let device: GPUDevice
  private let strategies: [UploadStrategy]
  private let state = Mutex(State())

  private struct State {
    var idle: [PooledPicture] = []
    var bytes = 0
    var made = 0
    var refusal: String?
  }

  /// - Parameter strategies: how its pictures may be uploaded; each request gets the first that can meet it.
  public init(device: GPUDevice, strategies: [UploadStrategy], byteLimit: Int = 4 << 30) {
    self.device = device
    self.strategies = strategies
    self.byteLimit = byteLimit
  }

  /// Why the first of the strategies could not meet the last request that it could not meet; nil when it met all.
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
    guard let picture = make(request) else { return nil }
    let isExceeded = device.memoryBudget?.isExceeded ?? false
    return state.withLock { state in
      guard state.bytes + picture.byteCount <= byteLimit else {
        state.refusal = "pictures would take more than \(byteLimit >> 20) MiB"
        return nil
      }
      guard !isExceeded else {
        state.refusal = "the device has no more memory for this process"
        return nil
      }
      state.bytes += picture.byteCount
      state.made += 1
      return picture
    }
  }

  private func make(_ request: PictureRequest) -> PooledPicture? {
    for strategy in strategies {
      do throws(Failure) {
        guard let memory = try strategy.upload.makeMemory(request, on: device) else { continue }
        return PooledPicture(memory, request: request, strategy: strategy, pool: self)
      } catch {
        state.withLock { $0.refusal = error.cause }
      }
    }
    return nil
  }

  fileprivate func takeBack(_ picture: PooledPicture) {
    state.withLock { $0.idle.append(picture) }
  }
}

/// One picture of the pool. Written by the decoder that holds it, read by GPU work that keeps its frame alive.
final class PooledPicture: PictureAllocation, @unchecked Sendable {
  let request: PictureRequest
  let planes: PlaneList
  let samples: Samples
  let strategy: UploadStrategy
  let byteCount: Int
  /// Weak, for idle pictures belong to the pool.
  private weak let pool: PicturePool?

  init(_ memory: PictureMemory, request: PictureRequest, strategy: UploadStrategy, pool: PicturePool) {
    planes = memory.planes
    samples = memory.samples
    byteCount = memory.byteCount
    self.request = request
    self.strategy = strategy
    self.pool = pool
  }

  func release() {
    pool?.takeBack(self)
  }
}
