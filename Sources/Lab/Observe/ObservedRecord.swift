import FoundationEssentials
import Frames
import Host
import Media
import Run
import Verdict

/// The clip that a run of `observe` plays, and what the run's record says beside its trials.
package struct ObservedInput {
  /// The input's path or URL.
  package var path: String
  /// The input's name in the record.
  package var name: String
  package var label: String?
  package var command: [String]

  package init(path: String, name: String, label: String?, command: [String]) {
    (self.path, self.name, self.label, self.command) = (path, name, label, command)
  }
}

/// The measurements of a run of `observe`, and the failure that ended the run early, if one did.
package struct ObservedOutcome {
  package var record: Record
  package var failure: Failure?
}

/// The record of a run of `observe`: all but its trials.
struct ObservedRecord {
  let clip: ObservedMeasures.Clip
  /// The clip's path or URL as players take it.
  let path: String
  /// The size in which the clip is shown.
  let size: PictureSize
  var settings = Record.Settings()
  private let input: ObservedInput
  private let recordInput: Record.Input
  private let machine = MachineProfile.read()
  private let started = Date()

  /// Opens the clip.
  ///
  /// Throws if that fails, or its duration is unknown.
  init(_ input: ObservedInput) throws(Failure) {
    let info = try OpeningProcess.open(input.path, network: NetworkOptions(), guesses: false).info
    (clip, size) = try Self.clip(info, input.name)
    path = info.path
    self.input = input
    var recordInput = info.recordInput(
      name: input.name, hash: MeasuredFile(info.path)?.sha256(), geometry: RunSettings().geometry)
    recordInput.frames = recordInput.frames ?? clip.frames
    self.recordInput = recordInput
    settings.repetition.scenarios = [Scenario.observe.name]
    settings.repetition.durationSeconds = Double(clip.frames) / clip.rate
  }

  /// - Parameter variants: the players, or the recordings, and their trials. One without a trial is left out.
  func record(
    _ variants: [(name: String, trials: [Record.Trial])], isComplete: Bool, _ warnings: [Record.Warning]
  ) -> Record {
    Record(
      created: RecordCoding.timestamp(started), label: input.label, session: MeasuringSession.current,
      build: BuildInfo.record, command: input.command, complete: isComplete,
      environment: Record.Environment(machine: machine, device: nil, libraries: .current), input: recordInput,
      settings: settings,
      scenarios: variants.filter { !$0.trials.isEmpty }.map { name, trials in
        Record.Scenario(name: Scenario.observe.name, variant: name, presentSource: .screen, trials: trials)
      }, warnings: warnings)
  }

  /// A warning about the failure that ended a run early.
  static func warning(_ failure: Failure) -> Record.Warning {
    failure.kind == .cancelled
      ? .init(code: .interrupted, text: "the run was interrupted: fewer trials than asked for")
      : .init(code: .endedEarly, text: failure.description)
  }

  /// The clip's number of frames, its frame rate, whether its frames are numbered, and its picture's size.
  private static func clip(_ info: MediaInfo, _ name: String) throws(Failure) -> (ObservedMeasures.Clip, PictureSize) {
    if let tag = info.synthetic, tag.projection == .flat, tag.stereo == .mono, tag.repetitions == 1,
      let rate = tag.rate.value
    {
      return (ObservedMeasures.Clip(frames: tag.frames, rate: rate), info.video.size)
    }
    let attempt = "cannot observe players of '\(name)'"
    guard !info.isSoundOnly, !info.isStill else { throw Failure(.input, attempt, cause: "it holds no moving picture") }
    guard let rate = info.video.frameRate.value, rate > 0, let seconds = info.durationSeconds, seconds > 0 else {
      throw Failure(.input, attempt, cause: "its frame rate or its duration is unknown", remedy: remedy)
    }
    let frames = info.video.frameCount ?? Int(saturating: (seconds * rate).rounded())
    return (ObservedMeasures.Clip(frames: max(1, frames), rate: rate, isNumbered: false), info.video.size)
  }

  private static let remedy =
    "leave the input out, or make one: bench360 generate -o clip.mp4 --projection flat --size 1280x720 --audio"

  /// A warning about what a clip without numbers does not show; nil for a numbered one.
  var numberWarning: Record.Warning? {
    guard !clip.isNumbered else { return nil }
    return .init(
      code: .leftOut,
      text:
        "dropped, torn and late frames and the sound were not judged: the clip's frames carry no numbers of a flat picture",
      remedy: Self.remedy)
  }

  /// Throws where the clip has no numbers.
  func requireNumbers() throws(Failure) {
    guard clip.isNumbered else {
      throw Failure(
        .input, "cannot observe a recording of '\(input.name)'", cause: "its frames carry no numbers of a flat picture",
        remedy: Self.remedy)
    }
  }
}

extension WatchedScreen.Frame {
  /// - Parameter number: counts the pictures.
  init(_ picture: PictureTimeline.Picture, number: Int, since origin: MonotonicTime) {
    self.init(
      number: number, shownMs: picture.complete.middle.milliseconds(since: origin), widthMs: picture.complete.width,
      paintMs: picture.paint)
  }
}

extension WatchedScreen.Frame {
  init(_ frame: ScreenTimeline.Shown, since origin: MonotonicTime) {
    self.init(
      number: frame.number, shownMs: frame.complete.middle.milliseconds(since: origin),
      widthMs: frame.complete.width, paintMs: frame.paint)
  }
}

extension Record.Trial {
  /// - Parameter extra: further samples, by their metrics.
  init(_ measures: ObservedMeasures, _ watched: WatchedScreen, started: String, extra: [Metric: [Double]] = [:]) {
    let samples = measures.samples.merging(extra) { $1 }
    self.init(
      started: started, complete: true,
      metrics: Dictionary(
        uniqueKeysWithValues: samples.map { ($0.key.name, MetricResult(of: $0.key, samples: $0.value)) }),
      counters: Dictionary(uniqueKeysWithValues: measures.counters.map { ($0.key.name, $0.value) }))
    screen = watched
  }
}
