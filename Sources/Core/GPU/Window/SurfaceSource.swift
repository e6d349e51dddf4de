import Frames

/// A window, for a device that is to show pictures in it.
///
/// The window must outlive everything made from it: the device, its swapchains, and their users.
public struct SurfaceSource: Sendable {
  /// The Vulkan instance extensions of the window system.
  public var instanceExtensions: [String]
  /// Makes a VkSurfaceKHR of a VkInstance, for the receiver to destroy. Any thread.
  public var makeSurface: @Sendable (_ instance: OpaquePointer) throws(Failure) -> UInt64
  package var losses: (any SurfaceLosses)?

  public init(
    instanceExtensions: [String], makeSurface: @escaping @Sendable (_ instance: OpaquePointer) throws(Failure) -> UInt64
  ) {
    self.instanceExtensions = instanceExtensions
    self.makeSurface = makeSurface
  }
}
