import Decode
import Frames
import GPU
import Media
import Render
import Session
import Verdict

/// The resolved settings, as the record holds them.
extension RecordDraft {
  func recordSettings(
    _ settings: RunSettings, _ info: MediaInfo, _ device: GPUDeviceInfo?, _ facts: TrialFacts, _ jobs: [Job]
  ) -> Record.Settings {
    let (geometry, chosen) = settings.geometry.resolve(info)
    var record = Record.Settings()
    record.repetition = repetition(settings.repetition, jobs)
    record.decoding = decoding(settings.decoder, facts)
    record.pin = settings.pin?.description
    record.stress = settings.stress.rawValue
    record.drawing.colorConversion = facts.colorConversion
    record.drawing.validate = settings.drawing.validates
    record.drawing.requireGpu = settings.drawing.requiresGPU
    record.geometry.projection = geometry.projection.rawValue
    record.geometry.stereo = geometry.stereo.rawValue
    let reasons = reasons(settings, info, chosen, facts, isDrawn: device != nil)
    record.reasons = Dictionary(uniqueKeysWithValues: reasons.map { ($0.key.rawValue, $0.value) })
    guard let device else { return record }
    record.drawing.device = device.uuid
    record.drawing.upload = facts.upload
    record.drawing.shading = facts.shading
    record.viewing = viewing(settings.viewing, jobs)
    record.geometry = Record.Settings.Geometry(geometry)
    record.pacing = pacing(settings.pacing, jobs)
    (record.pacing.audio, record.pacing.audioTrack) = (facts.sound, facts.soundTrack)
    if facts.sound != nil, settings.sound.delay != 0 { record.pacing.audioDelayMs = settings.sound.delay }
    if jobs.contains(where: { $0.scenario.has(.ads) }) {
      record.pacing.ads = settings.ads.map { redactingSecrets(ofArgument: $0) } ?? "the clip itself"
    }
    if jobs.contains(where: { $0.scenario.has(.network) }) {
      record.streaming = streaming(settings.streaming, info)
      record.clients = settings.streaming.clients.recorded
    }
    if jobs.contains(where: { $0.scenario.has(.several) }) { record.streams = settings.density.streams }
    return record
  }

  private func streaming(_ settings: StreamSettings, _ info: MediaInfo) -> Record.Settings.Streaming {
    var record = settings.recorded
    record.startTime = settings.startTime
    record.live = Record.Settings.Streaming.Live(latency: settings.liveLatency, startDate: settings.startDate)
    record.cmcd = settings.cmcd?.rawValue
    (record.retries, record.retryLimit) = (settings.retries.retryLimit, settings.retries.limitSeconds)
    guard !StreamInput.isURL(info.path) else { return record }
    record.faults = settings.faults.map(Self.fileName)
    record.packaging = settings.packaging.rawValue
    return record
  }

  private static func fileName(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

  private func repetition(_ settings: RunSettings.Repetition, _ jobs: [Job]) -> Record.Settings.Repetition {
    var record = Record.Settings.Repetition()
    record.suite = suite?.rawValue
    for job in jobs where !record.scenarios.contains(job.scenario.name) { record.scenarios.append(job.scenario.name) }
    record.trials = trials
    record.durationSeconds = settings.duration
    record.timeoutSeconds = settings.timeout
    record.seed = settings.seed
    return record
  }

  private func decoding(_ options: DecoderOptions, _ facts: TrialFacts) -> Record.Settings.Decoding {
    var record = Record.Settings.Decoding()
    record.decoder = (facts.decoder?.choice ?? options.choice)?.rawValue
    record.threads = facts.decoder?.threads
    record.threadType = facts.decoder?.threadType
    record.lowDelay = options.isLowDelay
    record.convertedFrom = facts.convertedFrom
    record.expect = asked.expected?.name
    return record
  }

  private func viewing(_ settings: RunSettings.Viewing, _ jobs: [Job]) -> Record.Settings.Viewing {
    let camera = settings.camera ?? Camera()
    var record = Record.Settings.Viewing()
    record.size = settings.size
    record.view = .init(pan: camera.pan, tilt: camera.tilt, fov: camera.fieldOfView, roll: camera.roll)
    record.camera = cameraFile?.name ?? settings.motion.name
    record.cameraSha256 = cameraFile?.sha256
    if jobs.contains(where: { $0.scenario.has(.inputEvents) }) {
      (record.inputEvents, record.inputEventsSha256) = (inputFile?.name, inputFile?.sha256)
    }
    return record
  }

  private func pacing(_ settings: RunSettings.Pacing, _ jobs: [Job]) -> Record.Settings.Pacing {
    var record = Record.Settings.Pacing()
    record.present = settings.present.rawValue
    if jobs.contains(where: { $0.scenario.has(.lookAhead) }) { record.lookAhead = settings.lookAhead }
    if jobs.contains(where: { $0.scenario.has(.refreshRate) }) { record.refreshHz = settings.refresh.value }
    return record
  }

  private func reasons(
    _ settings: RunSettings, _ info: MediaInfo, _ chosen: [OpenChoice: String], _ facts: TrialFacts, isDrawn: Bool
  ) -> [ReasonKey: String] {
    var reasons = named(chosen).merging(facts.reasons) { $1 }
    if settings.decoder.threads == 0, reasons[.threads] == nil {
      let cores = settings.pin == nil ? "this machine's cores" : "the CPUs it is pinned to"
      reasons[.threads] = "libavcodec's choice for \(cores)"
    }
    // The request is the benchmark's own; its trials were handed the resolved values.
    if isDrawn, asked.viewing.camera == nil, info.firstView != nil {
      reasons[.view] = "the file says where to look first"
    }
    return reasons
  }
}

extension Record.Settings.Geometry {
  fileprivate init(_ geometry: PictureGeometry) {
    self.init()
    projection = geometry.projection.rawValue
    bounds = geometry.bounds
    pose = geometry.projection.usesCamera ? geometry.pose : nil
    sphere = geometry.sphere.rawValue
    stereo = geometry.stereo.rawValue
    eye = geometry.eye.rawValue
    lensFov = geometry.projection == .fisheye ? geometry.lensFieldOfView : nil
  }
}

/// Reasons for settings left open by the user, as records hold them.
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
