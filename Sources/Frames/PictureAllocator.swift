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
}

/// Memory of one picture on loan.
public protocol PictureAllocation: AnyObject, Sendable {
  /// Rows of the coded size, writable, cached memory.
  var planes: PlaneList { get }
  /// What it was handed out for.
  var request: PictureRequest { get }
  /// Gives the memory back. Called exactly once for each time it was handed out, from any thread.
  func release()
}
