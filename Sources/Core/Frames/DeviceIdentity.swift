/// Identifiers of a GPU that all of its drivers report: a decoder's device is matched with the render device by them.
public struct DeviceIdentity: Sendable, Hashable, Codable {
  /// Its place in Vulkan's list.
  public var index: Int
  /// 16 bytes: `VkPhysicalDeviceIDProperties.deviceUUID`, which CUDA reports as well.
  public var uuid: [UInt8]
  public var pci: PCIAddress?
  /// The nodes below /dev/dri that belong to it.
  public var renderNode: DeviceNumber?
  public var primaryNode: DeviceNumber?

  public init(
    index: Int, uuid: [UInt8], pci: PCIAddress? = nil, renderNode: DeviceNumber? = nil, primaryNode: DeviceNumber? = nil
  ) {
    self.index = index
    self.uuid = uuid
    self.pci = pci
    self.renderNode = renderNode
    self.primaryNode = primaryNode
  }
}

/// Where a device sits on the PCI bus.
public struct PCIAddress: Sendable, Hashable, Codable, CustomStringConvertible {
  public var domain: UInt32
  public var bus: UInt32
  public var device: UInt32
  public var function: UInt32

  public init(domain: UInt32, bus: UInt32, device: UInt32, function: UInt32) {
    self.domain = domain
    self.bus = bus
    self.device = device
    self.function = function
  }

  /// Parses `0000:65:00.0`, as the kernel writes it; nil for anything else.
  public init?(_ text: String) {
    let parts = text.split(whereSeparator: { ":.".contains($0) })
    guard parts.count == 4, text.contains(where: { $0 == "." }) else { return nil }
    let numbers = parts.compactMap { UInt32($0, radix: 16) }
    guard numbers.count == 4, numbers[1] < 256, numbers[2] < 32, numbers[3] < 8 else { return nil }
    self.init(domain: numbers[0], bus: numbers[1], device: numbers[2], function: numbers[3])
  }

  public var description: String {
    "\(hex(domain, 4)):\(hex(bus, 2)):\(hex(device, 2)).\(String(function, radix: 16))"
  }

  private func hex(_ number: UInt32, _ digits: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}

/// A device node's number, as `stat` reports it.
public struct DeviceNumber: Sendable, Hashable, Codable, CustomStringConvertible {
  public var major: UInt32
  public var minor: UInt32

  public init(major: UInt32, minor: UInt32) {
    self.major = major
    self.minor = minor
  }

  public var description: String { "\(major):\(minor)" }
}
