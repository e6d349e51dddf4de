import Decode
import Foundation
import Frames
import GPU
import Host
import Playback
import Render
import Session
import Verdict
import Window

/// What a record says beside what was measured: who asked for it and what was asked for. A run and a clip that a person
/// watched each make one.
struct RecordDraft {
  var started: Date
  /// What the record calls the input.
  var inputName: String
  var label: String?
  /// Nil: no suite was run.
  var suite: Suite?
  var trials: Int
  /// As they were asked for: nil where the choice was left to the program.
  var asked: RunSettings
  var cameraFile: CameraFile?
  var inputFile: InputFile?
  var command: [String]

  /// - Parameter settings: what came of those that were asked for.
  func record(
    of jobs: [Job], _ measured: Measured, settings: RunSettings, device: GPUDeviceInfo?, info: MediaInfo, hash: String?,
    machine: Record.Machine, noise: [Record.Warning]
  ) -> Record {
    let results = zip(jobs, measured.trials).filter { !$1.isEmpty }.map { job, trials in
      Record.Scenario(
        name: job.scenario.name, variant: job.variant, presentSource: presentSource(job, measured.facts), trials: trials
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
      version: BuildInfo.version,
      commit: BuildInfo.commit,
      dirty: BuildInfo.isDirty, command: command, complete: measured.isComplete, machine: machine,
      device: device.map(recordDevice), libraries: libraries(),
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

  private func libraries() -> Record.Libraries {
    Record.Libraries(
      ffmpeg: .init(compiled: FFmpegVersion.compiled, runtime: FFmpegVersion.runtime),
      vulkanLoader: GPUInstance.loaderVersion, glfw: WindowSystem.version)
  }

  private func recordSettings(
    _ settings: RunSettings, _ info: MediaInfo, _ device: GPUDeviceInfo?, _ facts: TrialFacts,
    _ jobs: [Job]
  ) -> Record.Settings {
    let (geometry, chosen) = settings.geometry.resolve(info)
    var record = Record.Settings()
    record.suite = suite?.rawValue
    for job in jobs where !record.scenarios.contains(job.scenario.name) { record.scenarios.append(job.scenario.name) }
    record.trials = trials
    record.durationSeconds = settings.duration
    record.decoder = (facts.decoder?.choice ?? settings.decoder.choice)?.rawValue
    record.threads = facts.decoder?.threads
    record.threadType = facts.decoder?.threadType
    record.lowDelay = settings.decoder.isLowDelay
    record.convertedFrom = facts.convertedFrom
    record.colorConversion = facts.colorConversion
    record.pin = settings.pin?.description
    record.seed = settings.seed
    record.stress = settings.stress.rawValue
    record.timeoutSeconds = settings.timeout
    record.validate = settings.validates
    record.requireGpu = settings.requiresGPU
    record.projection = geometry.projection.rawValue
    record.stereo = geometry.stereo.rawValue
    let reasons = reasons(settings, info, chosen, facts, isDrawn: device != nil)
    record.reasons = Dictionary(uniqueKeysWithValues: reasons.map { ($0.key.rawValue, $0.value) })
    guard let device else { return record }
    let camera = settings.camera ?? Camera()
    record.size = settings.size
    record.view = .init(pan: camera.pan, tilt: camera.tilt, fov: camera.fieldOfView, roll: camera.roll)
    record.camera = cameraFile?.name ?? settings.motion.name
    record.cameraSha256 = cameraFile?.sha256
    if jobs.contains(where: { $0.scenario.has(.inputEvents) }) {
      (record.inputEvents, record.inputEventsSha256) = (inputFile?.name, inputFile?.sha256)
    }
    record.bounds = geometry.bounds
    record.pose = geometry.projection.usesCamera ? geometry.pose : nil
    record.geometry = geometry.sphere.rawValue
    record.eye = geometry.eye.rawValue
    if geometry.projection == .fisheye { record.lensFov = geometry.lensFieldOfView }
    record.upload = facts.upload
    record.shading = facts.shading
    record.present = settings.present.rawValue
    if jobs.contains(where: { $0.scenario.has(.lookAhead) }) { record.lookAhead = settings.lookAhead }
    if jobs.contains(where: { $0.scenario.has(.refreshRate) }) { record.refreshHz = settings.refresh.value }
    record.device = device.uuid
    return record
  }

  private func reasons(
    _ settings: RunSettings, _ info: MediaInfo, _ chosen: [OpenChoice: String], _ facts: TrialFacts, isDrawn: Bool
  ) -> [ReasonKey: String] {
    var reasons = named(chosen).merging(facts.reasons) { $1 }
    if settings.decoder.threads == 0 {
      let cores = settings.pin == nil ? "this machine's cores" : "the CPUs it is pinned to"
      reasons[.threads] = "libavcodec's choice for \(cores)"
    }
    // What was asked for is the benchmark's own; its trials were handed what came of it.
    if isDrawn, asked.camera == nil, info.firstView != nil {
      reasons[.view] = "the file says where to look first"
    }
    return reasons
  }
}

/// Reasons of what was left open, as records hold them.
func named(_ choices: [OpenChoice: String]) -> [ReasonKey: String] {
  Dictionary(uniqueKeysWithValues: choices.map { (ReasonKey($0.key), $0.value) })
}

extension ReasonKey {
  fileprivate init(_ choice: OpenChoice) {
    self =
      switch choice {
      case .projection: .projection
      case .stereo: .stereo
      case .bounds: .bounds
      case .pose: .pose
      case .upload: .upload
      case .shading: .shading
      case .decoder: .decoder
      }
  }
}
