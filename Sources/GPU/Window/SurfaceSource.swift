import Frames

/// What a window gives a device that is to show pictures in it.
///
/// The window must stay until everything made from it has gone: the device, its swapchains, and who uses them.
public struct SurfaceSource: Sendable {
  /// What the Vulkan instance must have to know the window system.
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
