/// Which metrics a comparison judges; the others are shown beside them. Of metrics whose best value is 0 the magnitude is judged.
public struct Gates: Hashable, Sendable {
  /// Nil: each scenario's main metric, and the faults that it reports beside it.
  let names: Set<String>?

  /// Each scenario's main metric, and the faults that it reports beside it.
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
    guard metric.polarity != .neutral else {
      return "'\(metricName)' has no better direction"
    }
    return nil
  }

  func contain(_ metric: Metric, scenario: String, isSoftware: Bool) -> Bool {
    let key = Scenario.named(scenario)
    // On a CPU device it is wall time shared with the decoder, except in the scenario without one.
    if metric == .renderGPU, isSoftware, key?.row.stage != .render { return false }
    guard let names else { return key?.mainMetric == metric || key?.row.faults.contains(metric) == true }
    return names.contains(metric.name) || names.contains("\(scenario)/\(metric.name)")
  }
}

extension Metric {
  /// The smallest difference of practical relevance, in the metric's unit; smaller ones never count.
  public var absoluteFloor: Double {
    switch (self, unit) {
    case (.timeToFirstFrame, _): 1
    case (.rebufferRatio, _): 0.001
    case (.qoeLinear, _): 0.1
    // Less than a tenth of what is heard as early (ITU-R BT.1359: 45 ms); a gap of one sample is none.
    case (.avSync, _): 4
    case (.avDrift, _): 20
    case (.audioGap, _): 1
    case (_, "ms"): 0.01
    case (_, "1/s"): 0.1
    case (_, "dB"): 0.01
    case (_, "MiB"): 1
    default: 0
    }
  }

  /// Whether it measures time, which depends on the machine, its load and the network; pictures and counts do not.
  var isTime: Bool {
    ["ms", "s", "1/s", "bit/s"].contains(unit) || [.rebufferRatio, .qoeLinear, .qoeSSIM].contains(self)
  }

  /// Signed differences; all other metrics are zero or more.
  var canBeNegative: Bool {
    [
      .frameOverrun, .seekError, .avSync, .avDrift, .audioStart, .tickJitter, .animationError, .weightedPSNR,
      .qoeLinear, .qoeSSIM, .liveLatency, .dateLatency, .edgeDistance,
    ].contains(self)
  }
}
