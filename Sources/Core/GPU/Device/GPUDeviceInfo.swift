import Frames

/// A Vulkan device as `bench360 devices` lists it. Values only.
public struct GPUDeviceInfo: Sendable, Hashable, Codable {
  /// What sort of device it is; `cpu` renders on the processor, as lavapipe does.
  public enum Kind: String, Sendable, Codable {
    case discrete, integrated, virtual, cpu, other

    /// The lowest value is preferred unless the user chooses a device.
    var preference: Int {
      switch self {
      case .discrete: 0
      case .integrated: 1
      case .virtual: 2
      case .other: 3
      case .cpu: 4
      }
    }
  }

  /// Its place in the list of `devices`, by which `--device` may name it.
  public var index: Int
  public var name: String
  public var kind: Kind
  /// Driver's name and version in its own words.
  public var driver: String
  /// Vulkan version the device implements, such as `1.3.230`.
  public var api: String
  public var uuid: String
  /// The identity that other drivers know.
  public var identity: DeviceIdentity
  /// Longest side of an image, in texels.
  public var maxImageSize: Int
  /// Of its own memory, in 2²⁰ bytes.
  public var memoryMebibytes: Int
  public var features: [Feature]
  /// Why bench360 cannot use it; nil when it can.
  public var unsuitable: String?

  /// Rendering happens on the CPU.
  public var isSoftware: Bool { kind == .cpu }

  /// The features that the faster paths need.
  public enum Feature: String, Sendable, Codable, CaseIterable {
    case linearSampling = "linear-sampling"
    case hostCachedImages = "host-cached-images"
    case deepTextures = "16-bit-textures"
    case samplerYcbcr = "sampler-ycbcr"
    case transferQueue = "transfer-queue"
    case presentWait = "present-wait"
    case displayTiming = "display-timing"
    case dmaBuf = "dma-buf"
    /// Its pictures can be written by CUDA: their memory and a timeline go out as file descriptors.
    case memoryExport = "memory-export"
    /// It reads other drivers' pictures, whichever way their texels lie.
    case dmaBufImport = "dma-buf-import"
    case hostMemoryImport = "host-memory-import"
    case calibratedTimestamps = "calibrated-timestamps"
    /// Its Vulkan driver decodes video of this codec.
    case decodesH264 = "video-h264"
    case decodesHEVC = "video-hevc"
    case decodesAV1 = "video-av1"
  }

  /// The devices that match what the user wrote: `auto`, an index, part of a name, or a UUID; the one to take first.
  public static func select(_ wanted: String, from devices: [GPUDeviceInfo]) -> [GPUDeviceInfo] {
    let lowered = wanted.lowercased()
    if lowered == "auto" || lowered.isEmpty {
      return devices.filter { $0.unsuitable == nil }.sorted {
        ($0.kind.preference, $0.index) < ($1.kind.preference, $1.index)
      }
    }
    if let index = Int(wanted) { return devices.filter { $0.index == index } }
    let byUUID = devices.filter { $0.uuid == lowered }
    guard byUUID.isEmpty else { return byUUID }
    let byName = devices.filter { $0.name.lowercased().contains(lowered) }
    return byName.filter { $0.unsuitable == nil } + byName.filter { $0.unsuitable != nil }
  }
}
