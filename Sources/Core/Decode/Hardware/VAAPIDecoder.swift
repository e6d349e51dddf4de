internal import CFFmpeg
import Frames
import Glibc
import Media

/// VA-API, the video engines of Intel's and AMD's GPUs. Its surfaces are exported as dma-bufs, which Vulkan imports.
struct VAAPIDecoder: HardwareDecoder {
  let choice = DecoderChoice.vaapi
  let type = AV_HWDEVICE_TYPE_VAAPI
  /// Frames that wait, are drawn, or are held for stepping back keep their surfaces: `VAAPISharing.lentLimit`, and some.
  let extraSurfaces = 20

  func obstacle(on device: DeviceIdentity?) -> String? {
    guard bench_has_library("libva-drm.so.2") != 0 else { return "libva-drm.so.2 is missing: install libva-drm2" }
    let nodes = RenderNode.all()
    guard !nodes.isEmpty else {
      return "there is no /dev/dri/renderD*: load the GPU's kernel driver, in a container use --device /dev/dri"
    }
    guard let node = RenderNode.of(device, among: nodes) else {
      return "no node in /dev/dri belongs to the device that draws: use that GPU as --device"
    }
    guard access(node.path, R_OK | W_OK) == 0 else {
      return "this user may not open \(node.path): add the user to the group that it belongs to, such as render"
    }
    return nil
  }

  func obstacleToOpening(on device: DeviceIdentity?) -> String? {
    var opened: UnsafeMutablePointer<AVBufferRef>?
    defer { av_buffer_unref(&opened) }
    return openOwnDevice(&opened, on: device) < 0 ? reasonNotToOpen(on: device) : nil
  }

  func reasonNotToOpen(on device: DeviceIdentity?) -> String? {
    name(of: device).map {
      "there is no VA-API driver for \($0): install intel-media-va-driver or mesa-va-drivers"
    }
  }

  func name(of device: DeviceIdentity?) -> String? { RenderNode.of(device, among: RenderNode.all())?.path }

  func sharingObstacle(_ sharing: PictureSharing, _ codec: AVCodecID) -> String? {
    sharing.importsDMABufs ? nil : "the device does not import dma-bufs with format modifiers"
  }

  func makeSharing(_ device: UnsafeMutablePointer<AVBufferRef>, _ allocator: PictureAllocator) -> (any FrameSharing)? {
    allocator.sharing?.importsDMABufs == true ? VAAPISharing(device, allocator) : nil
  }
}

/// A GPU's render node: for programs that do not drive its displays.
package struct RenderNode: Sendable, Hashable {
  package var path: String
  package var number: DeviceNumber
  /// Nil for devices on another bus.
  package var pci: PCIAddress?

  package init(path: String, number: DeviceNumber, pci: PCIAddress?) {
    self.path = path
    self.number = number
    self.pci = pci
  }

  /// The node of a device: by its number, else by its place on the bus; the first one of all where no device is meant.
  package static func of(_ device: DeviceIdentity?, among nodes: [RenderNode]) -> RenderNode? {
    guard let device else { return nodes.first }
    if let number = device.renderNode { return nodes.first { $0.number == number } }
    guard let pci = device.pci else { return nil }
    return nodes.first { $0.pci == pci }
  }

  /// This machine's render nodes, in order.
  static func all() -> [RenderNode] {
    // Linux gives render nodes the minor numbers from 128 on.
    (128..<192).compactMap { minor in
      let path = "/dev/dri/renderD\(minor)"
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      // glibc's makedev, whose macros are not imported.
      let device = UInt64(status.st_rdev)
      let major = UInt32(truncatingIfNeeded: (device >> 8 & 0xFFF) | (device >> 32 & 0xFFFF_F000))
      let number = UInt32(truncatingIfNeeded: (device & 0xFF) | (device >> 12 & 0xFFFF_FF00))
      return RenderNode(path: path, number: DeviceNumber(major: major, minor: number), pci: pci(minor))
    }
  }

  private static func pci(_ minor: Int) -> PCIAddress? {
    guard let resolved = realpath("/sys/class/drm/renderD\(minor)/device", nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved).split(separator: "/").last.flatMap { PCIAddress(String($0)) }
  }
}
