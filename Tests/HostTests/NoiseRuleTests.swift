import Foundation
import Host
import Support
import Testing
import Verdict

/// A disturbed machine, and one just quiet enough.
private struct Case: Sendable, CustomStringConvertible {
  let code: String
  /// Set on the values read before and after.
  var loud: @Sendable (inout NoiseSnapshot, inout NoiseSnapshot) throws -> Void
  var quiet: @Sendable (inout NoiseSnapshot, inout NoiseSnapshot) throws -> Void
  /// What the sentence must say.
  let word: String
  var description: String { code }
}

private func ticks(busy: Int, idle: Int, stolen: Int = 0) -> CPUTicks? {
  CPUTicks("cpu  \(busy) 0 0 \(idle) 0 0 0 \(stolen)\ncpu0 0\ncpu1 0\n")
}

private func nvidia(_ devices: String, _ programs: String = "") -> NvidiaState? {
  NvidiaState(programs: programs, devices: devices)
}

private func client(_ busySeconds: Double?) -> GPUClient {
  GPUClient(process: 7, name: "firefox", client: "1", busySeconds: busySeconds)
}

private let cases: [Case] = [
  Case(
    code: "load", loud: { a, _ in (a.load, a.othersRunning) = (1.1, 2) },
    quiet: { a, _ in (a.load, a.othersRunning) = (0.9, 2) }, word: "load average 1.1 on 2"),
  Case(
    code: "governor",
    loud: { a, b in
      a.clocks.governors = ["performance", "powersave"]
      b.clocks.governors = a.clocks.governors
    },
    quiet: { a, _ in a.clocks.governors = [] }, word: "'powersave'"),
  Case(
    code: "battery", loud: { a, _ in a.isOnBattery = true }, quiet: { a, _ in a.isOnBattery = nil }, word: "battery"),
  Case(
    code: "low_memory", loud: { a, _ in a.memory.availableMebibytes = 900 },
    quiet: { a, _ in a.memory.availableMebibytes = 1100 }, word: "900 MiB"),
  Case(
    code: "low_memory", loud: { a, _ in a.cgroup.memoryMebibytes = 512 },
    quiet: { a, _ in a.cgroup.memoryMebibytes = 2048 }, word: "512 MiB"),
  Case(
    code: "cpu_quota", loud: { a, _ in a.cgroup.cores = 1.5 }, quiet: { a, _ in a.cgroup.cores = 2 },
    word: "1.5 cores' worth"),
  Case(
    code: "gpu_users", loud: { a, _ in a.nvidia = nvidia("GPU-a, 0, 0x1\n", "GPU-a, 7, 300\n") },
    quiet: { a, _ in a.nvidia = nvidia("GPU-a, 9, 0x1\n") }, word: "1 other program uses the GPU and 300 MiB"),
  Case(
    code: "gpu_users", loud: { a, _ in a.nvidia = nvidia("GPU-a, 11, 0x1\n") }, quiet: { _, _ in },
    word: "11 % busy"),
  Case(
    code: "steal", loud: { _, b in b.ticks = ticks(busy: 1500, idle: 9900, stolen: 30) },
    quiet: { _, b in b.ticks = ticks(busy: 1500, idle: 9900, stolen: 15) }, word: "1.6 %"),
  Case(
    code: "other_cpu", loud: { _, b in b.ticks = ticks(busy: 1620, idle: 9880) },
    quiet: { _, b in
      b.ticks = ticks(busy: 1620, idle: 9880)
      b.ownCPUSeconds = 0.5
    }, word: "6.0 %"),
  Case(
    code: "governor_changed", loud: { _, b in b.clocks.governors = ["powersave"] },
    quiet: { _, b in b.clocks.governors = [] }, word: "from 'performance' to 'powersave'"),
  Case(
    code: "frequency", loud: { _, b in b.clocks.megahertz = 2800 }, quiet: { _, b in b.clocks.megahertz = 2900 },
    word: "from 3000 to 2800 MHz"),
  Case(
    code: "cpu_throttled", loud: { _, b in b.thermal.throttleCount = 11 },
    quiet: { _, b in b.thermal.throttleCount = 10 }, word: "too hot"),
  Case(
    code: "hot", loud: { _, b in b.thermal.zones[0].degrees = 91 }, quiet: { _, b in b.thermal.zones[0].degrees = 89 },
    word: "at 91 °C"),
  Case(
    code: "quota_throttled",
    loud: { _, b in
      b.cgroup.throttleCount = 5
      b.cgroup.throttledSeconds = 1.75
    }, quiet: { _, b in b.cgroup.throttleCount = 3 }, word: "2 times, 0.25 s"),
  Case(
    code: "memory_pressure", loud: { _, b in b.memory.stalledSeconds = 1.2 },
    quiet: { _, b in b.memory.stalledSeconds = 1.05 }, word: "2.0 %"),
  Case(
    code: "swapping", loud: { a, b in b.memory.swappedMebibytes = (a.memory.swappedMebibytes ?? 0) + 3 },
    quiet: { a, b in b.memory.swappedMebibytes = (a.memory.swappedMebibytes ?? 0) + 0.5 }, word: "3 MiB"),
  Case(
    code: "gpu_shared",
    loud: { a, b in
      a.gpuClients = [client(5)]
      b.gpuClients = [client(5.6)]
    },
    quiet: { a, b in
      a.gpuClients = [client(5)]
      b.gpuClients = [client(5.4), client(nil)]
    }, word: "firefox kept the GPU busy 6.0 %"),
  Case(
    code: "gpu_throttled", loud: { _, b in b.nvidia = nvidia("GPU-a, 0, 0x40\n") },
    quiet: { _, b in b.nvidia = nvidia("GPU-a, 0, 0x3\n") }, word: "heat (hardware)"),
]

@Suite struct NoiseRuleTests {
  private static func codes(
    _ change: (inout NoiseSnapshot, inout NoiseSnapshot) throws -> Void
  ) throws -> [(code: String, text: String)] {
    var before = try MadeUpMachine.quiet.snapshot()
    var after = try MadeUpMachine.quiet.snapshot(after: 10)
    after.ticks = ticks(busy: 1500, idle: 10000)
    try change(&before, &after)
    return NoiseRules.warnings(NoiseEvidence(before: before, after: after, renderer: .gpu)).map { ($0.code, $0.text) }
  }

  @Test func aQuietMachineIsNotWarnedAbout() throws {
    #expect(try Self.codes { _, _ in }.isEmpty)
  }

  @Test(arguments: cases) private func eachRuleFindsItsOwn(example: Case) throws {
    let found = try Self.codes(example.loud)
    #expect(found.map(\.code) == [example.code])
    #expect(found.first?.text.contains(example.word) == true, "\(found)")
    #expect(try Self.codes(example.quiet).isEmpty, "just quiet enough")
  }

  @Test func everyRuleIsTriedAndDescribed() throws {
    let codes = NoiseRules.all.map(\.code.rawValue)
    #expect(Set(codes).count == codes.count)
    #expect(Set(cases.map(\.code)).union(["software_device"]) == Set(codes))
    let readme = try String(contentsOfFile: TestFolders.repository + "/results/README.md", encoding: .utf8)
    for code in WarningCode.allCases.map(\.rawValue) {
      #expect(readme.contains("`\(code)`"), "\(code) is not in results/README.md")
    }
    #expect(NoiseRules.all.allSatisfy { !$0.remedy.isEmpty })
  }

  @Test func aDeviceOnTheCPUIsToldAndQueriesNoGPU() throws {
    var before = try MadeUpMachine.quiet.snapshot()
    before.nvidia = nvidia("GPU-a, 90, 0x1\n")
    func codes(_ renderer: NoiseEvidence.Renderer?) -> [String] {
      NoiseRules.warnings(NoiseEvidence(before: before, after: nil, renderer: renderer)).map(\.code)
    }
    #expect(codes(.cpu) == ["software_device"] && codes(.gpu) == ["gpu_users"] && codes(nil).isEmpty)
  }

  /// The average of the last minute holds what this process did for the inputs before.
  @Test func ownWorkIsNoOtherWork() throws {
    let found = try Self.codes { before, after in
      before.load = 2
      before.ownCPUSeconds = 60
      after.ownCPUSeconds = 60
    }
    #expect(found.isEmpty, "\(found)")
  }

  /// The average falls for minutes after a build has ended.
  @Test func aLoadThatOnlyFallsIsNoOtherWork() throws {
    func found(_ running: Double?) throws -> [String] {
      try Self.codes { before, _ in
        before.load = 2
        before.othersRunning = running
      }.map(\.code)
    }
    #expect(try found(0).isEmpty && found(1) == ["load"] && found(nil) == ["load"])
    let machine = MadeUpMachine.quiet.with(["proc/loadavg": "2.00 1.00 0.50 1/100 4242\n"])
    #expect(try machine.snapshot().othersRunning == 0)
    let rule = try #require(NoiseRules.all.first { $0.code == .load })
    let fallen = NoiseEvidence(before: try machine.snapshot(), after: nil, renderer: nil)
    #expect(rule.look(fallen) == .fine("load average 2.0 on 2 cores, still falling: hardly anything else runs now"))
  }

  /// Idle processors are slow under any other governor, before every run.
  @Test func frequencyCountsOnlyWhereItIsMeantToStay() throws {
    let found = try Self.codes { before, after in
      before.clocks.governors = ["schedutil"]
      after.clocks.governors = ["schedutil"]
      before.clocks.megahertz = 800
    }
    #expect(found.map(\.code) == ["governor"])
  }

  @Test func countersThatWereResetSayNothing() throws {
    let found = try Self.codes { _, after in
      after.ticks = ticks(busy: 10, idle: 10)
      after.thermal.throttleCount = 0
      after.memory.stalledSeconds = 0
      after.cgroup.throttleCount = 0
    }
    #expect(found.isEmpty, "\(found)")
  }
}
