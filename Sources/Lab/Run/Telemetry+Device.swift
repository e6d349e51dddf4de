import GPU
import Host

extension Telemetry.Device {
  /// Nil for a device without sensors: one that renders on the CPU.
  init?(_ device: GPUDeviceInfo) {
    guard !device.isSoftware else { return nil }
    self.init(
      uuid: device.uuid, pciAddress: device.identity.pci?.description, isPartOfPackage: device.kind == .integrated)
  }
}
