/// Which metrics a comparison judges; the others are shown beside them.
public struct Gates: Hashable, Sendable {
  /// Nil: each scenario's main metric.
  let names: Set<String>?

  /// What each scenario is run for.
  package static let main: [String: String] = [
    "decode": "decode_fps", "upload": "pipeline_fps", "render": "render_gpu_ms", "pipeline": "pipeline_fps",
    "play": "roughness_ms", "startup": "ttff_ms", "scrub": "seek_latency_ms",
    "interaction": "input_latency_ms",
  ]

  /// Each scenario's main metric.
  public static let standard = Gates(names: nil)

  init(names: Set<String>?) {
    self.names = names
  }

  /// `decode_fps,startup/ttff_ms`: a metric wherever it occurs, or in one scenario. Nil when one cannot be judged;
  /// `problem` says why.
  public init?(_ list: String) {
    let names = list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard names.allSatisfy({ Gates.problem(with: $0) == nil }) else { return nil }
    self.init(names: Set(names))
  }

  /// Why `name` cannot be a gate, or nil when it can.
  public static func problem(with name: String) -> String? {
    let metricName = name.split(separator: "/").last.map(String.init) ?? ""
    guard let metric = Metric.named(metricName) else { return "there is no metric '\(metricName)'" }
    guard metric.kind == .distribution || metric.kind == .value else {
      return "'\(metricName)' has no samples to compare"
    }
    guard metric.polarity == .low || metric.polarity == .high else {
      return "'\(metricName)' has no better direction"
    }
    return nil
  }

  func contain(_ metric: Metric, scenario: String, isSoftware: Bool) -> Bool {
    // On a CPU device it is wall time that the decoder has its part of, but for the scenario without one.
    if metric.name == "render_gpu_ms", isSoftware, scenario != "render" { return false }
    guard let names else { return Gates.main[scenario] == metric.name }
    return names.contains(metric.name) || names.contains("\(scenario)/\(metric.name)")
  }
}

extension Metric {
  /// Differences below this, in the metric's unit, matter to nobody, however surely they are there.
  public var absoluteFloor: Double {
    switch (name, unit) {
    case ("ttff_ms", _): 1
    case (_, "ms"): 0.01
    case (_, "1/s"): 0.1
    case (_, "dB"): 0.01
    case (_, "MiB"): 1
    default: 0
    }
  }

  /// Whether it measures time, which depends on the machine and its day; pictures and counts do not.
  var isTime: Bool { ["ms", "s", "1/s"].contains(unit) }

  /// Signed differences; all else that is measured is zero or more.
  var canBeNegative: Bool {
    ["frame_overrun_ms", "seek_error_ms", "tick_jitter_ms", "animation_error_ms", "ws_psnr_db"].contains(name)
  }
}
