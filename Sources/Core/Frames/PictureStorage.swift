// Pictures shared between a decoder and the render device, across two devices or two drivers of one.

/// The kinds of memory the render device can share with a decoder.
public struct PictureSharing: Sendable, Hashable {
  public var device: DeviceIdentity
  /// Exports memory of its own for CUDA to write: `PictureAllocator.allocateExported`.
  public var exportsPictures: Bool
  /// Imports memory of other drivers: `PictureAllocator.adopt`.
  public var importsDMABufs: Bool
  /// FFmpeg's names of the codecs its Vulkan driver decodes on the device lent by `PictureAllocator.lentDevice`.
  public var videoCodecs: Set<String>

  public init(
    device: DeviceIdentity, exportsPictures: Bool = false, importsDMABufs: Bool = false, videoCodecs: Set<String> = []
  ) {
    self.device = device
    self.exportsPictures = exportsPictures
    self.importsDMABufs = importsDMABufs
    self.videoCodecs = videoCodecs
  }
}

/// A picture in images of the render device whose memory another driver writes. Not mapped for the CPU.
///
/// One writer at a time, from allocation to release. Before it writes, the writer's device waits until the
/// counter has reached `nextValue - 1`: the images of a new picture are still being prepared when it is allocated.
public protocol ExportedPicture: PictureAllocation {
  /// One for each plane of the format, in optimal tiling, each with a dedicated allocation.
  var images: [ExportedImage] { get }
  /// The memory of one image, as an opaque file descriptor for another driver of the same device. The caller owns the
  /// descriptor. Throws `.device`; the picture stays usable.
  func exportMemory(ofImage index: Int) throws(Failure) -> FileDescriptor
  /// The timeline semaphore that the writer signals with `nextValue` when its write is complete. Ownership and errors
  /// are `exportMemory`'s.
  func exportTimeline() throws(Failure) -> FileDescriptor
  /// The next value to signal; exceeds every value promised so far.
  var nextValue: UInt64 { get }
  /// Makes draws wait until the writer's device has signalled `value`. Without this call draws do not wait.
  func willBeWritten(at value: UInt64)
  /// The writer's own objects made from the file descriptors; released with the picture. Any thread.
  var companion: (any AnyObject & Sendable)? { get set }
}

/// One plane's image in a picture that is shared.
public struct ExportedImage: Sendable, Hashable {
  /// In texels.
  public var size: PictureSize
  public var plane: PlaneFormat
  /// Size of its memory allocation.
  public var byteCount: Int

  public init(size: PictureSize, plane: PlaneFormat, byteCount: Int) {
    self.size = size
    self.plane = plane
    self.byteCount = byteCount
  }
}

/// A decoded picture in the decoder's memory as dma-bufs, ready to be read.
public struct DMABufPicture: Sendable {
  public var format: PictureFormat
  /// The visible size; the memory may hold more columns and rows.
  public var size: PictureSize
  public var objects: [DMABufObject]
  /// One for each plane of the format.
  public var planes: [DMABufPlane]

  public init(format: PictureFormat, size: PictureSize, objects: [DMABufObject], planes: [DMABufPlane]) {
    self.format = format
    self.size = size
    self.objects = objects
    self.planes = planes
  }
}

/// A piece of memory that planes lie in.
public struct DMABufObject: Sendable {
  public var descriptor: FileDescriptor
  public var byteCount: Int
  /// Its tiling: one of Linux' `DRM_FORMAT_MOD` numbers.
  public var modifier: UInt64

  public init(descriptor: FileDescriptor, byteCount: Int, modifier: UInt64) {
    self.descriptor = descriptor
    self.byteCount = byteCount
    self.modifier = modifier
  }
}

/// Where a plane lies.
public struct DMABufPlane: Sendable, Hashable {
  /// Which of the picture's objects.
  public var object: Int
  /// In bytes.
  public var offset: Int
  public var pitch: Int

  public init(object: Int, offset: Int, pitch: Int) {
    self.object = object
    self.offset = offset
    self.pitch = pitch
  }
}
