import Foundation
import Host
import Support
import Testing

@Suite(.tier(.test)) struct DoctorTests {
  private static let gpu = DoctorFacts.Device(name: "Radeon", kind: "discrete", isSoftware: false)
  private static let cpu = DoctorFacts.Device(name: "llvmpipe", kind: "cpu", isSoftware: true)
  private static let node = ["dev/dri/renderD128": ""]

  private static func card(_ vendor: String, kind: String = "0x030000") -> [String: String] {
    ["sys/bus/pci/devices/0000:01:00.0/class": kind, "sys/bus/pci/devices/0000:01:00.0/vendor": vendor]
  }

  /// A machine with a GPU where all is well, but for `files`, the environment and `change`.
  private static func facts(
    _ files: [String: String] = [:], environment: [String: String] = [:], gpu device: DoctorFacts.Device = gpu,
    _ change: (inout DoctorFacts) -> Void = { _ in }
  ) throws -> DoctorFacts {
    let machine = MadeUpMachine.quiet.with(files)
    let evidence = try machine.evidence(then: machine)
    var facts = try machine.lay { DoctorFacts(root: $0, environment: environment, noise: evidence) }
    facts.vulkan.loader = "1.3.0"
    facts.vulkan.devices = [device]
    facts.vulkan.chosen = device
    facts.vulkan.hasValidationLayer = true
    facts.clock.resolutionNanoseconds = 1
    facts.clock.timerSlackNanoseconds = 50_000
    facts.mayBeRealTime = true
    change(&facts)
    return facts
  }

  /// What is not ok, by code; the text with its remedy.
  private static func findings(_ facts: DoctorFacts) -> [String: String] {
    var found: [String: String] = [:]
    for finding in Doctor.check(facts) where finding.status == .warning || finding.status == .problem {
      found[finding.code] = "\(finding.status.rawValue): \(finding.text) → \(finding.remedy ?? "")"
    }
    return found
  }

  private static func expect(
    _ facts: DoctorFacts, finds code: String, saying words: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let found = findings(facts)
    #expect(Array(found.keys) == [code], "\(found)", sourceLocation: sourceLocation)
    for word in words {
      #expect(found[code]?.contains(word) == true, "'\(word)' is not in \(found)", sourceLocation: sourceLocation)
    }
  }

  @Test func aHealthyMachineHasNothingToMend() throws {
    let findings = Doctor.check(try Self.facts(Self.node))
    #expect(findings.allSatisfy { $0.status == .ok || $0.status == .info }, "\(findings)")
    let codes = findings.map(\.code)
    #expect(Set(codes).count == codes.count)
    for code in ["vulkan", "device", "gpu_access", "load", "governor", "clock_source", "timers", "real_time", "steal"] {
      #expect(codes.contains(code) == (code != "steal"), "two equal instants tell nothing of steal: \(codes)")
    }
    #expect(Doctor.summary(findings) == "nothing seen here makes 'run' fail or spoils its numbers")
  }

  @Test func withoutADriverRunFails() throws {
    func none(_ files: [String: String] = [:], _ environment: [String: String] = [:]) throws -> DoctorFacts {
      try Self.facts(files, environment: environment) {
        $0.vulkan.devices = []
        $0.vulkan.chosen = nil
      }
    }
    Self.expect(try none(), finds: "vulkan", saying: ["problem", "no driver", "mesa-vulkan-drivers"])
    Self.expect(try none(Self.card("0x10de")), finds: "vulkan", saying: ["nvidia-driver"])
    Self.expect(try none([:], ["VK_DRIVER_FILES": "/x"]), finds: "vulkan", saying: ["unset VK_DRIVER_FILES"])
    #expect(Doctor.summary(Doctor.check(try none())) == "1 thing makes 'run' fail: vulkan")
  }

  @Test func onlyUnsuitableDevicesMakeRunFail() throws {
    var old = Self.gpu
    old.unsuitable = "it implements Vulkan 1.1.0, 1.3 is needed"
    let facts = try Self.facts(gpu: old) { $0.vulkan.chosen = nil }
    Self.expect(facts, finds: "vulkan", saying: ["problem", "'Radeon'", "1.3 is needed"])
  }

  @Test(arguments: [("0x10de", "NVIDIA", "nvidia-vulkan-icd"), ("0x1002", "AMD", "mesa"), ("0x8086", "Intel", "mesa")])
  func theCPUBehindAGPUsBackIsTold(vendor: String, name: String, remedy: String) throws {
    // A data-centre GPU is a "3D controller", class 0x0302.
    for kind in ["0x030000", "0x030200"] {
      let facts = try Self.facts(Self.node.merging(Self.card(vendor, kind: kind)) { $1 }, gpu: Self.cpu)
      Self.expect(
        facts, finds: "device", saying: ["llvmpipe", "though there is a GPU on the bus (\(name) 0000:01:00.0)", remedy])
    }
  }

  @Test func theCPUWithoutAGPUIsToldToo() throws {
    Self.expect(try Self.facts(gpu: Self.cpu), finds: "device", saying: ["no GPU is on the bus"])
    // Neither a network card nor the display chip of a server is a GPU.
    for card in [Self.card("0x10de", kind: "0x020000"), Self.card("0x1a03")] {
      Self.expect(try Self.facts(card, gpu: Self.cpu), finds: "device", saying: ["no GPU is on the bus"])
    }
  }

  @Test func aGPUThatIsTooOldIsNamedBesideTheCPU() throws {
    var old = Self.gpu
    old.unsuitable = "it implements Vulkan 1.1.0, 1.3 is needed"
    let facts = try Self.facts(Self.node.merging(Self.card("0x1002")) { $1 }, gpu: Self.cpu) {
      $0.vulkan.devices.append(old)
    }
    Self.expect(facts, finds: "device", saying: ["'Radeon' cannot be used", "update its driver"])
  }

  @Test func nvidiasKernelDriverWithoutItsVulkanPartIsTold() throws {
    let files = Self.card("0x10de").merging(["proc/driver/nvidia/version": "550"]) { $1 }
    Self.expect(
      try Self.facts(files, gpu: Self.cpu), finds: "device",
      saying: ["kernel driver is loaded", "nvidia-vulkan-icd", "NVIDIA_DRIVER_CAPABILITIES=all"])
  }

  @Test func aRenderNodeThatMayNotBeOpenedIsTold() throws {
    let facts = try Self.facts { $0.renderNodes = [.init(path: "/dev/dri/renderD128", isUsable: false)] }
    Self.expect(facts, finds: "gpu_access", saying: ["/dev/dri/renderD128", "usermod -aG render,video"])
    Self.expect(try Self.facts(Self.card("0x8086")), finds: "gpu_access", saying: ["no /dev/dri", "modprobe"])
    let inside = Self.card("0x1002").merging([".dockerenv": ""]) { $1 }
    Self.expect(try Self.facts(inside), finds: "gpu_access", saying: ["docker run --device /dev/dri"])
    #expect(Self.findings(try Self.facts(Self.card("0x10de"))).isEmpty, "NVIDIA's driver needs no render node")
  }

  @Test(
    arguments: [
      ([:], nil), (["NVIDIA_VISIBLE_DEVICES": "void"], nil), (["NVIDIA_VISIBLE_DEVICES": "all"], "graphics and video"),
      (["NVIDIA_VISIBLE_DEVICES": "all", "NVIDIA_DRIVER_CAPABILITIES": "compute,utility,graphics"], "for video"),
      (["NVIDIA_VISIBLE_DEVICES": "all", "NVIDIA_DRIVER_CAPABILITIES": "graphics,video"], nil),
      (["NVIDIA_VISIBLE_DEVICES": "all", "NVIDIA_DRIVER_CAPABILITIES": "all"], nil),
    ] as [([String: String], String?)])
  func aContainerWithoutNvidiasLibrariesIsTold(environment: [String: String], word: String?) throws {
    let facts = try Self.facts(environment: environment)
    if let word {
      Self.expect(facts, finds: "nvidia_container", saying: [word, "NVIDIA_DRIVER_CAPABILITIES=all"])
    } else {
      #expect(Self.findings(facts).isEmpty)
    }
  }

  /// Runtimes other than NVIDIA's bring its libraries without that variable.
  @Test func librariesThatAreThereAreNotMissedInAContainer() throws {
    var facts = try Self.facts(environment: ["NVIDIA_VISIBLE_DEVICES": "0"])
    facts.vulkan.devices = [.init(name: "NVIDIA H200", kind: "discrete", isSoftware: false)]
    Self.expect(facts, finds: "nvidia_container", saying: ["libraries for video"])
    facts.decoders.libraries["libnvcuvid.so.1"] = true
    #expect(Self.findings(facts)["nvidia_container"] == nil)
  }

  @Test func slowClocksAndTimersAreTold() throws {
    let clock = "sys/devices/system/clocksource/clocksource0/current_clocksource"
    Self.expect(try Self.facts([clock: "hpet\n"]), finds: "clock_source", saying: ["'hpet'", "echo tsc | sudo tee"])
    let stuck = try Self.facts([clock: "hpet\n"]) { $0.clock.sources = ["hpet"] }
    Self.expect(stuck, finds: "clock_source", saying: ["clocksource=tsc"])
    Self.expect(
      try Self.facts { $0.clock.resolutionNanoseconds = 4e6 }, finds: "timers", saying: ["4.0 ms", "HIGH_RES_TIMERS"])
    Self.expect(
      try Self.facts { $0.clock.timerSlackNanoseconds = 1e6 }, finds: "timers", saying: ["1000 µs", "TimerSlackNSec"])
  }

  @Test func whatSpoilsNothingByItselfIsOnlyInformation() throws {
    let facts = try Self.facts([
      "sys/devices/system/cpu/cpufreq/boost": "1\n", "proc/cpuinfo": "flags : vmx hypervisor\n",
    ]) {
      $0.mayBeRealTime = false
      $0.vulkan.hasValidationLayer = false
      $0.decoders.libraries = ["libva.so.2": true]
      $0.presentSources = ["submit_complete"]
      $0.sound = DoctorFacts.Sound(failure: "libopenal.so.1 is missing", remedy: "sudo apt install libopenal1")
    }
    let information = Doctor.check(facts).filter { $0.status == .info }
    #expect(
      information.map(\.code) == [
        "boost", "real_time", "virtual_machine", "validation", "decoders", "present", "sound",
        "energy",
      ])
    #expect(information[1].remedy?.contains("limits.conf") == true)
    #expect(information[3].remedy == "sudo apt install vulkan-validationlayers")
    #expect(information[6].text.contains("libopenal.so.1") && information[6].remedy == "sudo apt install libopenal1")
    #expect(Self.findings(facts).isEmpty)
  }

  @Test func theWidthOfLLVMpipesVectorsIsTold() throws {
    func told(_ milliseconds: [Int: Double]) throws -> Doctor.Finding? {
      let facts = try Self.facts(Self.node) { $0.vulkan.vectorWidths = .init(own: 256, milliseconds: milliseconds) }
      return Doctor.check(facts).first { $0.code == "vector_width" }
    }
    let slow = try #require(try told([128: 4, 256: 5]))
    #expect(slow.status == .warning && slow.text.contains("1.25 times as slow as 128"), "\(slow.text)")
    #expect(slow.remedy?.hasPrefix("export LP_NATIVE_VECTOR_WIDTH=128") == true)
    // Noise.
    #expect(try told([128: 4.8, 256: 5])?.status == .ok)
    #expect(try told([128: 6, 256: 5])?.status == .ok)
    #expect(try told([:]) == nil)
  }

  @Test func soundDevicesAreTold() throws {
    func told(_ sound: DoctorFacts.Sound) throws -> String? {
      Doctor.check(try Self.facts([:]) { $0.sound = sound }).first { $0.code == "sound" }?.text
    }
    #expect(try told(.init(devices: ["Speakers", "HDMI"])) == "sound devices: Speakers, HDMI")
    #expect(try told(.init())?.contains("there is no sound device") == true)
  }

  /// Every rule of noise is a line of the doctor's, under the same code and with the same remedy.
  @Test func noiseIsToldAsTheRecordWould() throws {
    let facts = try Self.facts([
      "proc/loadavg": "5 5 5 1/1 1", "sys/class/power_supply/AC/online": "0",
      "proc/stat": "cpu  1000 0 500 8000\ncpu0 500 0 250 4000\ncpu1 500 0 250 4000\nprocs_running 6\n",
      "sys/class/power_supply/BAT0/status": "Discharging", "sys/fs/cgroup/user.slice/cpu.max": "50000 100000",
      "sys/devices/system/cpu/cpu1/cpufreq/scaling_governor": "powersave",
    ])
    let warnings = NoiseRules.warnings(facts.noise)
    #expect(warnings.map(\.code) == ["load", "governor", "battery", "cpu_quota"])
    let found = Self.findings(facts)
    #expect(found.count == warnings.count)
    for warning in warnings { #expect(found[warning.code] == "warning: \(warning.text) → \(warning.remedy ?? "")") }
    #expect(
      Doctor.summary(Doctor.check(facts)) == "4 things will spoil numbers: load, governor, battery, cpu_quota")
  }

  @Test func aMachineThatTellsNothingIsNoAccident() throws {
    let empty = MadeUpMachine(files: ["x": ""])
    let evidence = try empty.evidence(then: empty)
    let facts = try empty.lay { DoctorFacts(root: $0, environment: [:], noise: evidence) }
    #expect(Set(Self.findings(facts).keys) == ["vulkan"])
  }
}
