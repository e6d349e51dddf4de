import Foundation
import Frames
import Glibc

/// What a machine is judged by.
package struct DoctorFacts: Sendable {
  /// A Vulkan device, as far as it matters here.
  package struct Device: Sendable, Hashable {
    package var name: String
    package var kind: String
    package var isSoftware: Bool
    /// Why it cannot be used; nil when it can.
    package var unsuitable: String?

    package init(name: String, kind: String, isSoftware: Bool, unsuitable: String? = nil) {
      self.name = name
      self.kind = kind
      self.isSoftware = isSoftware
      self.unsuitable = unsuitable
    }
  }

  package struct RenderNode: Sendable, Hashable {
    package var path: String
    /// This user may open it.
    package var isUsable: Bool

    package init(path: String, isUsable: Bool) {
      self.path = path
      self.isUsable = isUsable
    }
  }

  package var noise: NoiseEvidence
  package var environment: [String: String]
  package var adapters: [DisplayAdapter]
  package var renderNodes: [RenderNode]
  package var hasNvidiaKernelDriver: Bool
  package var isContainer: Bool
  package var isVirtualised: Bool?
  package var clockSource: String?
  package var clockSources: [String]

  // What no file tells: asked of the system by `gather`.
  package var vulkanLoader = "unknown"
  package var vulkanFailure: String?
  package var devices: [Device] = []
  /// What `--device auto` takes.
  package var chosen: Device?
  package var hasValidationLayer = false
  package var clockResolutionNanoseconds: Double?
  package var timerSlackNanoseconds: Double?
  package var mayBeRealTime: Bool?
  /// By name, whether it can be loaded.
  package var decoderLibraries: [String: Bool] = [:]
  /// Why each hardware decoder cannot be used, by name; of those that can, nothing.
  package var decoderObstacles: [String: String] = [:]
  package var presentSources: [String] = []

  /// What files below `root` tell; the rest stays unknown.
  package init(root: String = "/", environment: [String: String], noise: NoiseEvidence) {
    let files = SystemFiles(root: root)
    self.noise = noise
    self.environment = environment
    adapters = DisplayAdapter.read(files)
    renderNodes = files.names("dev/dri", prefix: "renderD").map {
      RenderNode(path: "/dev/dri/\($0)", isUsable: files.isUsable("dev/dri/\($0)"))
    }
    hasNvidiaKernelDriver = files.exists("proc/driver/nvidia/version") || files.exists("dev/nvidiactl")
    isContainer = files.exists(".dockerenv") || files.exists("run/.containerenv")
    isVirtualised = files.text("proc/cpuinfo").map { $0.contains(" hypervisor") }
    let clock = "sys/devices/system/clocksource/clocksource0/"
    clockSource = files.line(clock + "current_clocksource")
    clockSources = (files.line(clock + "available_clocksource") ?? "").split(separator: " ").map(String.init)
    timerSlackNanoseconds = files.number("proc/self/timerslack_ns")
  }
}
