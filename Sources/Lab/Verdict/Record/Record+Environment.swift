extension Record {
  /// The machine and software of a run.
  public struct Environment: Hashable, Sendable, Codable {
    public var machine: Machine
    /// Nil if no scenario needed one.
    @Nullable public var device: Device?
    public var libraries: Libraries

    public init(machine: Machine, device: Device?, libraries: Libraries) {
      self.machine = machine
      self.device = device
      self.libraries = libraries
    }
  }

  /// The machine of a run. Nil: could not be read.
  public struct Machine: Hashable, Sendable, Codable {
    /// Names the class of machines that this one belongs to, and its folder below `results/`.
    @Nullable public var hostClass: String?
    @Nullable public var cpu: String?
    /// Logical processors the process may use.
    @Nullable public var cores: Int?
    @Nullable public var memoryMib: Int?
    @Nullable public var kernel: String?
    @Nullable public var os: String?
    /// Frequency-scaling governor of the first processor.
    @Nullable public var governor: String?
    @Nullable public var virtualised: Bool?

    /// All unknown.
    public init() {}

    /// The name of the folder of its records, before it is made safe as a file name.
    public var className: String {
      hostClass ?? cpu.map { cpu in cores.map { "\(cpu)-\($0)-cores" } ?? cpu } ?? "unknown"
    }
  }

  /// The Vulkan device that rendered.
  public struct Device: Hashable, Sendable, Codable {
    /// Vulkan's device types, less "other".
    public enum Kind: String, Sendable, Codable, CaseIterable { case discrete, integrated, virtual, cpu }

    public var name: String
    /// Nil if the driver claims none of the four.
    @Nullable public var type: Kind?
    /// The driver's name and version.
    @Nullable public var driver: String?
    /// The Vulkan version that the device offers: `1.3.255`.
    @Nullable public var api: String?
    @Nullable public var uuid: String?
    /// The device is the CPU: it shares cores with the decoder.
    public var software: Bool

    public init(
      name: String, type: Kind?, driver: String? = nil, api: String? = nil, uuid: String? = nil, software: Bool
    ) {
      self.name = name
      self.type = type
      self.driver = driver
      self.api = api
      self.uuid = uuid
      self.software = software
    }
  }

  /// Versions of the libraries that the program uses; nil is unknown or not loaded.
  public struct Libraries: Hashable, Sendable, Codable {
    /// Versions of one library.
    public struct Versions: Hashable, Sendable, Codable {
      /// Of the headers it was built with.
      @Nullable public var compiled: String?
      /// Of the library it ran with.
      @Nullable public var runtime: String?

      public init(compiled: String? = nil, runtime: String? = nil) {
        self.compiled = compiled
        self.runtime = runtime
      }
    }

    public var ffmpeg: Versions
    @Nullable public var vulkanLoader: String?
    @Nullable public var glfw: String?

    public init(ffmpeg: Versions = Versions(), vulkanLoader: String? = nil, glfw: String? = nil) {
      self.ffmpeg = ffmpeg
      self.vulkanLoader = vulkanLoader
      self.glfw = glfw
    }
  }
}
