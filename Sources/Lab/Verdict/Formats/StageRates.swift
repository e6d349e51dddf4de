/// The bottleneck of the whole pipeline.
public enum Bottleneck: String, Sendable, Codable, CaseIterable {
  case decode, upload, render
  /// The device renders on the CPU, which decode needs too: the stages cannot be told apart.
  case cpu
  /// Every measured stage alone is much faster.
  case noStage = "none"
}

/// The pipeline's rate in frames per second, each stage's own rate, and the conclusion.
struct StageRates {
  struct Stage {
    var bottleneck: Bottleneck
    var rate: Double
    var name: String { bottleneck.rawValue }
  }

  /// Within this factor of the pipeline's rate, the slowest stage explains it.
  private static let explains = 1.25

  let pipeline: Double?
  /// The known rates, in the order decode, upload, render.
  let stages: [Stage]
  private let sharesCores: Bool

  init(_ record: Record) {
    let software = record.environment.device?.software ?? false
    func scenario(_ key: Scenario) -> Record.Summary? { StageRates.scenario(key, in: record)?.summary }
    func rate(_ summary: Record.Summary?, _ metric: Metric) -> Double? {
      summary?.metrics[metric]?.p50.flatMap { $0 > 0 ? 1000 / $0 : nil }
    }
    let whole = scenario(.pipeline)
    // On a CPU device the pipeline's GPU times are wall time shared with the decoder.
    let overlapping = software ? nil : whole
    let rates: [(Bottleneck, Double?)] = [
      (.decode, scenario(.decode)?.metrics[.decodeFPS]?.p50.flatMap { $0 > 0 ? $0 : nil }),
      (.upload, rate(scenario(.upload), .uploadGPU) ?? rate(overlapping, .uploadGPU)),
      (.render, rate(scenario(.render), .renderGPU) ?? rate(overlapping, .renderGPU)),
    ]
    pipeline = whole?.metrics[.pipelineFPS]?.p50.flatMap { $0 > 0 ? $0 : nil }
    stages = rates.compactMap { stage, rate in rate.map { Stage(bottleneck: stage, rate: $0) } }
    sharesCores = software
  }

  /// Nil if the pipeline, or each of its stages, was not measured.
  var bottleneck: Bottleneck? {
    guard let pipeline else { return nil }
    if sharesCores { return .cpu }
    guard let slowest = stages.min(by: { $0.rate < $1.rate }) else { return nil }
    return slowest.rate <= pipeline * Self.explains ? slowest.bottleneck : .noStage
  }

  /// The bottleneck of the pipeline, as a clause.
  var bound: String {
    var alone = ""
    for stage in stages {
      alone += alone.isEmpty ? "\(stage.name) alone would reach " : ", \(stage.name) alone "
      alone += Answer.fps(stage.rate)
    }
    switch bottleneck {
    case nil: return "what bounds it was not measured"
    case .cpu: return "bound by the CPU, which decode and render share" + (alone.isEmpty ? "" : ": \(alone)")
    case .noStage: return "bound by no measured stage: \(alone)"
    case .some(let stage): return "bound by \(stage.rawValue)"
    }
  }

  /// The variant that the settings name, else the only or first one.
  private static func scenario(_ key: Scenario, in record: Record) -> Record.Scenario? {
    let variants = record.scenarios(key).filter { !$0.summary.metrics.isEmpty }
    return variants.first { $0.variant == nil || $0.variant == record.settings.drawing.upload } ?? variants.first
  }
}
