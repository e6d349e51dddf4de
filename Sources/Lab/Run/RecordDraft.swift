import Decode
import FoundationEssentials
import Frames
import GPU
import Host
import Media
import Playback
import Render
import Session
import Verdict
import Window

/// What a record holds beside measurements: who requested it and the request. A run and a clip that a user
/// watched each make one.
struct RecordDraft {
  var started: Date
  /// The input's name in the record.
  var inputName: String
  var label: String?
  /// Nil: no suite was run.
  var suite: Suite?
  var trials: Int
  /// As requested: nil where the program chooses.
  var asked: RunSettings
  var cameraFile: CameraFile?
  var inputFile: InputFile?
  var command: [String]

  /// - Parameter settings: the requested settings, resolved.
  func record(
    of jobs: [Job], _ measured: Measured, settings: RunSettings, device: GPUDeviceInfo?, info: MediaInfo, hash: String?,
    machine: Record.Machine, noise: [Record.Warning]
  ) -> Record {
    let results = zip(jobs, measured.trials).filter { !$1.isEmpty }.map { job, trials in
      Record.Scenario(
        name: job.scenario.name, variant: job.variant ?? Self.liveVariant(trials),
        presentSource: presentSource(job, measured.facts), trials: trials
      )
    }
    var warnings =
      noise + WarmUp.warnings(results) + info.recordWarnings(settings.geometry) + measured.facts.warnings
    if let failure = measured.failure {
      warnings.append(.init(code: .endedEarly, text: failure.description))
    } else if !measured.isComplete {
      warnings.append(.init(code: .interrupted, text: "the run was interrupted: fewer trials than asked for"))
    }
    return Record(
      created: RecordCoding.timestamp(started), label: label, session: MeasuringSession.current,
      build: BuildInfo.record, command: command, complete: measured.isComplete,
      environment: Record.Environment(machine: machine, device: device.map(recordDevice), libraries: .current),
      input: info.recordInput(name: inputName, hash: hash, geometry: settings.geometry),
      settings: recordSettings(settings, info, device, measured.facts, jobs), scenarios: results,
      warnings: warnings)
  }

  private func presentSource(_ job: Job, _ facts: TrialFacts) -> PresentSource? {
    job.scenario.showsInWindow ? facts.presentSource ?? job.scenario.presentSource : job.scenario.presentSource
  }

  private func recordDevice(_ device: GPUDeviceInfo) -> Record.Device {
    Record.Device(
      name: device.name, type: Record.Device.Kind(rawValue: device.kind.rawValue), driver: device.driver,
      api: device.api, uuid: device.uuid, software: device.isSoftware)
  }

}

extension Record.Libraries {
  /// Those of this process.
  package static var current: Record.Libraries {
    Record.Libraries(
      ffmpeg: .init(compiled: FFmpegVersion.compiled, runtime: FFmpegVersion.runtime),
      vulkanLoader: GPUInstance.loaderVersion, glfw: WindowSystem.version)
  }
}

extension RecordDraft {
  /// Nil where no trial played a live stream.
  fileprivate static func liveVariant(_ trials: [Record.Trial]) -> String? {
    trials.contains { $0.sessions.contains { $0.live != nil } } ? "live" : nil
  }
}
