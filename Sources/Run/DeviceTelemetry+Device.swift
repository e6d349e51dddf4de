import GPU
import Host

extension DeviceTelemetry {
  /// Nil for a device without sensors: one that renders on the CPU.
  convenience init?(of device: GPUDeviceInfo) {
    guard !device.isSoftware else { return nil }
    self.init(uuid: device.uuid, pciAddress: device.identity.pci?.description)
  }
}
