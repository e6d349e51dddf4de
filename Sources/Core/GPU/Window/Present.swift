internal import CVulkan
import Frames

/// A picture on its way to the display. Any thread.
public struct Present: Sendable {
  /// From 1, in the order in which they were presented.
  public let number: UInt64
  let images: SwapchainImages

  /// How waiting ended.
  public enum Wait: Sendable, Hashable {
    /// It, or one after it, was seen just before this instant.
    case seen(MonotonicTime)
    /// Not yet.
    case timedOut
    /// It will not be: the window has changed or gone, or the driver cannot tell.
    case lost
  }

  /// Blocks until the picture is seen, for `seconds` at most.
  public func wait(seconds: Double) -> Wait {
    let device = images.device
    guard let wait = device.waitForPresent, !images.isRetired else { return .lost }
    switch wait(device.handle, images.handle, number, UInt64(seconds * 1e9)) {
    case VK_SUCCESS, VK_SUBOPTIMAL_KHR: return .seen(.now)
    case VK_TIMEOUT: return .timedOut
    default: return .lost
    }
  }
}
