internal import CVulkan
import Frames

/// The GPU's clock before and after copying and drawing one frame, and drawing over it where that is done later.
final class StageTimestamps {
  /// What is timed, by its first query.
  enum Stage: UInt32 { case copying = 0, drawing = 2, overlaying = 4 }

  typealias Ticks = (start: UInt64, end: UInt64)

  private let device: GPUDevice
  private let queries: VkQueryPool
  private static let count: UInt32 = 6

  init(device: GPUDevice) throws(Failure) {
    var info = VkQueryPoolCreateInfo()
    info.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO
    info.queryType = VK_QUERY_TYPE_TIMESTAMP
    info.queryCount = Self.count
    var pool: VkQueryPool?
    try check(vkCreateQueryPool(device.handle, &info, nil, &pool), "create a query pool")
    guard let pool else { throw Failure(.device, "cannot create a query pool", cause: "none came back") }
    (self.device, queries) = (device, pool)
  }

  deinit {
    vkDestroyQueryPool(device.handle, queries, nil)
  }

  /// Forgets the last frame's; no submission that writes them may be pending.
  func reset() { vkResetQueryPool(device.handle, queries, 0, Self.count) }

  func recordStart(of stage: Stage, _ commands: VkCommandBuffer) { record(stage.rawValue, commands) }
  func recordEnd(of stage: Stage, _ commands: VkCommandBuffer) { record(stage.rawValue + 1, commands) }

  private func record(_ query: UInt32, _ commands: VkCommandBuffer) {
    vkCmdWriteTimestamp2(commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, queries, query)
  }

  /// What the clock showed; nil where a stage was not recorded.
  func ticks(of stage: Stage) -> Ticks? {
    var ticks: Ticks = (0, 0)
    let result = vkGetQueryPoolResults(
      device.handle, queries, stage.rawValue, 2, MemoryLayout<Ticks>.size, &ticks, 8,
      VK_QUERY_RESULT_64_BIT.rawValue)
    return result == VK_SUCCESS ? ticks : nil
  }
}
