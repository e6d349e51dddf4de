import Frames
import GPU
import Testing

/// What callers may do about a failed Vulkan call follows from its result.
struct VulkanResultTests {
  /// Numbers of the Vulkan specification: host memory, device memory, a lost device, a lost surface, initialisation.
  @Test(
    arguments: [
      (-1, Failure.Kind.memory), (-2, .memory), (-4, .deviceLost), (-1_000_000_000, .deviceLost), (-3, .device),
    ] as [(Int32, Failure.Kind)])
  func tellsWhatToDo(_ result: Int32, _ kind: Failure.Kind) {
    #expect(failureKind(ofVulkanResult: result) == kind)
  }
}
