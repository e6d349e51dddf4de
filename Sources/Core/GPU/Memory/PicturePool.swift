import Frames
import Synchronization

/// Pictures that a decoder writes and the GPU reads, in one and the same memory.
///
/// `allocate` never blocks: when all pictures are lent, the pool grows up to `byteLimit`, or until the device has no more
/// memory for this process where the driver tells that, then refuses. Thread-safe.
public final class PicturePool: PictureAllocator, Sendable {
  public let byteLimit: Int
  private let device: GPUDevice
  private let strategies: [UploadStrategy]
  private let state = Mutex(State())

  private struct State {
    var idle: [PooledPicture] = []
    var idleShared: [SharedPicture] = []
    /// Of decoders' own memory, the one that was used last at the end.
    var imported: [ImportedPicture] = []
    var bytes = 0
    var made = 0
    var refusal: String?

    /// Reserves bytes for one more picture, where the limit has room for them.
    mutating func reserve(_ byteCount: Int, _ byteLimit: Int) -> Bool {
      guard bytes + byteCount <= byteLimit else {
        refusal = "pictures would take more than \(byteLimit >> 20) MiB"
        return false
      }
      bytes += byteCount
      return true
    }

    /// The picture that bytes were set aside for was made, or not: false where it is larger than there is room for.
    mutating func settle(_ reserved: Int, made byteCount: Int?, _ byteLimit: Int) -> Bool {
      bytes -= reserved
      guard let byteCount, reserve(byteCount, byteLimit) else { return false }
      made += 1
      return true
    }
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
    return grow(request, in: strategies.lazy.compactMap { $0.upload.memory }.first) { make(request) }
  }

  /// Makes one more picture where the limit has room for its samples; nothing is allocated where it has not.
  ///
  /// - Parameter memory: property flags of the memory that frames are copied to once the pool refuses; nil: they are not copied.
  private func grow<Picture: PooledBytes>(
    _ request: PictureRequest, in memory: UInt32?, _ make: () -> Picture?
  ) -> Picture? {
    let least = request.sampleBytes
    guard state.withLock({ $0.reserve(least, byteLimit) }) else { return nil }
    let picture = mayGrow(by: least, in: memory) ? make() : nil
    return state.withLock { $0.settle(least, made: picture?.byteCount, byteLimit) } ? picture : nil
  }

  /// Pictures for which memory is left: copies of frames in flight, and views that are read back.
  private static let spare = 4

  /// Whether the device has memory for one more.
  private func mayGrow(by bytes: Int, in memory: UInt32?) -> Bool {
    guard let budget = device.memoryBudget else { return true }
    let heap = memory.flatMap { device.memory.heap(flags: $0) }
    let hasRoom = heap.map { budget.hasRoom(for: bytes * (1 + Self.spare), inHeap: $0) } ?? true
    guard budget.isExceeded || !hasRoom else { return true }
    state.withLock { $0.refusal = "the device has no more memory for this process" }
    return false
  }

  public var sharing: PictureSharing? { strategies.contains(.shared) ? device.sharing : nil }

  public func allocateExported(_ request: PictureRequest) -> ExportedPicture? {
    guard sharing?.exportsPictures == true else { return nil }
    return lendShared(request) { () throws(Failure) in try SharedPicture(request, device: device, pool: self) }
  }

  /// A picture that the CPU writes in a driver's stead, with a timeline that is no other driver's: for tests.
  package func allocateExportedToCPU(_ request: PictureRequest) -> ExportedPicture? {
    lendShared(request) { () throws(Failure) in
      try SharedPicture(request, device: device, pool: self, exportsTimeline: false)
    }
  }

  /// Raises the timeline of such a picture once its images are prepared.
  package func wasWritten(_ picture: ExportedPicture, at value: UInt64) throws(Failure) {
    try (picture as? SharedPicture)?.wasWritten(at: value)
  }

  private func lendShared(
    _ request: PictureRequest, _ make: () throws(Failure) -> SharedPicture
  ) -> SharedPicture? {
    let idle = state.withLock { state -> SharedPicture? in
      state.idleShared.removeAll { picture in
        guard picture.request != request else { return false }
        state.bytes -= picture.byteCount
        return true
      }
      return state.idleShared.popLast()
    }
    if let idle { return idle }
    return grow(request, in: nil) {
      do throws(Failure) {
        return try make()
      } catch {
        state.withLock { $0.refusal = error.cause }
        return nil
      }
    }
  }

  /// Imports that are kept: more than the surfaces that any decoder has.
  private static let importLimit = 64

  public func adopt(_ picture: DMABufPicture) throws(Failure) -> PictureAllocation {
    guard sharing?.importsDMABufs == true else {
      throw Failure(.unsupported, "cannot share a decoded picture", cause: "the device does not read dma-bufs")
    }
    // Decoders reuse their memory: a kept import holds its descriptors open, so that its key stays valid.
    let key = ImportedPicture.Key(picture)
    let known = state.withLock { state -> ImportedPicture? in
      guard let key, let index = state.imported.firstIndex(where: { $0.key == key }) else { return nil }
      let known = state.imported.remove(at: index)
      state.imported.append(known)
      return known
    }
    if let known { return known }
    let made = try ImportedPicture(picture, device: device)
    state.withLock { state in
      guard made.key != nil else { return }
      if state.imported.count >= Self.importLimit { state.imported.removeFirst() }
      state.imported.append(made)
    }
    return made
  }

  public var lentDevice: LentDevice? { strategies.contains(.shared) ? device.lent : nil }

  public func adopt(_ picture: LentPicture) throws(Failure) -> PictureAllocation {
    try AdoptedPicture(picture, device: device)
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

  func takeBack(_ picture: SharedPicture) {
    state.withLock { $0.idleShared.append(picture) }
  }
}

/// What a picture counts for in the pool's limit.
private protocol PooledBytes {
  var byteCount: Int { get }
}

extension PooledPicture: PooledBytes {}
extension SharedPicture: PooledBytes {}

extension PictureRequest {
  /// Bytes of the coded samples, without what drivers add for alignment.
  fileprivate var sampleBytes: Int {
    format.planes.reduce(0) { total, plane in
      let size = plane.size(of: codedSize)
      return total + size.width * size.height * plane.bytesPerTexel
    }
  }
}

/// One picture of the pool. Written by the decoder that holds it, read by GPU work that keeps its frame alive.
final class PooledPicture: PictureAllocation, Sendable {
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
