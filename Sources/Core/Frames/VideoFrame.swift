/// A decoded picture with its presentation time and the instants of its decoding.
public struct VideoFrame: Sendable {
  /// Position in output order since the file was opened; continues counting when the clip loops.
  public var index: Int
  /// Presentation time from the start of the presentation; loops do not add to it.
  public var presentationTime: MediaTime
  public var duration: MediaTime
  public var isKeyFrame: Bool
  public var isInterlaced: Bool
  /// The decoder concealed errors in it.
  public var isCorrupt: Bool
  public var format: PictureFormat
  /// The visible size; plane sizes follow from the format.
  public var size: PictureSize
  public var color: ColorDescription
  /// What it shares with the frames around it; nil where no decoder made it. A consumer compares identities: another instance
  /// than the last frame's begins another format.
  public var stream: StreamFormat?
  public var picture: HostPicture
  /// The CPU can read the samples; else they are in memory that the decoder's device shares with the render device.
  public var isInHostMemory: Bool { !picture.planes.isEmpty }
  /// FFmpeg's name of the decoder's format when libswscale converted the samples, else nil.
  public var convertedFrom: String?
  public var timing: FrameTiming

  public init(
    index: Int, presentationTime: MediaTime, duration: MediaTime, isKeyFrame: Bool = false,
    isInterlaced: Bool = false, isCorrupt: Bool = false, format: PictureFormat, size: PictureSize,
    color: ColorDescription, picture: HostPicture, convertedFrom: String? = nil, timing: FrameTiming = FrameTiming()
  ) {
    self.index = index
    self.presentationTime = presentationTime
    self.duration = duration
    self.isKeyFrame = isKeyFrame
    self.isInterlaced = isInterlaced
    self.isCorrupt = isCorrupt
    self.format = format
    self.size = size
    self.color = color
    self.picture = picture
    self.convertedFrom = convertedFrom
    self.timing = timing
  }

  /// Why the samples were converted, and to what; nil when they were not.
  public var conversionReason: String? {
    convertedFrom.map { source in
      PictureFormat.named(source) == nil
        ? "the shaders do not read \(source): libswscale made \(format.name) of it"
        : "the device does not filter 16-bit textures: libswscale made \(format.name) of \(source)"
    }
  }

  /// Whether `time` falls into [presentation time, presentation time + duration).
  public func contains(_ time: MediaTime) -> Bool {
    presentationTime <= time && time < presentationTime + duration
  }
}

/// The instants of one frame's way from the file to the decoder's output.
public struct FrameTiming: Sendable {
  /// Time spent reading this frame's packet from the container.
  public var demuxMilliseconds: Double = 0
  /// When reading it began.
  public var readStarted: MonotonicTime?
  /// When its packet was handed to the decoder.
  public var packetSent: MonotonicTime?
  /// When the decoder gave the frame.
  public var received: MonotonicTime?
  /// When it was put into the consumer's queue; nil where there is no queue.
  public var queued: MonotonicTime?
  /// Packet handed to the decoder → frame received, less the time the consumer kept the decoder waiting.
  ///
  /// A hardware decoder's frame is received when it can be drawn: copying it to the CPU's memory, and waiting for the
  /// decoder before its own memory is shared, are included. Of CUDA's copy within the GPU only the submission is
  /// included; draws wait for its completion on the GPU.
  public var decodeLatencyMilliseconds: Double?
  /// The part of it in which a hardware decoder's frame was copied, or its memory shared; nil: another decoder's.
  public var bringMilliseconds: Double?

  public init() {}
}

/// Decoded samples in host memory, with the owner that keeps that memory alive.
public final class HostPicture: @unchecked Sendable {
  public private(set) var planes: PlaneList
  /// Set when a `PictureAllocator` allocated the memory: the GPU side recognises its own memory and does not copy.
  public private(set) var allocation: PictureAllocation?
  /// Released with the picture: the decoder's reference, or the buffer of a conversion.
  private let owner: AnyObject

  public init(planes: PlaneList, owner: AnyObject, allocation: PictureAllocation? = nil) {
    self.planes = planes
    self.owner = owner
    self.allocation = allocation
  }

  /// Replaces the samples by others of the same owner. The caller must hold the only reference to the picture.
  package func refill(planes: PlaneList, allocation: PictureAllocation?) {
    self.planes = planes
    self.allocation = allocation
  }

  /// A picture in memory allocated here, zeroed, with rows aligned to 64 bytes.
  public convenience init(format: PictureFormat, size: PictureSize) {
    var layouts: [(offset: Int, pitch: Int, size: PictureSize)] = []
    var total = 0
    for plane in format.planes {
      let planeSize = plane.size(of: size)
      let pitch = (planeSize.width * plane.bytesPerTexel + 63) / 64 * 64
      layouts.append((total, pitch, planeSize))
      total += pitch * planeSize.height
    }
    let block = HostMemory(byteCount: total)
    let planes = zip(format.planes, layouts).map { plane, layout in
      HostPlane(
        base: block.base + layout.offset, bytesPerRow: layout.pitch,
        rowBytes: layout.size.width * plane.bytesPerTexel, rows: layout.size.height)
    }
    self.init(planes: PlaneList(planes), owner: block)
  }
}
