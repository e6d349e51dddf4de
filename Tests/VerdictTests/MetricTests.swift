import Testing
import Verdict

@Suite struct MetricTests {
  /// Every name of the project's definition of its metrics.
  static let defined = [
    "demux_ms", "decode_latency_ms", "decode_service_ms", "decoder_delay_frames", "decode_fps", "pipeline_fps",
    "upload_cpu_ms", "upload_gpu_ms", "render_gpu_ms", "frame_interval_ms", "display_interval_ms",
    "frame_overrun_ms", "presented", "dropped", "skipped", "repeated", "late", "stalls", "stall_ms", "drop_runs",
    "roughness_ms", "roughness_ideal_ms", "freezing_ms", "tick_jitter_ms", "queue_depth", "ttff_ms", "phases",
    "seek_latency_ms", "seek_error_ms", "out_of_tolerance", "scrub_lag_ms", "frames_decoded_per_seek",
    "seeks_issued", "seeks_coalesced", "input_latency_ms", "over_one_refresh", "views", "animation_error_ms",
    "ws_psnr_db", "max_error", "wrong_frame",
    "peak_rss_mib", "gpu_memory_mib", "cpu_seconds", "gpu_busy_pct", "gpu_clock_mhz", "power_w",
  ]

  @Test func theTableHoldsEveryDefinedMetricOnce() {
    #expect(Metric.all.map(\.name).sorted() == Self.defined.sorted())
  }

  @Test(arguments: Metric.all) func rowIsWhole(_ metric: Metric) {
    #expect(Metric.named(metric.name) == metric)
    #expect(metric.definition.hasSuffix(".") && metric.definition.count > 10)
    #expect(metric.version >= 1)
    let unitOfSuffix = [
      "_ms": "ms", "_fps": "1/s", "_mib": "MiB", "_seconds": "s", "_pct": "%", "_mhz": "MHz", "_w": "W", "_db": "dB",
    ]
    for (suffix, unit) in unitOfSuffix where metric.name.hasSuffix(suffix) {
      #expect(metric.unit == unit)
    }
    #expect(metric.kind != .counter || metric.unit == "count")
  }

  @Test func unknownNamesAreNil() {
    #expect(Metric.named("fps") == nil)
    #expect(Metric.named("") == nil)
  }

  @Test func ordersFollowTheTablesAndPutStrangersLast() {
    #expect(Metric.ordered(["zebra", "power_w", "apple", "demux_ms"]) == ["demux_ms", "power_w", "apple", "zebra"])
    #expect(Metric.orderedPhases(["cache", "first_present", "spawn"]) == ["spawn", "first_present", "cache"])
  }

  @Test func gatesOfCorrectnessAskForZero() {
    for name in ["wrong_frame", "out_of_tolerance", "stalls"] {
      #expect(Metric.named(name)?.polarity == .zero)
      #expect(Metric.named(name)?.kind == .counter)
    }
  }
}
