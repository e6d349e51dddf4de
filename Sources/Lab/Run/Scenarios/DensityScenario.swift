import Frames
import Host
import Media
import Verdict

/// Many clips at once: how many this machine decodes and draws in real time, or how so many of them fare.
struct DensityScenario: MeasuredScenario {
  private static let processes = "processes"
  let variants: [String?] = ["threads", Self.processes]
  let usualVariants: [String?] = ["threads"]

  func run(_ trial: Trial) throws(Failure) {
    if trial.request.isOneOfMany { return try OneOfMany.run(trial) }
    trial.stage("open")
    let settings = trial.request.settings
    let info = try ProbedClip(path: trial.request.input, network: settings.decoder.network).info
    let frameRate = info.video.frameRate.value ?? 25
    let isApart = trial.request.variant == Self.processes
    let load: any PlayerLoad =
      isApart ? ProcessLoad(trial, frameRate: frameRate) : ThreadLoad(trial, frameRate: frameRate)
    let measure = DensityMeasure(trial, load, frameRate: frameRate)
    guard let streams = settings.density.streams else {
      return try measure.search(
        limit: DensitySettings.limit(
          settings, info, inProcesses: isApart, availableMebibytes: MemoryState().availableMebibytes))
    }
    try measure.play(streams)
  }
}
