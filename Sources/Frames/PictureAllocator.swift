/// What a decoder wants memory for.
public struct PictureRequest: Hashable, Sendable {
  public var format: PictureFormat
  /// What will be shown: the extent that texture coordinates refer to.
  public var size: PictureSize
  /// What the decoder writes, at least `size` (1080 lines are coded as 1088).
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

  /// What can be shared with the device that draws; nil: nothing.
  var sharing: PictureSharing? { get }
  /// A picture for another driver to write; nil when this request cannot be met. As `allocate` in all else.
  func allocateExported(_ request: PictureRequest) -> ExportedPicture?
  /// Makes a decoder's own memory readable to the device that draws.
  ///
  /// Takes the picture's file descriptors over. The caller keeps the samples as they are until the allocation is released.
  /// Any one thread at a time.
  func adopt(_ picture: DMABufPicture) throws(Failure) -> PictureAllocation

  /// The device that draws, where decoders may work on it; nil: they may not.
  var lentDevice: LentDevice? { get }
  /// Makes a picture that a decoder made on the lent device readable to draws. As the other `adopt` in all else.
  func adopt(_ picture: LentPicture) throws(Failure) -> PictureAllocation
}

extension PictureAllocator {
  public var sharing: PictureSharing? { nil }
  public func allocateExported(_ request: PictureRequest) -> ExportedPicture? { nil }
  public func adopt(_ picture: DMABufPicture) throws(Failure) -> PictureAllocation {
    throw nobodyTakesIt()
  }
  public var lentDevice: LentDevice? { nil }
  public func adopt(_ picture: LentPicture) throws(Failure) -> PictureAllocation { throw nobodyTakesIt() }
}

private func nobodyTakesIt() -> Failure {
  Failure(.unsupported, "cannot share a decoded picture", cause: "no device takes it")
}

/// Memory of one picture on loan.
public protocol PictureAllocation: AnyObject, Sendable {
  /// Rows of the coded size, writable, cached memory; none where the CPU does not see it.
  var planes: PlaneList { get }
  /// What it was handed out for.
  var request: PictureRequest { get }
  /// Gives the memory back. Called exactly once for each time it was handed out, from any thread.
  func release()
}
