import Foundation
import GPU
import Testing

/// Choosing one of several devices.
@Suite struct DeviceChoiceTests {
  private static func device(_ index: Int, _ name: String, _ kind: String, unsuitable: String? = nil) throws
    -> GPUDeviceInfo
  {
    var values: [String: Any] = [
      "index": index, "name": name, "kind": kind, "driver": "", "api": "1.3.0", "maxImageSize": 16384,
      "memoryMebibytes": 1024, "features": [String](), "uuid": "0000000\(index)-0000-0000-0000-00000000abcd",
      "identity": ["index": index, "uuid": [Int](repeating: 0, count: 16)],
    ]
    values["unsuitable"] = unsuitable
    return try JSONDecoder().decode(GPUDeviceInfo.self, from: JSONSerialization.data(withJSONObject: values))
  }

  private static func all() throws -> [GPUDeviceInfo] {
    try [
      device(0, "llvmpipe", "cpu"), device(1, "Intel Iris", "integrated"),
      device(2, "NVIDIA GT 710", "discrete", unsuitable: "it implements Vulkan 1.2"),
      device(3, "NVIDIA H100", "discrete"), device(4, "NVIDIA H100", "discrete"), device(5, "virtio", "virtual"),
    ]
  }

  @Test(arguments: [
    ("auto", [3, 4, 1, 5, 0]), ("", [3, 4, 1, 5, 0]), ("4", [4]), ("2", [2]), ("6", []), ("-1", []),
    ("h100", [3, 4]), ("NVIDIA", [3, 4, 2]), ("iris", [1]), ("radeon", []),
    ("00000004-0000-0000-0000-00000000abcd", [4]), ("00000004-0000-0000-0000-00000000ABCD", [4]),
  ])
  func aWishMeansTheseInThisOrder(wish: String, indices: [Int]) throws {
    #expect(GPUDeviceInfo.select(wish, from: try Self.all()).map(\.index) == indices)
  }
}
