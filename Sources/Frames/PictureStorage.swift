// Pictures that two devices, or two drivers of one, have in common: what decoders and the GPU tell each other of them.

/// What the device that draws can share with one that decodes.
public struct PictureSharing: Sendable, Hashable {
  public var device: DeviceIdentity
  /// Hands out memory of its own, for CUDA to write: `PictureAllocator.allocateExported`.
  public var exportsPictures: Bool
  /// Takes memory of others: `PictureAllocator.adopt`.
  public var importsDMABufs: Bool
  /// What its Vulkan driver decodes, by FFmpeg's names, where decoders may work on the device: `PictureAllocator.lentDevice`.
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

/// A picture in images of the device that draws, whose memory another driver writes. The CPU sees none of it.
///
/// One writer at a time, from when it was handed out until it is released. Before it writes, the writer's device waits until the
/// counter has reached `nextValue - 1`: the images of a new picture are still being prepared when it is handed out.
public protocol ExportedPicture: PictureAllocation {
  /// One for each plane of the format, tiled as the device likes it, each with memory for itself.
  var images: [ExportedImage] { get }
  /// The memory of one image, as an opaque file descriptor for another driver on the same device.
  func exportMemory(ofImage index: Int) throws(Failure) -> FileDescriptor
  /// The counter that the writer raises to `nextValue` once it has written.
  func exportTimeline() throws(Failure) -> FileDescriptor
  /// The next value to signal; exceeds every value promised so far.
  var nextValue: UInt64 { get }
  /// The writer's device will raise the counter to `value`, and draws are to wait for that. Never called, nothing waits.
  func willBeWritten(at value: UInt64)
  /// What the writer made of the file descriptors; goes with the picture. Any thread.
  var companion: (any AnyObject & Sendable)? { get set }
}

/// One plane's image in a picture that is shared.
public struct ExportedImage: Sendable, Hashable {
  /// In texels.
  public var size: PictureSize
  public var plane: PlaneFormat
  /// Of all its memory.
  public var byteCount: Int

  public init(size: PictureSize, plane: PlaneFormat, byteCount: Int) {
    self.size = size
    self.plane = plane
    self.byteCount = byteCount
  }
}

/// A decoded picture in memory of the decoder's, as Linux passes it between drivers: ready to be read.
public struct DMABufPicture: Sendable {
  public var format: PictureFormat
  /// What is shown; the memory may hold more columns and rows.
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
  /// How texels lie in it: one of Linux' `DRM_FORMAT_MOD` numbers.
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
