import Synchronization

/// The validation layer's messages. Any thread may read or write.
public final class ValidationLog: Sendable {
  private let lines = Mutex<[String]>([])

  /// A broken program repeats itself every frame; this many are enough to mend it.
  private static let limit = 100

  public var messages: [String] { lines.withLock { $0 } }

  /// A wait for a present may overlap other calls with its swapchain, which layers from before November 2023 report
  /// (Vulkan-ValidationLayers, issue 3615).
  package static func isMistaken(_ message: String) -> Bool {
    message.contains("UNASSIGNED-Threading-MultipleThreads")
      && message.contains("VkSwapchainKHR is simultaneously used")
  }

  func append(_ message: String) {
    lines.withLock { if $0.count < Self.limit { $0.append(message) } }
  }
}
