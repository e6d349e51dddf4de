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

  /// Another object in two threads at once is reported.
  @Test func waitsForPresentsAreNoMistake() {
    let text =
      "Validation Error: [ UNASSIGNED-Threading-MultipleThreads ] Object 0: handle = 0x44, type = VK_OBJECT_TYPE"
    let conflict = "is simultaneously used in thread 140 and thread 141"
    #expect(
      ValidationLog.isMistaken(
        "\(text)_SWAPCHAIN_KHR; | THREADING ERROR : vkAcquireNextImageKHR(): object of type VkSwapchainKHR \(conflict)")
    )
    #expect(
      !ValidationLog.isMistaken(
        "\(text)_QUEUE; | THREADING ERROR : vkQueueSubmit2(): object of type VkQueue \(conflict)"))
    #expect(!ValidationLog.isMistaken("VUID-vkWaitForPresentKHR-swapchain-04997: VkSwapchainKHR is retired"))
  }
}
