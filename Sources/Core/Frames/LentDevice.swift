import Glibc

// A Vulkan device shared by the renderer and a decoder: the handles and picture states that they exchange.

/// A Vulkan device as handles, with the features and extensions it was created with.
public struct LentDevice: Sendable {
  /// `VkInstance`, `VkPhysicalDevice` and `VkDevice`; valid while `keeper` lives.
  nonisolated(unsafe) public var instance: OpaquePointer
  nonisolated(unsafe) public var physical: OpaquePointer
  nonisolated(unsafe) public var device: OpaquePointer
  /// `vkGetInstanceProcAddr`, a C function.
  nonisolated(unsafe) public var loader: UnsafeRawPointer
  public var instanceExtensions: [String]
  public var deviceExtensions: [String]
  /// A `VkPhysicalDeviceFeatures2` and its `pNext` chain; valid while `keeper` lives.
  nonisolated(unsafe) public var features: UnsafeRawPointer
  /// Families with a created queue; the first one supports graphics, compute and transfer.
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

/// A queue family of which one queue was created.
public struct LentQueueFamily: Sendable, Hashable {
  public var index: UInt32
  /// `VkQueueFlags`.
  public var abilities: UInt32
  /// `VkVideoCodecOperationFlagsKHR`; 0 where the family has no video operations.
  public var videoOperations: UInt32

  public init(index: UInt32, abilities: UInt32, videoOperations: UInt32) {
    self.index = index
    self.abilities = abilities
    self.videoOperations = videoOperations
  }
}

/// Serialises submissions to all queues of a device, as Vulkan requires of its callers. Any thread.
///
/// `lock` and `unlock` are separate calls, since FFmpeg's callbacks are; the lock is not recursive.
public final class QueueLock: Sendable {
  nonisolated(unsafe) private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

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

/// A decoded picture in images that a decoder created on the render device. The decoder owns the images.
public struct LentPicture: Sendable {
  public var format: PictureFormat
  /// The visible size; images may hold more columns and rows.
  public var size: PictureSize
  /// `VkImage`: one multi-planar image that allows views of single planes, or one image for each plane.
  nonisolated(unsafe) public var images: [OpaquePointer]
  public var state: any LentPictureState

  public init(format: PictureFormat, size: PictureSize, images: [OpaquePointer], state: any LentPictureState) {
    self.format = format
    self.size = size
    self.images = images
    self.state = state
  }
}

/// The synchronisation state of a lent picture, read before a submission and updated after it. The picture is not
/// modified while this is alive. Any thread.
public protocol LentPictureState: AnyObject, Sendable {
  /// The state of each image. Locks the picture: no other thread submits work with it until `end`.
  func begin() -> [LentImageState]
  /// Unlocks the picture.
  ///
  /// - Parameter isSubmitted: work was submitted that waits for each timeline's value, signals that value + 1, and
  ///   preserves the layouts. False: the states are unchanged.
  func end(isSubmitted: Bool)
}

/// One image between two submissions.
public struct LentImageState: Sendable {
  /// `VkImageLayout`.
  public var layout: UInt32
  /// The owning queue family; `VK_QUEUE_FAMILY_IGNORED` for concurrent sharing.
  public var family: UInt32
  /// Timeline `VkSemaphore`, and the value that all work submitted so far signals.
  nonisolated(unsafe) public var timeline: OpaquePointer
  public var value: UInt64

  public init(layout: UInt32, family: UInt32, timeline: OpaquePointer, value: UInt64) {
    self.layout = layout
    self.family = family
    self.timeline = timeline
    self.value = value
  }
}
