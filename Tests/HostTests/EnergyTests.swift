import Foundation
import Frames
import Host
import Support
import Testing
import Verdict

@Suite struct EnergyTests {
  private static let zone = "sys/class/powercap/intel-rapl:"

  private static func zones(_ counters: [String: String]) -> [String: String] {
    var files: [String: String] = [:]
    for (number, name) in [("0", "package-0"), ("1", "package-1"), ("2", "psys"), ("0:0", "core")] {
      files["\(zone)\(number)/name"] = name + "\n"
      files["\(zone)\(number)/max_energy_range_uj"] = "262143328850\n"
      files["\(zone)\(number)/energy_uj"] = counters[number] ?? "1\n"
    }
    return files
  }

  /// The packages alone count, also where a counter starts over.
  @Test func packagesAreAdded() throws {
    try MadeUpMachine(files: Self.zones(["0": "262143000000\n", "1": "5000000\n"])).lay { (root) throws in
      let energy = PackageEnergy(files: SystemFiles(root: root))
      #expect(energy.obstacle == nil && energy.joules() == 0)
      func set(_ zone: String, _ microjoules: Int) throws {
        try Data("\(microjoules)\n".utf8).write(to: URL(filePath: "\(root)/\(Self.zone)\(zone)/energy_uj"))
      }
      try set("1", 8_500_000)
      try set("2", 900_000_000)
      #expect(energy.joules() == 3.5)
      // 328850 up to its end, and so many from its start.
      try set("0", 1_671_150)
      #expect(abs((energy.joules() ?? 0) - 5.5) < 1e-9)
    }
  }

  @Test func whatIsMissingIsNamed() throws {
    try MadeUpMachine(files: ["sys/class/powercap/intel-rapl:2/name": "psys\n"]).lay { root in
      let energy = PackageEnergy(files: SystemFiles(root: root))
      #expect(energy.joules() == nil && energy.obstacle?.cause.contains("no counters") == true)
    }
    var files = Self.zones([:])
    files["\(Self.zone)1/energy_uj"] = nil
    try MadeUpMachine(files: files).lay { root in
      let energy = PackageEnergy(files: SystemFiles(root: root))
      #expect(energy.joules() == nil && energy.obstacle?.cause.contains("only root") == true)
      #expect(energy.obstacle?.remedy?.hasPrefix("sudo chmod") == true)
    }
  }

  private static func readings(_ values: [(second: Double, package: Double?, device: Double?, watts: Double?)])
    -> [DeviceReading]
  {
    values.map { value in
      var reading = DeviceReading(
        at: MonotonicTime(nanoseconds: Int64(value.second * 1e9)), busyPercent: 1, watts: value.watts)
      (reading.packageJoules, reading.deviceJoules) = (value.package, value.device)
      return reading
    }
  }

  private static func samples(_ readings: [DeviceReading], isPart: Bool = false) -> (watts: [Double], joules: [Double])
  {
    let samples = EnergyMeasures.samples(readings, isPartOfPackage: isPart, frames: 60, seconds: 2)
    return (samples[.watt] ?? [], samples[.joulePerFrame] ?? [])
  }

  /// Both counters, each a second; energy ÷ frames of the same time.
  @Test func energyIsOfBoth() {
    let readings = Self.readings([
      (0, 10, 100, 7), (0.5, 20, 120, 7), (1, 40, 150, 7), (1.5, 40, 150, 7), (2, 50, 160, 7),
    ])
    #expect(Self.samples(readings).watts == [80, 20])
    let joules = Self.samples(readings).joules
    #expect(joules.count == 2 && abs(joules[0] - 80.0 / 30) < 1e-12 && abs(joules[1] - 20.0 / 30) < 1e-12)
    #expect(Self.samples(readings, isPart: true).watts == [30, 10], "the package has the device's")
  }

  /// Where a device has no counter, its power; where nothing is known, nothing.
  @Test func whatIsKnownIsTaken() {
    #expect(Self.samples(Self.readings([(0, nil, nil, 5), (1, nil, nil, 7)])).watts == [6])
    #expect(Self.samples(Self.readings([(0, 1, nil, nil), (1.25, 3.5, nil, nil)])).watts == [2])
    #expect(Self.samples(Self.readings([(0, nil, nil, nil), (1, nil, nil, nil)])).watts.isEmpty)
    #expect(Self.samples(Self.readings([(0, 1, nil, nil), (0.9, 3, nil, nil)])).watts.isEmpty, "too short")
    #expect(EnergyMeasures.samples([], isPartOfPackage: false, frames: 0, seconds: 0)[.joulePerFrame] == [])
  }

  // MARK: - Engines

  private static func info(_ lines: [String]) -> String {
    (["drm-driver:\tamdgpu", "drm-pdev:\t0000:65:00.0", "drm-client-id:\t7"] + lines).joined(separator: "\n") + "\n"
  }

  /// Of the processes that this one has started, and the descriptors that are the device's.
  private static func machine(_ lines: [String], other: [String] = []) -> MadeUpMachine {
    var machine = MadeUpMachine(files: [
      "proc/50/task/50/children": "60 \n", "proc/60/task/61/children": "70\n", "proc/70/task/70/children": "",
      "proc/70/fdinfo/4": info(lines), "proc/70/fdinfo/5": info(lines), "proc/80/fdinfo/4": info(other),
      "proc/70/fdinfo/6": info(other).replacing("65:00", with: "66:00").replacing("\t7", with: "\t8"),
    ])
    for descriptor in [4, 5, 6] { machine.links["proc/70/fd/\(descriptor)"] = "/dev/dri/renderD128" }
    machine.links["proc/80/fd/4"] = "/dev/dri/renderD128"
    return machine
  }

  /// Each client counts once, engines of one name together.
  @Test(
    arguments: [
      (["drm-engine-dec:\t%d ns", "drm-engine-dma: 0 ns"], 25.0, 0.0),
      (["drm-engine-video:\t%d ns", "drm-engine-capacity-video:\t2"], 12.5, nil),
      (["drm-engine-copy:\t%d ns"], nil, 25.0),
      (["drm-cycles-vcs:\t%d", "drm-total-cycles-vcs:\t%d0"], 10.0, nil),
      (["drm-engine-gfx:\t%d ns"], nil, nil),
    ] as [([String], Double?, Double?)])
  func enginesAreSeen(lines: [String], decoder: Double?, copy: Double?) throws {
    func text(_ value: Int) -> [String] { lines.map { $0.replacing("%d", with: "\(value)") } }
    let machine = Self.machine(text(1000), other: text(1))
    try machine.lay { (root) throws in
      let engines = EngineTimes(pciAddress: "0000:65:00.0", files: SystemFiles(root: root), parent: 50)
      #expect(engines.read(at: MonotonicTime(nanoseconds: 0)) == (nil, nil))
      for descriptor in [4, 5] {
        try Data(Self.info(text(500_001_000)).utf8).write(to: URL(filePath: "\(root)/proc/70/fdinfo/\(descriptor)"))
      }
      let told = engines.read(at: MonotonicTime(nanoseconds: 2_000_000_000))
      #expect(told.decoder == decoder && told.copy == copy, "\(told)")
    }
  }

  // MARK: - NVIDIA's library

  private static let library = Result {
    let folder = NSTemporaryDirectory() + "bench360-nvml-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let path = folder + "/libnvidia-ml.so.1"
    let made = try CommandOutput.of(
      "clang", ["-O1", "-shared", "-fPIC", "-o", path, TestFolders.repository + "/Tests/Fixtures/nvml.c"])
    try #require(made.status == 0, "\(made.errors)")
    return path
  }

  @Test func theLibraryTellsAll() throws {
    let path = try Self.library.get()
    let sensors = try #require(NVMLSensors(uuid: "0011-22", library: path))
    let instant = MonotonicTime(nanoseconds: 7)
    var expected = DeviceReading(
      at: instant, busyPercent: 37, clockMegahertz: 1980, watts: 412.55, memoryMegahertz: 2619, celsius: 54)
    expected.decoderPercent = 64
    let told = sensors.read(at: instant)
    expected.deviceJoules = told.deviceJoules
    #expect(told == expected && (told.deviceJoules ?? 0) >= 5_000_000)
    #expect((sensors.read().deviceJoules ?? 0) > told.deviceJoules ?? .infinity)
    #expect(NVMLSensors(uuid: "another", library: path) == nil)
    #expect(NVMLSensors(uuid: "0011-22", library: path + ".missing") == nil)
  }
}
