import FoundationEssentials
import Frames

/// The timeline of every frame, in the trace-event format that Perfetto and Chrome's tracing page open.
///
/// A process per trial, and in it a thread per stage. Events of one thread may nest but not overlap: where frames overlap
/// in a stage, as in a decoder with frame threads, the stage has several threads, numbered, and each frame takes the first
/// free one. A dropped or skipped frame is an instant on a thread of its own; the depth of the queue, and how late the
/// sound is, are counters. The format: <https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU>.
public enum ChromeTrace {
  /// Writes the whole trace or nothing, as for a record.
  public static func write(_ trials: [TrialTrace], of record: Record, to path: String) throws(Failure) {
    try RecordFile.write(called: "trace", option: "--trace", to: path) { put in
      try pieces(trials, of: record, put)
    }
  }

  /// The same in memory.
  public static func text(_ trials: [TrialTrace], of record: Record) -> String {
    var text = ""
    pieces(trials, of: record) { text += $0 }
    return text
  }

  private static func pieces(
    _ trials: [TrialTrace], of record: Record, _ put: (String) throws -> Void
  ) rethrows {
    let origin = trials.compactMap(\.start).min() ?? MonotonicTime(nanoseconds: 0)
    try put("{\"displayTimeUnit\":\"ms\",\"metadata\":\(metadata(trials, record, origin)),\n\"traceEvents\":[")
    var separator = "\n"
    for (position, trial) in trials.enumerated() {
      let scenario = record.scenarios.first { $0.name == trial.scenario && $0.variant == trial.variant }
      let events = TraceEvents(
        trial, process: position + 1, origin: origin, presents: scenario?.presentSource != nil,
        stream: StreamTrace(trial, scenario))
      try events.write { event in
        try put(separator + event)
        separator = ",\n"
      }
    }
    try put("\n]}\n")
  }

  private struct Metadata: Encodable {
    var version: String
    var commit: String
    var created: String
    var complete: Bool
    var clip: String
    var scenarios: [String]
    var device: String?
    var clock: String
    var originNanoseconds: Int64
    var gpuTimes: String?
  }

  private static func metadata(_ trials: [TrialTrace], _ record: Record, _ origin: MonotonicTime) -> String {
    let clocks = trials.compactMap(\.gpuClock)
    let gpuTimes: String? =
      clocks.isEmpty
      ? nil
      : clocks.contains(.placed)
        ? "placed: the driver does not say how its clock and the CPU's agree, so each draw is taken to end when its "
          + "completion was noticed"
        : "calibrated: the driver reads its clock together with CLOCK_MONOTONIC"
    return json(
      Metadata(
        version: record.build.version, commit: record.build.commit, created: record.created, complete: record.complete,
        clip: record.input.name, scenarios: record.scenarios.map { $0.title }, device: record.environment.device?.name,
        clock: "CLOCK_MONOTONIC", originNanoseconds: origin.nanoseconds, gpuTimes: gpuTimes))
  }
}

/// JSON on one line. Encoding texts and whole numbers cannot fail.
private func json(_ value: some Encodable) -> String {
  (try? JSONText.encode(value, keys: .convertToSnakeCase)) ?? "null"
}

/// The events of one trial.
private struct TraceEvents {
  private let trial: TrialTrace
  private let process: Int
  private let origin: MonotonicTime
  private let presents: Bool
  private let stream: StreamTrace

  init(_ trial: TrialTrace, process: Int, origin: MonotonicTime, presents: Bool, stream: StreamTrace) {
    self.stream = stream
    self.trial = trial
    self.process = process
    self.origin = origin
    self.presents = presents
  }

  func write(_ put: (String) throws -> Void) rethrows {
    let name = trial.variant.map { "\(trial.scenario)/\($0)" } ?? trial.scenario
    let title = "\(name) \(trial.number)/\(trial.total)" + (trial.isComplete ? "" : " (cut short)")
    try put(label("process_name", thread: nil, "\"name\":\(json(title))"))
    try put(label("process_sort_index", thread: nil, "\"sort_index\":\(process)"))
    var thread = process * Track.threadsPerProcess
    for (name, slices) in Track.allCases.map({ ($0.rawValue, slices($0)) }) + stream.clientTracks {
      let lanes = Lane.fill(slices)
      for (number, lane) in lanes.enumerated() {
        thread += 1
        let name = lanes.count > 1 ? "\(name) \(number + 1)" : name
        try put(label("thread_name", thread: thread, "\"name\":\"\(name)\""))
        try put(label("thread_sort_index", thread: thread, "\"sort_index\":\(thread)"))
        for slice in lane.slices { try put(event(slice, thread: thread)) }
      }
    }
    for counter in stream.counters {
      try put(
        "{\"ph\":\"C\",\"pid\":\(process),\"ts\":\(microseconds(counter.instant)),\"name\":\"\(counter.name)\","
          + "\"args\":{\"\(counter.unit)\":\(roundedForRecord(counter.value))}}")
    }
    for frame in trial.frames {
      guard let depth = frame.queueing.depth, let taken = frame.queueing.span?.end else { continue }
      try put(
        "{\"ph\":\"C\",\"pid\":\(process),\"ts\":\(microseconds(taken)),\"name\":\"\(Metric.queueDepth.name)\","
          + "\"args\":{\"frames\":\(depth)}}")
    }
    for offset in trial.sound.offsets {
      try put(
        "{\"ph\":\"C\",\"pid\":\(process),\"ts\":\(microseconds(offset.instant)),\"name\":\"\(Metric.avSync.name)\","
          + "\"args\":{\"ms\":\(roundedForRecord(offset.milliseconds))}}")
    }
  }

  private func label(_ name: String, thread: Int?, _ argument: String) -> String {
    let thread = thread.map { "\"tid\":\($0)," } ?? ""
    return "{\"ph\":\"M\",\"pid\":\(process),\(thread)\"name\":\"\(name)\",\"args\":{\(argument)}}"
  }

  private func event(_ slice: Slice, thread: Int) -> String {
    let (phase, length) =
      slice.isInstant
      ? ("\"ph\":\"i\",\"s\":\"t\"", "") : ("\"ph\":\"X\"", "\"dur\":\(decimal(slice.span.nanoseconds, places: 3)),")
    return "{\(phase),\"pid\":\(process),\"tid\":\(thread),\"ts\":\(microseconds(slice.span.start)),\(length)"
      + "\"name\":\"\(slice.name)\",\"cat\":\"\(trial.scenario)\",\"args\":{\(arguments(slice))}}"
  }

  private func arguments(_ slice: Slice) -> String {
    guard let position = slice.frame else { return "" }
    let frame = trial.frames[position]
    var text = "\"frame\":\(frame.index),\"pts\":\(decimal(frame.presentationTime.nanoseconds, places: 9))"
    if let number = frame.numberShown { text += ",\"number\":\(number)" }
    if let metric = slice.metric, let value = slice.value { text += ",\"\(metric.name)\":\(roundedForRecord(value))" }
    return text
  }

  private func microseconds(_ time: MonotonicTime) -> String {
    decimal(time.nanoseconds - origin.nanoseconds, places: 3)
  }

  /// The events on one track.
  private func slices(_ track: Track) -> [Slice] {
    if track == .phases { return trial.phases.map { Slice(name: $0.name, span: $0.span) } }
    if track == .sound { return trial.sound.stretches.map { Slice(name: $0.name, span: $0.span) } }
    if let slices = stream.slices[track] { return slices }
    return trial.frames.indices.flatMap { index -> [Slice] in
      let frame = trial.frames[index]
      func slice(_ name: String, _ span: TimeSpan?, _ metric: Metric? = nil, _ value: Double? = nil) -> Slice? {
        span.map { Slice(name: name, span: $0, frame: index, metric: metric, value: value) }
      }
      let found: [Slice?] =
        switch track {
        case .phases, .states, .rungs, .requests, .sound: []
        case .demux: [slice("demux", frame.decoding.demux)]
        case .decode: [slice("decode", frame.decoding.decode, .decodeLatency, frame.decoding.latencyMilliseconds)]
        case .queue: [slice("queue", frame.queueing.span)]
        case .upload: [slice("upload", frame.upload.span, .uploadCPU, frame.upload.milliseconds)]
        case .flight: [slice("in flight", frame.flight)]
        case .gpu:
          [
            slice("upload", frame.gpu.upload, .uploadGPU, frame.gpu.uploadMilliseconds),
            slice("render", frame.gpu.render, .renderGPU, frame.gpu.renderMilliseconds),
          ]
        case .unseen:
          [
            frame.display.unseen.map {
              Slice(
                name: $0.reason.rawValue, span: TimeSpan($0.due, $0.due), isInstant: true, frame: index,
                metric: .frameInterval, value: frame.display.intervalMilliseconds)
            }
          ]
        // A picture that was drawn and then overtaken is never presented.
        case .present where frame.display.unseen != nil: []
        case .present:
          [
            frame.display.present.map {
              Slice(
                name: "present", span: $0, frame: index, metric: .frameInterval,
                value: frame.display.intervalMilliseconds)
            }
              ?? (presents
                ? frame.flight.map {
                  Slice(
                    name: "present", span: TimeSpan($0.end, $0.end), isInstant: true, frame: index,
                    metric: .frameInterval, value: frame.display.intervalMilliseconds)
                } : nil)
          ]
        }
      return found.compactMap { $0 }
    }
  }
}

/// Slices of one track that do not overlap, in the order of their start.
private struct Lane {
  var slices: [Slice]

  /// The minimum number of lanes.
  static func fill(_ slices: [Slice]) -> [Lane] {
    var lanes: [Lane] = []
    for slice in slices.sorted(by: { ($0.span.start, $0.span.end) < ($1.span.start, $1.span.end) }) {
      let free = lanes.firstIndex { ($0.slices.last?.span.end ?? slice.span.start) <= slice.span.start }
      if let free { lanes[free].slices.append(slice) } else { lanes.append(Lane(slices: [slice])) }
    }
    return lanes
  }
}

/// A whole number of `10^-places`, exactly, without zeros at its end.
func decimal(_ value: Int64, places: Int) -> String {
  let digits = String(value.magnitude)
  let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
  let fraction = padded.suffix(places)
  let kept = fraction.lastIndex { $0 != "0" }.map { "." + fraction[...$0] } ?? ""
  return (value < 0 ? "-" : "") + padded.dropLast(places) + kept
}
