internal import CVulkan
import Frames

/// What the driver keeps of compiled shaders, so that the next process need not compile them again.
///
/// As bytes it carries a header of its own: drivers trust what they are given, files deserve less.
final class PipelineCache: Sendable {
  nonisolated(unsafe) let handle: VkPipelineCache?
  nonisolated(unsafe) private let device: VkDevice
  private let loaded: [UInt8]

  private static let magic = Array("b360pipe".utf8)

  /// - Parameter bytes: what `bytes` gave in an earlier process, or anything else, which is passed over.
  init(device: VkDevice, bytes: [UInt8]) {
    let data = Self.unwrapped(bytes) ?? []
    var cache: VkPipelineCache?
    data.withUnsafeBytes { data in
      var info = VkPipelineCacheCreateInfo()
      info.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO
      info.initialDataSize = data.count
      info.pInitialData = data.baseAddress
      vkCreatePipelineCache(device, &info, nil, &cache)
    }
    handle = cache
    loaded = data
    self.device = device
  }

  /// To be called before the device goes.
  func destroy() {
    vkDestroyPipelineCache(device, handle, nil)
  }

  /// For a file; nil when the driver has nothing that it did not have at the start.
  var newBytes: [UInt8]? {
    guard let handle else { return nil }
    var size = 0
    guard vkGetPipelineCacheData(device, handle, &size, nil) == VK_SUCCESS, size > 0 else { return nil }
    var data = [UInt8](repeating: 0, count: size)
    let result = data.withUnsafeMutableBytes { vkGetPipelineCacheData(device, handle, &size, $0.baseAddress) }
    data.removeLast(data.count - size)
    return result == VK_SUCCESS && data != loaded ? Self.wrapped(data) : nil
  }

  /// Eight bytes of magic, eight of a checksum, then the driver's data.
  static func wrapped(_ data: [UInt8]) -> [UInt8] {
    magic + withUnsafeBytes(of: checksum(data[...]).littleEndian) { Array($0) } + data
  }

  /// The driver's data; nil when the bytes are not what `wrapped` made.
  static func unwrapped(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count > 16, Array(bytes.prefix(8)) == magic else { return nil }
    let sum = bytes[8..<16].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return sum == checksum(bytes[16...]) ? Array(bytes[16...]) : nil
  }

  /// FNV-1a of 64 bits.
  private static func checksum(_ data: ArraySlice<UInt8>) -> UInt64 {
    data.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
