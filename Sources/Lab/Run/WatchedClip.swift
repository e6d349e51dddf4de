import Decode
import FoundationEssentials
import Frames
import Glibc
import Host
import Media
import Playback
import Render
import Session
import Verdict

/// A clip watched by a user, as a record of scenario `play`, variant `watched`: one trial, in this process, for as long
/// as the clip was shown. One thread at a time.
public final class WatchedClip {
  private let session: RenderSession
  private let name: String
  private var settings: RunSettings
  private let command: [String]
  private let trial: Trial
  private let started = Date()
  private let began = MonotonicTime.now
  private let noise = NoiseSnapshot.read(gpus: .none)

  /// - Parameters:
  ///   - name: the clip's name in the record.
  ///   - settings: as requested; `refresh` is that of the display.
  ///   - isTold: whether the display reports when pictures were seen.
  ///   - sound: the output and the number of the stream that is heard; nil: none.
  public init(
    _ session: RenderSession, name: String, settings: RunSettings, isTold: Bool, sound: (output: String, track: Int)?,
    command: [String]
  ) {
    var settings = settings
    settings.pacing.present = .window
    settings.geometry = session.choice
    settings.viewing.camera = settings.viewing.camera ?? session.reader.info.firstView ?? Camera()
    (self.session, self.name, self.settings, self.command) = (session, name, settings, command)
    trial = Trial(
      request: TrialRequest(
        scenario: .play, variant: Self.variant, input: session.reader.info.path, settings: settings)
    ) { _ in }
    let tellsInstants = session.renderer.tellsInstants
    trial.add(session)
    session.renderer.tellsInstants = tellsInstants
    (trial.facts.sound, trial.facts.soundTrack) = (sound?.output, sound?.track)
    trial.facts.presentSource = isTold ? .presentWait : .submitComplete
    trial.facts.reasons[.present] = "watched by a person, whose hands are in the numbers"
  }

  static let variant = "watched"

  /// Each frame from the decoder.
  public func took(_ queued: QueuedFrame) { trial.take(queued) }

  /// The outcome of each refresh.
  public func saw(_ tick: PlayTick) {
    trial.add(.tickJitter, tick.called.milliseconds(since: tick.tick.timestamp))
    trial.add(.queueDepth, Double(tick.queueDepth))
    trial.add(.renderGPU, tick.view?.renderGPUMilliseconds)
  }

  /// The clip is closed: returns all measurements in a record.
  ///
  /// - Parameter heard: the sound that was heard, in order.
  public func record(_ log: PlayLog, framesLeftOut: Int, heard: [HeardSound]) -> Record {
    settings.repetition.duration = MonotonicTime.now.seconds(since: began)
    if trial.facts.sound != nil { trial.add(SoundMeasures(views: log.views, heard: heard)) }
    trial.add(log, framesLeftOut: framesLeftOut)
    trial.add(session.reader)
    trial.addProcessCosts()
    trial.addValidation(session.device)
    let outcome = TrialOutcome(
      isComplete: !trial.shouldStop, samples: trial.samples, counters: trial.counters, phases: trial.phases,
      histograms: trial.histograms, segments: trial.segments, facts: trial.facts)
    var measured = Measured(trials: [[Record.Trial(outcome, started: RecordCoding.timestamp(started))]])
    measured.facts = trial.facts
    measured.isComplete = outcome.isComplete
    let draft = RecordDraft(
      started: started, inputName: name, suite: nil, trials: 1, asked: settings, command: command)
    let warnings = NoiseRules.warnings(
      NoiseEvidence(
        before: noise, after: .read(gpus: .none), renderer: session.device.info.isSoftware ? .cpu : .gpu))
    return draft.record(
      of: [Job(scenario: .play, variant: Self.variant)], measured, settings: settings,
      device: session.device.info, info: session.reader.info, hash: sha256(ofFile: session.reader.info.path),
      machine: MachineProfile.read(), noise: warnings)
  }
}
