import Glibc

// A Vulkan device that draws and that a decoder works on as well: what both tell each other of it and of pictures made there.

/// A device by its Vulkan handles, with what was turned on when it was made.
public struct LentDevice: @unchecked Sendable {
  /// `VkInstance`, `VkPhysicalDevice` and `VkDevice`: as long as `keeper` lives.
  public var instance: OpaquePointer
  public var physical: OpaquePointer
  public var device: OpaquePointer
  /// `vkGetInstanceProcAddr`, a C function.
  public var loader: UnsafeRawPointer
  public var instanceExtensions: [String]
  public var deviceExtensions: [String]
  /// A `VkPhysicalDeviceFeatures2` and what it points to: as long as `keeper` lives.
  public var features: UnsafeRawPointer
  /// Those that queues were made of; the first draws, computes and copies.
  public var families: [LentQueueFamily]
  public var lock: QueueLock
  public var keeper: any AnyObject & Sendable

  public init(
    instance: OpaquePointer, physical: OpaquePointer, device: OpaquePointer, loader: UnsafeRawPointer,
    instanceExtensions: [String], deviceExtensions: [String], features: UnsafeRawPointer, families: [LentQueueFamily],
    lock: QueueLock, keeper: any AnyObject & Sendable
  ) {
    self.instance = instance
    self.physical = physical
    self.device = device
    self.loader = loader
    self.instanceExtensions = instanceExtensions
    self.deviceExtensions = deviceExtensions
    self.features = features
    self.families = families
    self.lock = lock
    self.keeper = keeper
  }
}

/// Queues of one family, one of which was made.
public struct LentQueueFamily: Sendable, Hashable {
  public var index: UInt32
  /// `VkQueueFlags`.
  public var abilities: UInt32
  /// `VkVideoCodecOperationFlagsKHR`; 0 where it does nothing with video.
  public var videoOperations: UInt32

  public init(index: UInt32, abilities: UInt32, videoOperations: UInt32) {
    self.index = index
    self.abilities = abilities
    self.videoOperations = videoOperations
  }
}

/// One submission at a time, to any queue of a device: Vulkan leaves that to its callers. Any thread.
///
/// Taken by one call and let go of by another, as FFmpeg asks for it; not twice by one thread.
public final class QueueLock: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  public init() { pthread_mutex_init(mutex, nil) }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  public func lock() { pthread_mutex_lock(mutex) }
  public func unlock() { pthread_mutex_unlock(mutex) }

  public func withLock<Value>(_ body: () -> Value) -> Value {
    lock()
    defer { unlock() }
    return body()
  }
}

/// A decoded picture in images that a decoder made on the device that draws. They stay its own.
public struct LentPicture: @unchecked Sendable {
  public var format: PictureFormat
  /// What is shown; images may hold more columns and rows.
  public var size: PictureSize
  /// `VkImage`: one with all planes, of which views of single planes may be made, or one for each plane.
  public var images: [OpaquePointer]
  public var state: any LentPictureState

  public init(format: PictureFormat, size: PictureSize, images: [OpaquePointer], state: any LentPictureState) {
    self.format = format
    self.size = size
    self.images = images
    self.state = state
  }
}

/// What whoever submits work with a lent picture must know and tell. Keeps the picture as it is. Any thread.
public protocol LentPictureState: AnyObject, Sendable {
  /// The state of each image; nobody else submits work with the picture from now until `end`.
  func begin() -> [LentImageState]
  /// - Parameter isSubmitted: work went to the GPU that waits for each timeline's value, raises it by one, and leaves the
  ///   layouts as they were.
  func end(isSubmitted: Bool)
}

/// One image between two submissions.
public struct LentImageState: @unchecked Sendable {
  /// `VkImageLayout`.
  public var layout: UInt32
  /// The queue family that has it; `VK_QUEUE_FAMILY_IGNORED` where all have.
  public var family: UInt32
  /// `VkSemaphore`, and the value that all work submitted so far reaches.
  public var timeline: OpaquePointer
  public var value: UInt64

  public init(layout: UInt32, family: UInt32, timeline: OpaquePointer, value: UInt64) {
    self.layout = layout
    self.family = family
    self.timeline = timeline
    self.value = value
  }
}
