/// A decoder's request for the memory of one picture.
public struct PictureRequest: Hashable, Sendable {
  public var format: PictureFormat
  /// The visible size, to which texture coordinates refer.
  public var size: PictureSize
  /// The size the decoder writes, at least `size` (1080 lines are coded as 1088).
  public var codedSize: PictureSize
  /// Row pitch and base address must be multiples of this, in bytes, for every plane.
  public var alignment: Int

  public init(format: PictureFormat, size: PictureSize, codedSize: PictureSize, alignment: Int) {
    self.format = format
    self.size = size
    self.codedSize = codedSize
    self.alignment = alignment
  }
}

/// Hands out memory that decoders write into directly and the GPU reads without a copy.
public protocol PictureAllocator: AnyObject, Sendable {
  /// Memory for one picture, or nil when this request cannot be met: the decoder then uses its own.
  ///
  /// Called from any decoder thread. Never blocks: an exhausted pool grows up to its byte limit, then refuses.
  func allocate(_ request: PictureRequest) -> PictureAllocation?

  /// The kinds of memory the render device can share with a decoder; nil: none.
  var sharing: PictureSharing? { get }
  /// A picture for another driver to write; nil when this request cannot be met. Threads and limits are `allocate`'s.
  func allocateExported(_ request: PictureRequest) -> ExportedPicture?
  /// Makes a decoder's own memory readable to the device that draws.
  ///
  /// Takes ownership of the picture's file descriptors, also when it throws. The caller keeps the samples unchanged
  /// until the allocation is released. Throws `.unsupported` or `.device`; the allocator stays usable. One thread at a
  /// time.
  func adopt(_ picture: DMABufPicture) throws(Failure) -> PictureAllocation

  /// The render device, where decoders may work on it; nil: they may not.
  var lentDevice: LentDevice? { get }
  /// Makes a picture that a decoder created on the lent device readable to draws. Threads and errors are those of
  /// `adopt` for dma-bufs.
  func adopt(_ picture: LentPicture) throws(Failure) -> PictureAllocation
}

extension PictureAllocator {
  public var sharing: PictureSharing? { nil }
  public func allocateExported(_ request: PictureRequest) -> ExportedPicture? { nil }
  public func adopt(_ picture: DMABufPicture) throws(Failure) -> PictureAllocation {
    throw cannotShare()
  }
  public var lentDevice: LentDevice? { nil }
  public func adopt(_ picture: LentPicture) throws(Failure) -> PictureAllocation { throw cannotShare() }
}

private func cannotShare() -> Failure {
  Failure(.unsupported, "cannot share a decoded picture", cause: "no device takes it")
}

/// Memory of one picture on loan.
public protocol PictureAllocation: AnyObject, Sendable {
  /// Rows of the coded size, writable, cached memory; empty where the CPU has no access.
  var planes: PlaneList { get }
  /// The request that it was allocated for.
  var request: PictureRequest { get }
  /// Gives the memory back. Called exactly once for each time it was handed out, from any thread.
  func release()
}
