import Foundation
import Frames
import Host
import Support
import Testing

@Suite(.tier(.test)) struct TelemetryTests {
  private static let device = "sys/bus/pci/devices/0000:65:00.0"

  private static func read(_ files: [String: String]) throws -> DeviceReading {
    let below = Dictionary(uniqueKeysWithValues: files.map { ("\(device)/\($0.key)", $0.value) })
    return try MadeUpMachine(files: below).lay {
      KernelSensors(pciAddress: "0000:65:00.0", files: SystemFiles(root: $0)).read(at: MonotonicTime(nanoseconds: 7))
    }
  }

  private static func reading(
    _ busy: Double?, _ clock: Double?, _ watts: Double?, _ memory: Double? = nil, _ celsius: Double? = nil
  ) -> DeviceReading {
    DeviceReading(
      at: MonotonicTime(nanoseconds: 7), busyPercent: busy, clockMegahertz: clock, watts: watts,
      memoryMegahertz: memory,
      celsius: celsius)
  }

  @Test func amdgpuTellsAll() throws {
    // The second monitor is of something else, and the second clock is the memory's.
    let told = try Self.read([
      "gpu_busy_percent": "37\n", "hwmon/hwmon3/freq1_label": "sclk\n", "hwmon/hwmon3/freq1_input": "2410000000\n",
      "hwmon/hwmon3/freq2_label": "mclk\n", "hwmon/hwmon3/freq2_input": "1000000000\n",
      "hwmon/hwmon3/power1_average": "118250000\n", "hwmon/hwmon4/temp1_input": "40000\n",
      "hwmon/hwmon3/name": "amdgpu\n", "hwmon/hwmon3/temp1_input": "61500\n",
    ])
    #expect(told == Self.reading(37, 2410, 118.25, 1000, 61.5))
  }

  @Test func xeTellsItsPackagesTemperature() throws {
    let told = try Self.read(["hwmon/hwmon2/name": "xe\n", "hwmon/hwmon2/temp2_input": "47000\n"])
    #expect(told == Self.reading(nil, nil, nil, nil, 47))
  }

  @Test(arguments: [
    "drm/card1/gt/gt0/rps_act_freq_mhz", "drm/card1/gt_act_freq_mhz", "tile0/gt0/freq0/act_freq",
  ])
  func intelTellsItsClock(file: String) throws {
    #expect(try Self.read([file: "1550\n"]) == Self.reading(nil, 1550, nil))
  }

  /// A monitor's first clock need not be the shader cores'.
  @Test func anotherClockIsNotTheShaderCores() throws {
    let other = ["hwmon/hwmon0/freq1_label": "mclk\n", "hwmon/hwmon0/freq1_input": "1000000000\n"]
    #expect(try Self.read(other) == Self.reading(nil, nil, nil))
    let second = ["hwmon/hwmon1/freq1_label": "sclk\n", "hwmon/hwmon1/freq1_input": "2000000000\n"]
    #expect(try Self.read(other.merging(second) { $1 }) == Self.reading(nil, 2000, nil))
  }

  @Test(arguments: ["", "-\n", "N/A\n", "99999999999999999999999\n", "\u{0}\u{1}"])
  func whatIsNoNumberIsUnknown(text: String) throws {
    #expect(
      try Self.read(["gpu_busy_percent": text, "hwmon/hwmon0/power1_average": text]) == Self.reading(nil, nil, nil))
  }

  @Test func powerIsHowFastEnergyGrows() throws {
    let file = Self.device + "/hwmon/hwmon0/energy1_input"
    try MadeUpMachine(files: [file: "5000000\n"]).lay { (root) throws in
      let sensors = KernelSensors(pciAddress: "0000:65:00.0", files: SystemFiles(root: root))
      func watts(_ microjoules: Int, atSecond second: Int64) throws -> Double? {
        try Data("\(microjoules)\n".utf8).write(to: URL(filePath: root + "/" + file))
        return sensors.read(at: MonotonicTime(nanoseconds: second * 1_000_000_000)).watts
      }
      #expect(try watts(5_000_000, atSecond: 1) == nil, "one reading tells no power")
      #expect(try watts(65_000_000, atSecond: 3) == 30)
      #expect(try watts(1_000_000, atSecond: 4) == nil, "it started over")
      #expect(try watts(9_000_000, atSecond: 6) == 4)
    }
  }

  @Test(arguments: [
    ("37, 1980, 412.55, 2619, 54", reading(37, 1980, 412.55, 2619, 54)),
    ("0, 210, 21, 405, 0", reading(0, 210, 21, 405, 0)),
    ("[N/A], 1980, [N/A], 9, [N/A]", reading(nil, 1980, nil, 9)),
    ("[N/A], [N/A], 30, [N/A], 60", reading(nil, nil, 30, nil, 60)),
    (" 5 ,[Not Supported], 1.5 ,[N/A],[N/A]", reading(5, nil, 1.5)),
    ("[N/A], [N/A], [N/A], [N/A], [N/A]", nil), ("No devices were found", nil), ("1, 2, 3", nil), ("1, 2, 3, 4", nil),
    ("1, 2, 3, 4, 5, 6", nil), ("", nil), ("nan, inf, -1, nan, nan", nil),
  ])
  func aLineOfNvidiaSMI(line: String, told: DeviceReading?) {
    #expect(NvidiaSensors.reading(line, at: MonotonicTime(nanoseconds: 7)) == told)
  }

  /// Prints three lines where it is asked for the device that it has, the last one in two pieces: the second once `.go` is there.
  private static let nvidia = """
    #!/bin/sh
    echo $$ > "$0.pid"
    [ "$1" = --id=GPU-abc ] || { echo "No devices were found"; exit 6; }
    [ "$2" = --query-gpu=utilization.gpu,clocks.sm,power.draw,clocks.mem,temperature.gpu ] || exit 2
    printf '10, 1500, 100, 2619, 50\\n[N/A], 1600, 101, 2619, 51\\n20, 17'
    until [ -e "$0.go" ]; do sleep 0.01; done
    printf '00, 102, 2619, 52\\n'
    exec sleep 100
    """

  private static func withNvidia<Result>(_ body: (_ program: String) throws -> Result) throws -> Result {
    try TestFolders.withTemporary { folder in
      let program = folder + "/nvidia-smi"
      try TestFiles.writeProgram(nvidia, to: program)
      return try body(program)
    }
  }

  @Test func nvidiaSMIIsReadAsItPrints() throws {
    try Self.withNvidia { program in
      let sensors = try #require(NvidiaSensors(uuid: "abc", every: 200, program: program))
      var told: [DeviceReading] = []
      for _ in 0..<100 where told.count < 3 {
        told += sensors.readings(withinMilliseconds: 1000)
        if told.count == 2 { try Data().write(to: URL(filePath: program + ".go")) }
      }
      #expect(told.map(\.busyPercent) == [10, nil, 20])
      #expect(told.map(\.clockMegahertz) == [1500, 1600, 1700])
      #expect(told.map(\.watts) == [100, 101, 102] && sensors.isRunning)
      #expect(told.map(\.memoryMegahertz) == [2619, 2619, 2619] && told.map(\.celsius) == [50, 51, 52])
    }
  }

  @Test func aDeviceThatNvidiaSMIDoesNotKnowIsAskedOfTheKernel() throws {
    try Self.withNvidia { program in
      try MadeUpMachine(files: [Self.device + "/gpu_busy_percent": "55\n"]).lay { root in
        let telemetry = Telemetry(
          of: .init(uuid: "else", pciAddress: "0000:65:00.0"), files: SystemFiles(root: root), nvidiaLibrary: "none",
          nvidiaProgram: program)
        let told =
          Patience.value(every: 20) { () -> [DeviceReading]? in
            let told = telemetry.take(from: MonotonicTime(nanoseconds: 0))
            return told.isEmpty ? nil : told
          } ?? []
        #expect(told.first?.busyPercent == 55)
      }
    }
  }

  @Test func onlyReadingsOfTheTrialAreItsOwn() throws {
    try Self.withNvidia { program in
      let telemetry = Telemetry(
        of: .init(uuid: "abc", pciAddress: nil), nvidiaLibrary: "none", nvidiaProgram: program)
      try Data().write(to: URL(filePath: program + ".go"))
      let start = MonotonicTime.now
      var told: [DeviceReading] = []
      _ = Patience.until(every: 20) {
        // What comes after the end of one trial stays for the next.
        #expect(telemetry.take(from: MonotonicTime(nanoseconds: 0), to: MonotonicTime(nanoseconds: 1)).isEmpty)
        told += telemetry.take(from: start)
        return told.count >= 3
      }
      #expect(told.compactMap(\.watts) == [100, 101, 102])
    }
  }

  /// Readings before a trial began are not the trial's, and are discarded; later ones are the next trial's.
  @Test func readingsFromBeforeTheTrialAreForgotten() {
    func reading(_ second: Int64) -> DeviceReading {
      DeviceReading(at: MonotonicTime(nanoseconds: second * 1_000_000_000), watts: Double(second))
    }
    var readings = (1...6).map(reading)
    #expect(DeviceReading.take(&readings, from: reading(2).instant, to: reading(4).instant).map(\.watts) == [2, 3, 4])
    #expect(readings.map(\.watts) == [5, 6])
    #expect(DeviceReading.take(&readings, from: reading(6).instant, to: reading(9).instant).map(\.watts) == [6])
    #expect(readings.isEmpty)
  }

  /// nvidia-smi would print for ever: it ends with its reader.
  @Test func nvidiaSMIEndsWithItsReader() throws {
    try Self.withNvidia { program in
      var sensors = NvidiaSensors(uuid: "abc", every: 200, program: program)
      var told: [DeviceReading] = []
      for _ in 0..<100 where told.isEmpty { told = sensors?.readings(withinMilliseconds: 1000) ?? [] }
      let number = try String(contentsOfFile: program + ".pid", encoding: .utf8).trimmingCharacters(in: .newlines)
      // What has ended has no status, or waits for its parent to ask for it.
      func isRunning() -> Bool {
        (try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)).map { !$0.contains(") Z ") } ?? false
      }
      #expect(isRunning())
      sensors = nil
      #expect(Patience.until { !isRunning() })
    }
  }

  @Test func whatCannotBeReadIsThereWithoutSamples() {
    let samples = DeviceReading.samples([Self.reading(1, nil, 3), Self.reading(2, nil, nil)])
    #expect(
      samples == [
        .gpuBusy: [1, 2], .gpuClock: [], .power: [3], .gpuMemoryClock: [], .gpuTemperature: [],
        .decoderEngine: [], .copyEngine: [],
      ])
  }
}
