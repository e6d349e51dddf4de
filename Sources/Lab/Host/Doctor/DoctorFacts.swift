import FoundationEssentials
import Frames
import Glibc

/// The facts by which a machine is judged.
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

  /// What Vulkan's loader finds.
  package struct Vulkan: Sendable, Hashable {
    package var loader = "unknown"
    package var failure: String?
    package var devices: [Device] = []
    /// What `--device auto` takes.
    package var chosen: Device?
    package var hasValidationLayer = false
    /// Of llvmpipe; nil: another driver draws, or it was not measured.
    package var vectorWidths: VectorWidths?

    package init() {}
  }

  /// How fast a driver that renders on the CPU draws.
  package struct VectorWidths: Sendable, Hashable {
    /// Bits that it takes by itself.
    package var own: Int
    /// Of one view, by bits.
    package var milliseconds: [Int: Double]

    package init(own: Int, milliseconds: [Int: Double]) { (self.own, self.milliseconds) = (own, milliseconds) }
  }

  /// The clock of all measurements, and the timers on it.
  package struct Clock: Sendable, Hashable {
    package var source: String?
    /// That the kernel could take instead.
    package var sources: [String]
    /// Asked of the system by `gather`.
    package var resolutionNanoseconds: Double?
    package var timerSlackNanoseconds: Double?

    init(_ files: SystemFiles) {
      let folder = "sys/devices/system/clocksource/clocksource0/"
      source = files.line(folder + "current_clocksource")
      sources = (files.line(folder + "available_clocksource") ?? "").split(separator: " ").map(String.init)
      timerSlackNanoseconds = files.number("proc/self/timerslack_ns")
    }
  }

  /// What hardware decoders need.
  package struct Decoders: Sendable, Hashable {
    /// By name, whether it can be loaded.
    package var libraries: [String: Bool] = [:]
    /// Why a hardware decoder cannot be used, by name; usable decoders have no entry.
    package var obstacles: [String: String] = [:]

    package init() {}
  }

  /// Sound outputs.
  package struct Sound: Sendable, Hashable {
    /// Names, the default first.
    package var devices: [String] = []
    /// Why none can be listed.
    package var failure: String?
    package var remedy: String?

    package init(devices: [String] = [], failure: String? = nil, remedy: String? = nil) {
      (self.devices, self.failure, self.remedy) = (devices, failure, remedy)
    }
  }

  package var noise: NoiseEvidence
  package var environment: [String: String]
  package var adapters: [DisplayAdapter]
  package var renderNodes: [RenderNode]
  package var hasNvidiaKernelDriver: Bool
  package var isContainer: Bool
  package var isVirtualised: Bool?
  package var clock: Clock
  /// Why the processors' energy is not known, and what helps; nil where it is.
  package var energyObstacle: (cause: String, remedy: String?)?

  // Facts that no file holds: `gather` asks the system.
  package var vulkan = Vulkan()
  package var decoders = Decoders()
  package var mayBeRealTime: Bool?
  package var presentSources: [String] = []
  /// Nil: not asked for.
  package var sound: Sound?

  /// Facts from files below `root`; the rest stays unknown.
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
    clock = Clock(files)
    energyObstacle = PackageEnergy(files: files).obstacle
  }
}
