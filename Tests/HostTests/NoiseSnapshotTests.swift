import Foundation
import Host
import Support
import Testing

@Suite struct NoiseSnapshotTests {
  @Test func readsAMachine() throws {
    let now = try MadeUpMachine.quiet.snapshot()
    #expect(now.load == 0.1 && now.isOnBattery == false)
    #expect(now.ticks?.busy == 1500 && now.ticks?.idle == 8000 && now.ticks?.stolen == 0 && now.ticks?.processors == 2)
    #expect(now.clocks.governors == ["performance"] && now.clocks.megahertz == 3000 && now.clocks.isBoosting == false)
    #expect(now.thermal.throttleCount == 10)
    // Fans start at 40 °C; that slows nothing down.
    #expect(now.thermal.zones.map(\.tripDegrees) == [95] && now.thermal.zones.map(\.degrees) == [45])
    #expect(now.memory.availableMebibytes == 4096 && now.memory.swapMebibytes == 2048)
    #expect(now.memory.swappedMebibytes == 30.0 * 4096 / 1_048_576 && now.memory.stalledSeconds == 1)
    #expect(now.cgroup.cores == nil && now.cgroup.throttleCount == 3 && now.cgroup.throttledSeconds == 1.5)
  }

  @Test func whatIsMissingOrMalformedIsUnknown() throws {
    let texts = [
      "", "\n", "max", "-1", "nan", "99999999999999999999999", "cpu \u{FFFD}", ":::", "cpu  1 2 3", "some total=x",
    ]
    let machines =
      [MadeUpMachine(files: ["x": ""])]
      + texts.map { text in MadeUpMachine(files: MadeUpMachine.quiet.files.mapValues { _ in text }) }
    for machine in machines {
      let now = try machine.snapshot()
      #expect(now.ticks == nil && now.clocks.megahertz == nil && now.thermal.zones.isEmpty)
      #expect(now.memory.availableMebibytes == nil && now.cgroup.cores == nil && now.cgroup.throttleCount == nil)
      #expect(now.memory.stalledSeconds == nil && now.memory.swappedMebibytes == nil)
      let evidence = try machine.evidence(then: machine)
      // A governor of any name is a governor, and any number may be a load.
      let codes = NoiseRules.warnings(evidence).map(\.code).filter { $0 != "governor" && $0 != "load" }
      #expect(codes.isEmpty, "\(machine.files["proc/stat"] ?? "nothing")")
    }
  }

  @Test func readsThisMachine() {
    let now = NoiseSnapshot.read(gpus: .all(nvidiaSeconds: 2, uuid: nil))
    let later = NoiseSnapshot.read()
    #expect(now.cores >= 1 && later.instant >= now.instant && later.ownCPUSeconds >= now.ownCPUSeconds)
    if let (first, last) = now.ticks.flatMap({ first in later.ticks.map { (first, $0) } }) {
      #expect(last.busy >= first.busy && first.processors >= 1)
    }
  }

  /// A limit on any level holds, in both versions of control groups.
  @Test(
    arguments: [
      (["proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/cpu.max": "150000 100000\n"], 1.5, nil),
      (
        [
          "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "50000 100000\n",
          "sys/fs/cgroup/memory.max": "536870912\n",
        ],
        0.5, 512
      ),
      (
        [
          "proc/self/cgroup": "4:memory:/docker/x\n3:cpu,cpuacct:/docker/x\n",
          "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us": "200000\n",
          "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us": "100000\n",
          "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
        ], 2, nil
      ),
      (
        [
          "proc/self/cgroup": "1:cpu:/\n", "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n",
          "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
        ], nil, nil
      ),
    ] as [([String: String], Double?, Double?)])
  func readsControlGroups(files: [String: String], cores: Double?, memory: Double?) throws {
    let now = try MadeUpMachine(files: files).snapshot()
    #expect(now.cgroup.cores == cores && now.cgroup.memoryMebibytes == memory)
  }

  @Test(
    arguments: [
      (["BAT0/type": "Battery", "BAT0/status": "Discharging"], true),
      (["BAT0/type": "Battery", "BAT0/status": "Discharging", "AC/type": "Mains", "AC/online": "0"], true),
      (["BAT0/type": "Battery", "BAT0/status": "Discharging", "AC/type": "Mains", "AC/online": "1"], false),
      (["mouse/type": "Battery", "mouse/status": "Discharging", "mouse/scope": "Device"], nil),
      ([:], nil),
    ] as [([String: String], Bool?)])
  func readsPowerSupplies(supplies: [String: String], isOnBattery: Bool?) throws {
    let pairs = supplies.map { ("sys/class/power_supply/\($0.key)", $0.value) } + [("x", "")]
    #expect(try MadeUpMachine(files: Dictionary(uniqueKeysWithValues: pairs)).snapshot().isOnBattery == isOnBattery)
  }

  @Test func readsWhoUsesTheGPU() throws {
    let client =
      "pos:\t0\ndrm-driver:\tamdgpu\ndrm-client-id:\t7\ndrm-engine-gfx:\t2000000000 ns\n"
      + "drm-engine-capacity-gfx:\t1\ndrm-engine-dec:\t500000000 ns\n"
    let machine = MadeUpMachine(
      files: [
        "dev/dri/renderD128": "", "proc/99999/comm": "firefox\n", "proc/99999/fdinfo/4": client,
        "proc/99999/fdinfo/5": client, "proc/99999/fdinfo/6": "pos:\t0\n", "proc/\(getpid())/fdinfo/3": client,
        "proc/99998/comm": "cat",
      ],
      links: [
        "proc/99999/fd/4": "/dev/dri/renderD128", "proc/99999/fd/5": "/dev/dri/renderD128",
        "proc/99999/fd/6": "/dev/null", "proc/\(getpid())/fd/3": "/dev/dri/renderD128",
      ])
    let clients = try machine.lay { NoiseSnapshot.read(root: $0, gpus: .all(nvidiaSeconds: 0, uuid: nil)) }.gpuClients
    // Two descriptors of one client are one client, and we do not disturb ourselves.
    #expect(clients.map(\.name) == ["firefox"] && clients.first?.busySeconds == 2.5)
  }

  @Test func readsNvidiaSMI() throws {
    let devices = "GPU-aa, 3, 0x0000000000000001\nGPU-bb, 97, 0x0000000000000024\n"
    let programs = "GPU-bb, 4242, 1024\nGPU-bb, 4243, [N/A]\n"
    let all = try #require(NvidiaState(programs: programs, devices: devices))
    #expect(all.users == 2 && all.usedMebibytes == 1024 && all.busyPercent == 97)
    #expect(all.slowdowns == ["power limit", "heat"])
    let first = try #require(NvidiaState(programs: programs, devices: devices, uuid: "aa"))
    #expect(first.users == 0 && first.busyPercent == 3 && first.slowdowns.isEmpty)
    #expect(NvidiaState(programs: programs, devices: devices, uuid: "cc")?.users == 2)
    #expect(NvidiaState(programs: "", devices: "GPU-aa, [N/A], [N/A]\n")?.busyPercent == nil)
    #expect(NvidiaState(programs: "", devices: "NVIDIA-SMI has failed because it couldn't, talk, to\n") == nil)
    #expect(NvidiaState(programs: "", devices: "") == nil)
  }
}
