import Foundation
import Frames
import Verdict

/// Records to test with. Nothing in them is random or depends on the machine.
package enum Sample {
  package static var machine: Record.Machine {
    var machine = Record.Machine()
    machine.hostClass = "epyc-7763-2-cores"
    machine.cpu = "AMD EPYC 7763 64-Core Processor"
    machine.cores = 2
    machine.memoryMib = 8192
    machine.kernel = "6.1.0-18-amd64"
    machine.os = "Debian GNU/Linux 12"
    machine.virtualised = true
    return machine
  }

  package static func device(software: Bool) -> Record.Device {
    Record.Device(
      name: software ? "llvmpipe (LLVM 15.0.6, 256 bits)" : "NVIDIA H200", type: software ? .cpu : .discrete,
      driver: "Mesa 22.3.6", api: "1.3.230", uuid: "6d657361-3232-2e33-2e36-000000000000", software: software)
  }

  package static var input: Record.Input {
    var input = Record.Input(name: "balloon, \"the\" tour.mp4")
    input.sha256 = String(repeating: "0a", count: 32)
    input.container = "mov,mp4,m4a,3gp,3g2,mj2"
    input.codec = "h264"
    input.profile = "High"
    input.pixelFormat = "yuv420p"
    input.size = PictureSize(width: 3840, height: 1920)
    input.sampleAspect = Ratio(1, 1)
    input.rate = Ratio(30000, 1001)
    input.frames = 600
    input.durationSeconds = 20.02
    input.gop = 30
    input.color = ColorDescription(
      matrix: .bt709, range: .limited, peakNits: 1000, guessed: [.matrix, .siting], ignored: ["matrix ycgco"])
    input.projection = "equirectangular"
    input.stereo = "mono"
    return input
  }

  package static var settings: Record.Settings {
    var settings = Record.Settings()
    settings.repetition.suite = "smoke"
    settings.repetition.scenarios = ["decode", "pipeline", "play", "startup"]
    settings.repetition.trials = 3
    settings.repetition.durationSeconds = 5
    settings.viewing.size = PictureSize(width: 1280, height: 720)
    settings.viewing.view = Record.Settings.View(pan: -12.5)
    settings.decoding.decoder = "software"
    settings.decoding.threads = 2
    settings.decoding.threadType = "frame"
    settings.drawing.colorConversion = "transfer bt709 shown as it is"
    settings.drawing.upload = "direct"
    settings.pacing.refreshHz = 60
    settings.repetition.seed = 18_446_744_073_709_551_615
    settings.reasons = ["upload": "direct: the device reads host memory", "shading": "a/b \\ \"quoted\" [1, 2]"]
    return settings
  }

  /// A saw of `count` samples around `center`, the same on every machine.
  package static func samples(_ center: Double, count: Int) -> [Double] {
    (0..<count).map { (index: Int) -> Double in
      let deviation: Double = Double(index * 37 % 100 - 50) / 500
      return center * (1 + deviation) + 0.00001234
    }
  }

  package static func trial(
    _ metrics: [String: [Double]], counters: [String: Int?] = [:], phases: [String: Double?] = [:]
  ) -> Record.Trial {
    Record.Trial(
      started: "2025-11-21T09:30:14Z",
      metrics: Dictionary(uniqueKeysWithValues: metrics.map { ($0, MetricResult(named: $0, samples: $1)) }),
      counters: counters, phases: phases)
  }

  package static var scenarios: [Record.Scenario] {
    let decode = (0..<3).map { trial(["decode_fps": [80 + Double($0)], "decode_latency_ms": samples(24, count: 120)]) }
    let pipeline = (0..<3).map { index in
      trial(
        [
          "pipeline_fps": [68.9 + Double(index) / 10], "render_gpu_ms": samples(9, count: 150 + index),
          "upload_cpu_ms": [0, 0, 0], "gpu_memory_mib": [],
        ], counters: ["wrong_frame": 0])
    }
    var play = trial(
      ["frame_interval_ms": samples(33.4, count: 150), "queue_depth": [3, 4, 4, 3]],
      counters: ["presented": 148, "dropped": 2, "late": 1, "wrong_frame": nil])
    play.histograms = ["drop_runs": ["1": 2]]
    play.segments = [
      Record.Segment(
        started: "2025-11-21T09:31:00.250Z", complete: false,
        metrics: ["seek_latency_ms": MetricResult(of: .seekLatency, samples: [41.25])],
        counters: ["out_of_tolerance": 0], histograms: ["drop_runs": [:]], phases: [:])
    ]
    let startup = trial(
      ["ttff_ms": [412.5]],
      phases: [
        "spawn": 2.125, "open": 8.5, "probe": 12, "codec_init": 3, "first_decode": 61, "device_init": 240.125,
        "pipeline_init": 55.75, "first_upload": 4, "first_render": 20, "first_present": 6, "shader_cache": nil,
      ])
    return [
      Record.Scenario(name: "decode", trials: decode),
      Record.Scenario(name: "pipeline", variant: "direct", trials: pipeline),
      Record.Scenario(name: "play", presentSource: .simulated, trials: [play]),
      Record.Scenario(name: "startup", variant: "cold", presentSource: .simulated, trials: [startup]),
    ]
  }

  package static func record(
    device: Record.Device? = device(software: true), scenarios: [Record.Scenario] = scenarios
  ) -> Record {
    let warnings = [
      Record.Warning(
        code: "governor_powersave",
        text: "the processors clock down between frames (governor 'powersave'), which makes short stages look slow",
        remedy: "sudo cpupower frequency-set --governor performance, and back to powersave once measured"),
      Record.Warning(code: "steal_time", text: "another guest took 4 % of the processors | *noise*"),
    ]
    return Record(
      created: "2025-11-21T09:30:14Z", label: "mesa-22.3",
      build: Record.Build(version: "0.1.0", commit: "0123456789abcdef0123456789abcdef", dirty: false),
      command: ["bench360", "run", "--suite", "smoke"], complete: true,
      environment: Record.Environment(
        machine: machine, device: device,
        libraries: Record.Libraries(ffmpeg: .init(compiled: "5.1.4", runtime: "5.1.6"))), input: input,
      settings: settings, scenarios: scenarios, warnings: warnings)
  }

  /// Nothing but what has to be there.
  package static var decodeOnly: Record {
    Record(
      created: "2025-11-21T09:30:14Z", build: Record.Build(version: "0.1.0"), command: ["bench360"], complete: false,
      environment: Record.Environment(machine: Record.Machine(), device: nil, libraries: Record.Libraries()),
      input: Record.Input(name: "a.mkv"),
      settings: Record.Settings(),
      scenarios: [Record.Scenario(name: "decode", trials: [trial(["decode_fps": [80]])])])
  }
}

extension MetricResult {
  /// Of a name that is in the table.
  package init(named name: String, samples: [Double]) {
    guard let metric = Metric.named(name) else { preconditionFailure("there is no metric '\(name)'") }
    self.init(of: metric, samples: samples)
  }
}

extension Record.Warning {
  /// As a record by another build may hold it.
  package init(code: String, text: String, remedy: String? = nil) {
    self.init(code: .load, text: text, remedy: remedy)
    self.code = code
  }
}
