import Decode
import FoundationEssentials
import Frames
import GPU
import Host
import Media
import Playback
import Streaming
import Verdict

/// One measurement in progress, inside its own process: the request, the results so far, and the parent's channel.
///
/// Used by the trial's main thread; any thread may note outages on its interruption.
public final class Trial {
  public let request: TrialRequest
  /// `noteOutage` on it, or on one within it, reports an outage of the trial.
  public let interruption: Interruption
  private(set) var samples: [Metric: [Double]] = [:]
  private(set) var counters: [Metric: Int] = [:]
  private(set) var phases: [Phase: Double] = [:]
  /// Each seek starts a segment; empty if there is one only.
  private(set) var segments: [TrialSegment] = []
  private var segmentsHaveEnded = false
  var histograms: [Metric: [Int: Int]] = [:]
  var facts = TrialFacts()
  /// Of the stream that was played.
  var stream = StreamResult()
  /// Of several clips at once.
  var density = PlayedDensity()
  /// Nil unless a trace was requested.
  let trace: TraceLog?
  private var heartbeat: Heartbeat
  private let outages: Outages

  /// Outages that the parent hears of. Any thread.
  private final class Outages: Sendable {
    private let report: @Sendable (TrialEvent) -> Void
    private let state = Monitor(State())

    private struct State {
      var isOfClip = false
      var told: MonotonicTime?
    }

    init(report: @escaping @Sendable (TrialEvent) -> Void) { self.report = report }

    /// A request for the clip failed because of one. Streams record failures in their own log.
    var wereOfClip: Bool { state.read { $0.isOfClip } }

    /// Reports at most five times a second.
    func note(isOfClip: Bool) {
      let isDue = state.withLock { state in
        let isDue = state.told.map { MonotonicTime.now.milliseconds(since: $0) > 200 } ?? true
        if isDue { state.told = .now }
        if isOfClip { state.isOfClip = true }
        return isDue
      }
      if isDue { report(.outage) }
    }
  }
  private var ending = Ending.whole

  /// What the parent hears.
  private struct Heartbeat {
    let report: @Sendable (TrialEvent) -> Void
    var last = MonotonicTime.now

    mutating func tell(_ event: TrialEvent) {
      report(event)
      last = .now
    }
  }

  private enum Ending {
    case whole
    /// The user asked for it.
    case stopped
    case failed(Failure)
  }

  init(request: TrialRequest, report: @escaping @Sendable (TrialEvent) -> Void) {
    self.request = request
    trace = request.traceFile.map { _ in TraceLog() }
    heartbeat = Heartbeat(report: report)
    let outages = Outages(report: report)
    self.outages = outages
    interruption = Interruption(onOutage: { outages.note(isOfClip: true) })
  }

  /// Adds the warning `outage` where a server or the network was out of order.
  func warnOfOutage() {
    guard outages.wereOfClip else { return }
    facts.warnings.append(
      .init(
        code: .outage, text: "the clip's server or the network failed for a while, and the times include the wait",
        remedy: "measure again, or measure a local copy"))
  }

  /// Names the current activity: the watchdog reports it when the trial hangs.
  func stage(_ name: String) {
    heartbeat.tell(.stage(name))
  }

  /// Whether the user asked to stop; measurements so far are kept and marked incomplete.
  var shouldStop: Bool {
    if Interrupt.isRequested { stop() }
    return !isComplete
  }

  /// The measurements so far.
  var outcome: TrialOutcome {
    TrialOutcome(
      isComplete: isComplete, samples: samples, counters: counters, phases: phases, histograms: histograms,
      segments: segments, facts: facts, stream: stream, density: density, failure: failure.map(FailureDescription.init))
  }

  var isComplete: Bool { if case .whole = ending { true } else { false } }
  /// What ended it early; the measurements before are kept.
  var failure: Failure? { if case .failed(let failure) = ending { failure } else { nil } }

  /// The user asked to stop.
  func stop() { if isComplete { ending = .stopped } }

  /// It ends early, with its measurements so far.
  func fail(_ failure: Failure) { ending = .failed(failure) }

  /// The next frame; nil at the end, and after the user's stop, which may cut a read short.
  func next(_ read: () throws(Failure) -> VideoFrame?) throws(Failure) -> VideoFrame? {
    do throws(Failure) {
      return try read()
    } catch {
      guard error.kind == .cancelled, shouldStop else { throw error }
      return nil
    }
  }

  /// Reports progress to the parent, a few times a second at most.
  func progress(_ fraction: Double) {
    guard MonotonicTime.now.milliseconds(since: heartbeat.last) > 200 else { return }
    heartbeat.tell(.progress(min(max(fraction, 0), 1)))
  }

  /// The trial waits for the server of its stream, and does not hang.
  func noteOutage() { outages.note(isOfClip: false) }

  /// An interruption for work after the measurement, which the end of the trial's own does not end. Its outages are the trial's.
  func laterInterruption() -> Interruption {
    let outages = outages
    return Interruption(onOutage: { outages.note(isOfClip: true) })
  }

  /// Later measurements belong to the whole and to a segment of their own.
  func beginSegment() { segments.append(TrialSegment()) }

  /// Later measurements belong to the whole only.
  func endSegments() { segmentsHaveEnded = true }

  func add(_ metric: Metric, _ sample: Double?) {
    guard let sample else { return }
    samples[metric, default: []].append(sample)
    changeSegment { $0.samples[metric, default: []].append(sample) }
  }

  /// Replaces the samples of a metric; none: it is unknown.
  func set(_ metric: Metric, _ values: [Double]) { samples[metric] = values }

  func count(_ counter: Metric, _ amount: Int = 1) {
    counters[counter, default: 0] += amount
    changeSegment { $0.counters[counter, default: 0] += amount }
  }

  private func changeSegment(_ change: (inout TrialSegment) -> Void) {
    guard !segmentsHaveEnded, !segments.isEmpty else { return }
    change(&segments[segments.count - 1])
  }

  func phase(_ phase: Phase, _ milliseconds: Double) {
    phases[phase, default: 0] += milliseconds
  }

  /// Other work of the process; its processor time is not the trial's.
  var stress: Stress?

  /// Peak memory and processor time of this process so far. Counts once: a scenario calls it before work that is not
  /// part of its measurement; for other scenarios it is called at their end.
  func addProcessCosts() {
    guard samples[.cpuTime] == nil else { return }
    let seconds = processorSeconds()
    add(.peakRSS, peakResidentMebibytes())
    add(.gpuMemory, MemoryUse.peak.map { Double($0) / 1_048_576 })
    add(.cpuTime, seconds - (stress?.stop() ?? 0))
  }

  /// Frames to measure: the requested media time, but never fewer than a distribution needs.
  func frameTarget(rate: Double) -> Int {
    max(Self.leastFrames, Int((request.settings.repetition.duration * rate).rounded(.up)))
  }

  /// True once the trial has its frames and seconds, or its deadline has passed.
  func hasEnough(_ frames: Int, of target: Int, seconds: Double) -> Bool {
    frames >= target && seconds >= leastSeconds || isOverdue(after: frames)
  }

  /// True once the trial's deadline has passed; adds the warning `time_limit` then.
  func isOverdue(after frames: Int) -> Bool {
    guard let deadline = request.deadline, MonotonicTime.now >= deadline, frames >= Self.leastFramesAtDeadline else {
      return false
    }
    facts.warnings.append(
      .init(
        code: .timeLimit, text: "trials ended before they had all frames, so that the run stays within its time",
        remedy: "measure with 'bench360 run', which takes the time it needs"))
    return true
  }

  private static let leastFramesAtDeadline = 10

  /// `decode_fps` and `pipeline_fps` count at least this many frames.
  private static let leastFrames = 100

  /// They also count for at least this long: a second, or the requested media time if that is less.
  private var leastSeconds: Double { min(1, request.settings.repetition.duration) }
}

/// The request to a trial's process.
public struct TrialRequest: Sendable, Codable {
  public var scenario: Scenario
  public var variant: String?
  public var input: String
  /// What messages call the input; nil: `input`.
  public var inputName: String?
  /// Of a stream that the parent serves from a folder.
  var served: ServedFolder?
  public var settings: RunSettings
  /// Set just before the process is spawned, by the parent.
  public var spawned: MonotonicTime?
  /// When a measurement at full speed ends, complete or not; nil: when it is complete.
  var deadline: MonotonicTime?
  /// Where to write each frame's timeline; nil if no trace was requested.
  public var traceFile: String?
  /// Nil: what happens is not told.
  var events: EventOutput?
  /// It is one of several trials on behalf of another, whose process it hears from on standard input.
  var isOneOfMany = false

  /// Reads the prepared input, and still names the user's.
  mutating func use(_ preparation: TrialPreparation, name: String) {
    guard let url = preparation.input else { return }
    (input, inputName, served) = (url, name, preparation.served)
  }
}

/// A trial process's events on standard output, one JSON object a line.
enum TrialEvent: Sendable, Codable {
  case stage(String)
  case progress(Double)
  /// A server or a network that it waits for is out of order: its requests are made again for as long as their limits allow.
  case outage
  case finished(TrialOutcome)
  case failed(FailureDescription)
}

/// The measurements between two seeks.
struct TrialSegment: Sendable, Codable {
  var started = Date()
  var samples: [Metric: [Double]] = [:]
  var counters: [Metric: Int] = [:]
}

struct TrialOutcome: Sendable, Codable {
  var isComplete: Bool
  var samples: [Metric: [Double]]
  var counters: [Metric: Int]
  var phases: [Phase: Double]
  var histograms: [Metric: [Int: Int]]
  var segments: [TrialSegment]
  var facts: TrialFacts
  var stream = StreamResult()
  var density = PlayedDensity()
  var failure: FailureDescription?
}

/// What a trial played of several clips at once.
struct PlayedDensity: Sendable, Codable {
  /// Of this trial, where it is one of those clips.
  var own: Density.Stream?
  /// Of all of them.
  var whole: Density?
}

/// What a trial played of a stream: by one player, or by several clients.
struct StreamResult: Sendable, Codable {
  /// Of the one player; nil where there is none, or several.
  var session: StreamSession?
  /// When that player opened its stream.
  var opened: MonotonicTime?
  /// Nil where there is one player at most.
  var clients: [StreamClient]?

  /// Of the one player, or of each client.
  var sessions: [StreamSession] { session.map { [$0] } ?? clients?.map(\.session) ?? [] }
}

/// A `Failure` sent between processes.
struct FailureDescription: Sendable, Codable {
  var kind: Failure.Kind
  var attempt: String
  var cause: String
  var remedy: String?

  init(_ failure: Failure) {
    kind = failure.kind
    attempt = failure.attempt
    cause = failure.cause
    remedy = failure.remedy
  }

  var failure: Failure { Failure(kind, attempt, cause: cause, remedy: remedy) }
}

extension TrialOutcome {
  /// That were shown, or where none was to be, decoded.
  var frames: Int { counters[.presented] ?? counters[.decodedFrames] ?? 0 }

  /// Of a trial that could not begin.
  init(failing failure: Failure) {
    self.init(
      isComplete: false, samples: [:], counters: [:], phases: [:], histograms: [:], segments: [], facts: TrialFacts(),
      failure: FailureDescription(failure))
  }
}
