/// A GPU as the kernel sees it, whether or not a Vulkan driver does.
package struct DisplayAdapter: Sendable, Hashable {
  package var vendor: Vendor
  /// `NVIDIA 0000:01:00.0`
  package var name: String

  /// Makers of GPUs that are worth a Vulkan driver; the display chips of servers are not among them.
  package enum Vendor: String, Sendable, CaseIterable {
    case nvidia = "0x10de"
    case amd = "0x1002"
    case intel = "0x8086"
    case virtio = "0x1af4"
    /// Of a system on a chip.
    case embedded

    var name: String {
      switch self {
      case .nvidia: "NVIDIA"
      case .amd: "AMD"
      case .intel: "Intel"
      case .virtio: "virtio"
      case .embedded: "embedded"
      }
    }

    /// How to get a Vulkan driver.
    var remedy: String {
      switch self {
      case .nvidia:
        "install NVIDIA's driver with its Vulkan part: sudo apt install nvidia-driver nvidia-vulkan-icd "
          + "(Ubuntu: sudo ubuntu-drivers install)"
      case .amd, .intel, .virtio, .embedded: "install Mesa's driver: sudo apt install mesa-vulkan-drivers"
      }
    }
  }

  /// From the PCI bus, and from the render nodes of what is not on it.
  static func read(_ files: SystemFiles) -> [DisplayAdapter] {
    let bus = "sys/bus/pci/devices/"
    let cards = files.names(bus).compactMap { slot -> DisplayAdapter? in
      guard files.line(bus + slot + "/class")?.hasPrefix("0x03") == true,
        let vendor = files.line(bus + slot + "/vendor").flatMap(Vendor.init)
      else { return nil }
      return DisplayAdapter(vendor: vendor, name: "\(vendor.name) \(slot)")
    }
    return cards + files.names("sys/class/drm", prefix: "renderD").compactMap { embedded(files, $0) }
  }

  private static func embedded(_ files: SystemFiles, _ node: String) -> DisplayAdapter? {
    let device = "sys/class/drm/\(node)/device"
    guard !files.exists(device + "/vendor"),
      let driver = files.text(device + "/uevent")?.split(separator: "\n").first(where: { $0.hasPrefix("DRIVER=") })
    else { return nil }
    return DisplayAdapter(vendor: .embedded, name: String(driver.dropFirst("DRIVER=".count)))
  }
}
