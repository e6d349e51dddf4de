import Frames
import GPU
import Playback
import Session
import Verdict

/// The pipeline with each upload strategy in turn. Only the whole shows a strategy's cost: `direct` and `staged` move
/// work into the decoder's writes and the GPU's reads.
struct UploadScenario: MeasuredScenario {
  let variants: [String?] = UploadStrategy.allCases.map(\.rawValue)
  let usualVariants: [String?] = UploadStrategy.ofHostMemory.map(\.rawValue)

  func run(_ trial: Trial) throws(Failure) {
    let wanted = trial.request.variant.flatMap(UploadStrategy.init(rawValue:)) ?? .copy
    trial.stage("open")
    var options = trial.request.settings.sessionOptions()
    options.upload = wanted
    let session = try RenderSession(
      path: trial.request.input, options: options, interruption: trial.interruption)
    trial.add(session)
    if session.upload == wanted { try trial.measurePipeline(session) }
    // The setting holds for other scenarios: here the variant names the strategy.
    defer {
      trial.facts.upload = nil
      trial.facts.reasons[.upload] = nil
    }
    guard let done = trial.facts.upload, done != wanted.rawValue else { return }
    trial.facts.warnings.append(
      .init(
        code: .uploadUnavailable,
        text: "upload '\(wanted.rawValue)' cannot be done here: \(trial.facts.reasons[.upload] ?? "'\(done)' ran")",
        remedy: "leave its numbers out"))
  }
}
