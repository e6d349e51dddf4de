/// How many frames a second the pipeline reached, how many each stage would reach alone, and what that says.
struct StageRates {
  struct Stage {
    var name: String
    var rate: Double
  }

  /// Within this factor of the pipeline's rate, the slowest stage explains it.
  private static let explains = 1.25

  let pipeline: Double?
  /// Decode, upload, render: those that are known.
  let stages: [Stage]
  private let sharesCores: Bool

  init(_ record: Record) {
    let software = record.device?.software ?? false
    func scenario(_ name: String) -> Record.Summary? { StageRates.scenario(name, in: record)?.summary }
    func rate(_ summary: Record.Summary?, _ metric: String) -> Double? {
      summary?.metrics[metric]?.p50.flatMap { $0 > 0 ? 1000 / $0 : nil }
    }
    let whole = scenario("pipeline")
    // On a CPU device the pipeline's GPU times are wall time that the decoder had its part of.
    let overlapping = software ? nil : whole
    let rates = [
      ("decode", scenario("decode")?.metrics["decode_fps"]?.p50.flatMap { $0 > 0 ? $0 : nil }),
      ("upload", rate(scenario("upload"), "upload_gpu_ms") ?? rate(overlapping, "upload_gpu_ms")),
      ("render", rate(scenario("render"), "render_gpu_ms") ?? rate(overlapping, "render_gpu_ms")),
    ]
    pipeline = whole?.metrics["pipeline_fps"]?.p50.flatMap { $0 > 0 ? $0 : nil }
    stages = rates.compactMap { name, rate in rate.map { Stage(name: name, rate: $0) } }
    sharesCores = software
  }

  /// What the pipeline's rate is bound by, as a clause.
  var bound: String {
    var alone = ""
    for stage in stages {
      alone += alone.isEmpty ? "\(stage.name) alone would reach " : ", \(stage.name) alone "
      alone += Answer.fps(stage.rate)
    }
    if sharesCores {
      return "bound by the CPU, which decode and render share" + (alone.isEmpty ? "" : ": \(alone)")
    }
    guard let pipeline, let slowest = stages.min(by: { $0.rate < $1.rate }) else {
      return "what bounds it was not measured"
    }
    return slowest.rate <= pipeline * Self.explains
      ? "bound by \(slowest.name)" : "bound by no measured stage: \(alone)"
  }

  /// The variant that the settings name, else the only or first one.
  private static func scenario(_ name: String, in record: Record) -> Record.Scenario? {
    let variants = record.scenarios.filter { $0.name == name && !$0.summary.metrics.isEmpty }
    return variants.first { $0.variant == nil || $0.variant == record.settings.upload } ?? variants.first
  }
}
