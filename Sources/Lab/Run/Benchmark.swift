import Adaptation
import Analytics
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

/// A whole run on one input: warm-up, trials in fresh processes, and the record of it all.
public struct Benchmark {
  public var input: String
  /// What the record calls the input.
  public var inputName: String
  public var settings: RunSettings
  public var suite: Suite
  /// Nil: the suite's.
  public var scenarioNames: [String]?
  public var trials: Int?
  public var duration: Double?
  /// Seconds from the start of `run()` after which trials at full speed end early, complete or not; nil: no limit.
  public var timeLimit: Double?
  public var label: String?
  /// Where the settings' motion comes from when it is a path.
  public var cameraFile: CameraFile?
  /// Where the settings' input events come from, if there are any.
  public var inputFile: InputFile?
  public var command: [String]
  /// In a window, the display's own refresh rate is used if the display reports one.
  public var takesMonitorRefresh = false
  /// What trials tell beside their measurements.
  public var logs = Logs()
  /// Called with the current activity and the run's progress, from 0 to 1.
  public var onProgress: (_ text: String, _ fraction: Double) -> Void = { _, _ in }
  /// Called after each trial, before the next begins, with an incomplete record of that trial alone.
  public var onTrial: ((Record) -> Void)?

  public init(input: String, inputName: String, settings: RunSettings, suite: Suite, command: [String]) {
    self.input = input
    self.inputName = inputName
    self.settings = settings
    self.suite = suite
    self.command = command
  }

  /// What trials tell beside their measurements. Nothing, unless it is asked for.
  public struct Logs: Sendable {
    /// The timeline of each frame.
    public var frames = false
    /// What happens while they play, in this form.
    package var events: AnalyticsLines.Format?

    public init() {}
  }

  /// The measurements, and the failure that ended the run early, if one did.
  public struct Outcome {
    public var record: Record
    /// One per trial, if traces were requested.
    public var traces: [TrialTrace]
    /// What happened in all trials, as lines, if it was asked for: each trial is a session.
    public var events: Data
    public var failure: Failure?
    /// Holds the record's trials until it is written.
    public var journal: RecordJournal?
    /// The user closed the window, or pressed Ctrl-C.
    public var wasInterrupted: Bool { !record.complete && failure == nil }
  }

  /// Throws only if the run could measure nothing at all.
  public func run() throws(Failure) -> Outcome {
    let deadline = timeLimit.map { MonotonicTime.now.advanced(byMilliseconds: $0 * 1000) }
    var settings = settings
    settings.repetition.duration = duration ?? suite.duration
    settings.decoder.leastLoopSeconds = settings.repetition.duration
    var jobs = try Scenarios.jobs(named: scenarioNames ?? suite.scenarios)
    try Scenarios.check(jobs, canBeShown: settings.pacing.present)
    onProgress("open", 0)
    // Once, so that no trial waits for a licence server.
    if try !Scenarios.playStreams(jobs) { settings.decoder.network = try settings.decoder.network.withKeys(of: input) }
    var kept = TrialPreparation()
    defer { kept.undo() }
    let folder = try Scenarios.playStreams(jobs) && warmsUp ? kept.makeFolder() : nil
    let opened = try open(jobs, settings, keepingIn: folder)
    let (info, guess) = (opened.info, opened.guess)
    // Each trial is a process of its own, which may begin during an outage.
    settings.decoder.network.retries.serversWereReached = info.isRemote
    settings.streaming.retries.serversWereReached = info.isRemote
    settings.geometry.guess = guess
    // Made once, so that no trial spends time on it.
    settings.geometry.acceptsGuess = settings.geometry.acceptsGuess && guess != nil
    let file = MeasuredFile(info.path)
    let hash = file?.sha256()
    try info.refuseLocked()
    settings.viewing.camera = settings.viewing.camera ?? info.firstView ?? Camera()
    var reasons: [ReasonKey: String] = [:]
    let device =
      try settings.drawing.requiresGPU || jobs.contains { $0.scenario.needsDevice }
      ? chooseDevice(&settings, &reasons) : nil
    let decision = try chooseDecoder(&settings, device, info)
    let machine = MachineProfile.read()
    // Before pinning: this thread must not inherit the trials' processors.
    let telemetry = Telemetry(of: device.flatMap { Telemetry.Device($0) })
    let unpinned = CPUSet.allowed
    try settings.pin?.pin()
    defer { if settings.pin != nil { try? unpinned?.pin() } }
    let before = NoiseSnapshot.read(gpus: noisyGPUs(device))
    let started = Date()
    let inputs = PreparedInputs()
    let missing = try inputs.prepare(&jobs, info, onProgress)
    func record(of measured: Measured, noise: [Record.Warning] = []) -> Record {
      var measured = measured
      measured.facts.reasons.merge(inputs.reasons) { $1 }
      measured.facts.reasons.merge(reasons) { $1 }
      measured.facts.reasons[.decoder] = measured.facts.reasons[.decoder] ?? decision.reason
      measured.facts.warnings += missing
      if info.isRemote, !settings.decoder.network.verifiesCertificates {
        measured.facts.warnings.append(
          .init(
            code: .insecure, text: "certificates of HTTPS servers were not verified (--insecure)",
            remedy: "name the server's certificate authority in SSL_CERT_FILE instead"))
      }
      var record = RecordDraft(
        started: started, inputName: inputName, label: label, suite: suite, trials: trialCount, asked: self.settings,
        cameraFile: cameraFile, inputFile: inputFile, command: command
      ).record(
        of: jobs, measured, settings: settings, device: device, info: info, hash: hash, machine: machine, noise: noise)
      record.bytesBeforeMeasuring = opened.bytes.map { Int($0) }
      return record
    }
    Interrupt.keepMeasurements()
    if warmsUp { try warmUp(jobs, settings, segment: folder.flatMap { KeptSegment.playlist(in: $0) }) }
    let measured = try measure(jobs, inputs, file, settings, telemetry, until: deadline) { trial in
      if let onTrial { onTrial(record(of: trial)) }
    }
    Interrupt.allowWriting()
    let noise = NoiseRules.warnings(
      NoiseEvidence(
        before: before, after: .read(gpus: Interrupt.isRequested ? .none : noisyGPUs(device)),
        renderer: device.map { $0.isSoftware ? .cpu : .gpu }))
    return Outcome(
      record: record(of: measured, noise: noise), traces: measured.traces, events: measured.events,
      failure: measured.failure)
  }

  /// Describes the input: the clip, or the stream that its scenarios play.
  ///
  /// - Parameter folder: where the stream's first segment is kept; nil: it is not.
  private func open(
    _ jobs: [Job], _ settings: RunSettings, keepingIn folder: String?
  ) throws(Failure) -> OpenedInput {
    guard try Scenarios.playStreams(jobs) else {
      return try OpeningProcess.open(
        input, network: settings.decoder.network, guesses: settings.geometry.projection == nil)
    }
    let (url, origin, served) = try StreamInput(input, settings.streaming).open(isShaped: false)
    defer { withExtendedLifetime(origin) {} }
    var opened = try OpeningProcess.open(
      url, network: settings.decoder.network, guesses: false,
      stream: OpeningProcess.Stream(settings: settings.streaming, name: input, served: served, folder: folder))
    // The port of an origin of the run's own is another one each time.
    opened.info.path = input
    return opened
  }

  /// Chooses the decoder once, so that every trial uses the same one.
  private func chooseDecoder(
    _ settings: inout RunSettings, _ device: GPUDeviceInfo?, _ info: MediaInfo
  ) throws(Failure) -> DecoderDecision {
    if device?.isSoftware == false { settings.decoder.device = device?.identity }
    // Frames uploaded through the CPU's memory need no sharing.
    let mayShare = settings.drawing.upload == nil || settings.drawing.upload == .shared
    let decision = try DecoderDecision(
      settings.decoder.choice, codec: info.video.codec, sharing: mayShare ? device?.sharing : nil,
      device: settings.decoder.device, path: input)
    settings.decoder.isAutomatic = settings.decoder.choice == nil
    settings.decoder.choice = decision.choice
    return decision
  }

  /// nvidia-smi gets as long as a user may be kept waiting before a run.
  private func noisyGPUs(_ device: GPUDeviceInfo?) -> NoiseSnapshot.GPUs {
    guard let device, !device.isSoftware else { return .none }
    return .all(nvidiaSeconds: 0.9, uuid: device.uuid)
  }

  /// Finds the device once, so that every trial uses the same one.
  private func chooseDevice(
    _ settings: inout RunSettings, _ reasons: inout [ReasonKey: String]
  ) throws(Failure) -> GPUDeviceInfo {
    guard settings.pacing.present == .window else { return try chooseDevice(&settings, showingIn: nil) }
    var options = Window.Options()
    options.isVisible = false
    let window = try Window(title: "bench360", size: settings.viewing.size, options: options)
    defer { window.close() }
    if takesMonitorRefresh {
      let rate = window.monitor?.refreshRate
      settings.pacing.refresh = rate ?? settings.pacing.refresh
      reasons[.refresh] =
        rate == nil ? "the window system tells no refresh rate" : "the monitor's, as the window system rounds it"
    }
    return try chooseDevice(&settings, showingIn: window.surface())
  }

  /// Closes the device before it returns, so that the window can close.
  private func chooseDevice(
    _ settings: inout RunSettings, showingIn surface: SurfaceSource?
  ) throws(Failure) -> GPUDeviceInfo {
    let device = try GPUDevice(
      settings.drawing.device, requireGPU: settings.drawing.requiresGPU, validate: settings.drawing.validates,
      surface: surface)
    settings.drawing.device = String(device.info.index)
    return device.info
  }
}

/// The trials of a run so far.
struct Measured {
  /// By position in the list of jobs: one per scenario and variant.
  var trials: [[Record.Trial]]
  var traces: [TrialTrace] = []
  var events = Data()
  var facts = TrialFacts()
  var warnings: [Record.Warning] = []
  var isComplete = true
  var failure: Failure?

  /// The last trial of a job alone, as the remainder of a run that ends here.
  fileprivate func lastTrial(at position: Int) -> Measured {
    var last = self
    last.trials = trials.map { _ in [] }
    last.trials[position] = Array(trials[position].suffix(1))
    last.isComplete = false
    return last
  }
}

extension Benchmark {
  var trialCount: Int { trials ?? suite.trials }

  /// Rounds over all jobs, so that drift of the machine affects all of them alike.
  private func measure(
    _ jobs: [Job], _ inputs: PreparedInputs, _ file: MeasuredFile?, _ settings: RunSettings,
    _ telemetry: Telemetry, until deadline: MonotonicTime?, _ onTrial: (Measured) -> Void
  ) throws(Failure) -> Measured {
    var measured = Measured(trials: jobs.map { _ in [] })
    let total = Double(jobs.reduce(0) { $0 + $1.scenario.trialFactor } * trialCount)
    var done = 0.0
    for round in 0..<trialCount {
      for (position, job) in jobs.enumerated() {
        for _ in 0..<job.scenario.trialFactor {
          do throws(Failure) {
            var place = Place(job: job, position: position, path: inputs.path(for: job) ?? input)
            place.deadline = deadline.map {
              Self.deadline(of: job, after: Int(done), jobs, rounds: trialCount, within: $0)
            }
            try file?.checkUnchanged()
            try runTrial(place, file, settings, telemetry, &measured) { stage, fraction in
              onProgress("\(job.title) \(round + 1)/\(trialCount): \(stage)", (done + fraction) / total)
            }
          } catch {
            measured.isComplete = false
            if error.kind != .cancelled { measured.failure = error }
            // No measurement yet: there is no record to save.
            if measured.trials.allSatisfy(\.isEmpty) { throw error }
            return measured
          }
          done += 1
          onTrial(measured.lastTrial(at: position))
          if Interrupt.isRequested || !measured.isComplete {
            measured.isComplete = false
            return measured
          }
        }
      }
    }
    return measured
  }

  /// Once per session.
  private var warmsUp: Bool { MeasuringSession.inherited == nil }

  /// One short discarded trial, which fills the page cache and the drivers' caches.
  ///
  /// - Parameter segment: what it plays where the input is a stream: the playlist of a kept segment; nil: no segment was kept, and it is
  ///   left out.
  private func warmUp(_ jobs: [Job], _ settings: RunSettings, segment: String?) throws(Failure) {
    guard
      let job = jobs.first(where: { $0.scenario.measured.warmUpVariant != nil })
        ?? jobs.first(where: { $0.scenario.needsDevice }) ?? jobs.first
    else {
      return
    }
    var short = settings
    short.repetition.duration = 1
    short.stress = .none
    short.expected = nil
    var request = TrialRequest(
      scenario: job.scenario, variant: job.scenario.measured.warmUpVariant ?? job.variant, input: input,
      settings: short)
    short.density.streams = 1
    // What it does not need to prepare, such as empty caches, it does without.
    var preparation = TrialPreparation()
    defer { preparation.undo() }
    let isStream = job.scenario.has(.network)
    if isStream {
      guard let segment else { return }
      var streaming = StreamSettings()
      streaming.clients.decoding = short.streaming.clients.decoding
      short.streaming = streaming
      request.input = segment
    }
    request.settings = short
    if isStream {
      preparation = try job.scenario.measured.prepare(request)
      request.use(preparation, name: input)
    }
    onProgress("warm-up", 0)
    runLog.debug("the warm-up plays", metadata: ["input": "\(redactingSecrets(ofArgument: request.input))"])
    let outcome: TrialOutcome
    do throws(Failure) {
      outcome = try TrialProcess().run(request)
    } catch {
      // A single segment may not be playable. The trials report what is wrong with the stream.
      if isStream, error.kind != .cancelled { return }
      throw error
    }
    if Interrupt.isRequested || !outcome.isComplete {
      throw Failure(.cancelled, "cannot measure '\(input)'", cause: "it was interrupted")
    }
  }

  /// The scenario and variant of a trial, and its position in the list of jobs.
  private struct Place {
    var job: Job
    var position: Int
    var path: String
    /// When the trial ends, complete or not; nil if the run has no time limit.
    var deadline: MonotonicTime?
  }

  /// Returns when the next trial ends. Scenarios share the time that is left, and the trials of one scenario share its part.
  ///
  /// - Parameters:
  ///   - done: trials before it.
  ///   - end: of the run.
  package static func deadline(
    of job: Job, after done: Int, _ jobs: [Job], rounds: Int, within end: MonotonicTime, now: MonotonicTime = .now
  ) -> MonotonicTime {
    let round = jobs.flatMap { job in
      Array(repeating: 1 / Double(job.scenario.trialFactor), count: job.scenario.trialFactor)
    }
    let left = Array(repeating: round, count: rounds).joined().dropFirst(done).reduce(0, +)
    let share = 1 / Double(job.scenario.trialFactor) / max(left, 1e-9)
    return now.advanced(byMilliseconds: max(0, end.milliseconds(since: now)) * min(1, share))
  }

  private func runTrial(
    _ place: Place, _ file: MeasuredFile?, _ settings: RunSettings, _ telemetry: Telemetry,
    _ measured: inout Measured,
    _ progress: @escaping (String, Double) -> Void
  ) throws(Failure) {
    let job = place.job
    let started = RecordCoding.timestamp(Date())
    var request = TrialRequest(
      scenario: job.scenario, variant: job.variant, input: place.path, settings: settings)
    let spool = try logs.frames ? TrialSpool() : nil
    request.traceFile = spool?.path
    request.deadline = place.deadline
    let events = try logs.events == nil ? nil : TrialSpool()
    if let events, let format = logs.events {
      let number = measured.trials[place.position].count + 1
      request.events = EventOutput(path: events.path, format: format, content: "\(job.title), trial \(number)")
    }
    // Those of a trial that failed are told too.
    defer { if let events { measured.events += events.contents } }
    // Once a scenario and variant: it is the same clip, decoder and device each time.
    if !measured.trials[place.position].isEmpty { request.settings.expected = nil }
    let preparation = try job.scenario.measured.prepare(request)
    defer { preparation.undo() }
    request.use(preparation, name: request.input)
    let spawned = MonotonicTime.now
    var outcome = try TrialProcess(onProgress: progress, environment: preparation.environment).run(request)
    // A trial that measured two files says nothing about either alone.
    try file?.checkUnchanged()
    outcome.samples.merge(
      telemetry.samples(from: spawned, frames: outcome.frames, draws: job.scenario.needsDevice)
    ) { $1 }
    outcome.facts.reasons[.energy] = telemetry.energyReason
    if let quality = preparation.quality { outcome.judge(by: quality) }
    try outcome.check(against: preparation.origin)
    measured.trials[place.position].append(Record.Trial(outcome, started: started))
    if let spool {
      measured.traces.append(
        spool.trace(
          job, number: measured.trials[place.position].count, of: trialCount * job.scenario.trialFactor,
          isComplete: outcome.isComplete))
    }
    if !outcome.isComplete { measured.isComplete = false }
    measured.failure = outcome.failure?.failure ?? measured.failure
    measured.facts.merge(outcome.facts)
    measured.facts.reasons.merge(preparation.reasons) { $1 }
  }
}
