import FoundationEssentials
import Frames
import GPU
import Glibc
import Playback
import Verdict

/// Collects each frame's timeline in a trial. Exists only if a trace was requested; main thread only.
///
/// No allocation per frame: the list doubles when it is full.
final class TraceLog {
  private var frames: [FrameTrace] = []
  private var phases: [TrialTrace.Phase] = []
  private var gpuClock: TrialTrace.GPUClock?
  /// When the stream was opened that is played.
  var streamOpened: MonotonicTime?
  var sound = TrialTrace.Sound()
  private var finishedFrames = 0
  private var lastCompletion: MonotonicTime?

  /// The trial's current stage while it writes the trace.
  static let writing = "write the trace"

  init() {
    frames.reserveCapacity(4096)
  }

  /// The trial's next frame; later events refer to it.
  func begin(_ frame: VideoFrame) {
    frames.append(FrameTrace(index: frames.count, presentationTime: frame.presentationTime))
  }

  /// The next frame of the trial, just decoded.
  func decoded(_ frame: VideoFrame) {
    begin(frame)
    let timing = frame.timing
    let last = frames.count - 1
    if let started = timing.readStarted {
      frames[last].decoding.demux = TimeSpan(started, milliseconds: timing.demuxMilliseconds)
    }
    if let sent = timing.packetSent, let received = timing.received {
      frames[last].decoding.decode = TimeSpan(sent, received)
    }
    frames[last].decoding.latencyMilliseconds = timing.decodeLatencyMilliseconds
  }

  /// The frame was taken from the queue just now.
  func taken(_ frame: VideoFrame, leaving depth: Int) {
    frames[frames.count - 1].queueing.depth = depth
    if let queued = frame.timing.queued { frames[frames.count - 1].queueing.span = TimeSpan(queued, .now) }
  }

  func shows(_ number: Int?) {
    shows(number, at: frames.count - 1)
  }

  func shows(_ number: Int?, at index: Int) {
    guard frames.indices.contains(index) else { return }
    frames[index].numberShown = number
  }

  /// The GPU completed its next pending frame: frames complete in order.
  func finished(_ view: FrameRing.Finished) {
    guard finishedFrames < frames.count else { return }
    finish(finishedFrames, view)
    finishedFrames += 1
  }

  /// A frame was taken from the queue and drawn; earlier frames not drawn by now never will be.
  func presented(_ index: Int, _ view: FrameRing.Finished, taken: MonotonicTime, leaving depth: Int) {
    guard frames.indices.contains(index) else { return }
    if let queued = view.frame.timing.queued { frames[index].queueing.span = TimeSpan(queued, taken) }
    frames[index].queueing.depth = depth
    finish(index, view)
  }

  /// Sets when each frame was on the display, start and end; the last one stays for one refresh.
  func seen(_ views: [SeenView], period: MediaTime) {
    let firsts = views.filter { $0.isNew && frames.indices.contains($0.frame) }
    for (view, next) in zip(firsts, firsts.dropFirst().map(Optional.some) + [nil]) {
      let end = next?.seen ?? MonotonicTime(nanoseconds: view.seen.nanoseconds + period.nanoseconds)
      frames[view.frame].display.present = TimeSpan(view.seen, end)
    }
  }

  /// Dropped or skipped frames, and when each was due.
  func fates(_ fates: [PlayLog.Fated]) {
    for fated in fates where frames.indices.contains(fated.frame.index) && fated.due.nanoseconds > 0 {
      let reason: FrameTrace.Unseen.Reason? =
        switch fated.fate {
        case .dropped: .dropped
        case .skipped: .skipped
        default: nil
        }
      frames[fated.frame.index].display.unseen = reason.map { .init($0, due: fated.due) }
    }
  }

  private func finish(_ index: Int, _ view: FrameRing.Finished) {
    if view.upload == .copy {
      frames[index].upload.span = TimeSpan(view.uploadStarted, milliseconds: view.uploadMilliseconds)
    }
    frames[index].upload.milliseconds = view.uploadMilliseconds
    frames[index].flight = TimeSpan(view.submitted, view.completed)
    frames[index].gpu.upload = view.instants?.upload
    frames[index].gpu.render = view.instants?.render
    frames[index].gpu.uploadMilliseconds = view.uploadGPUMilliseconds
    frames[index].gpu.renderMilliseconds = view.renderGPUMilliseconds
    frames[index].display.intervalMilliseconds = lastCompletion.map { view.completed.milliseconds(since: $0) }
    lastCompletion = view.completed
    if let instants = view.instants { gpuClock = instants.isCalibrated ? .calibrated : .placed }
  }

  func phase(_ name: String, _ span: TimeSpan) {
    phases.append(TrialTrace.Phase(name: name, span: span))
  }

  /// Writes the frames, several per line, then one line with the rest; calls `tick` before each line.
  func write(to path: String, _ tick: () -> Void) throws {
    let file = try OpenFile(writing: path)
    let encoder = JSONEncoder()
    func put(_ line: TraceLine) throws {
      tick()
      try file.write(encoder.encode(line) + [UInt8(ascii: "\n")])
    }
    for start in stride(from: 0, to: frames.count, by: 5000) {
      try put(TraceLine(frames: Array(frames[Range(from: start, to: min(start + 5000, frames.count))])))
    }
    try put(TraceLine(phases: phases, gpuClock: gpuClock, streamOpened: streamOpened, sound: sound))
  }
}

extension Trial {
  /// Sends the frames' timelines to the parent, if requested. A failure here loses no measurement.
  func writeTrace() {
    guard let trace, let path = request.traceFile else { return }
    do {
      try trace.write(to: path) { stage(TraceLog.writing) }
    } catch {
      facts.warnings.append(
        .init(
          code: .traceLost, text: "the trace of a trial could not be kept: \(reason(of: error))",
          remedy: "set TMPDIR to a folder with enough space"))
    }
  }
}

/// A part of a trial's trace on its way to the parent.
private struct TraceLine: Codable {
  var frames: [FrameTrace] = []
  var phases: [TrialTrace.Phase] = []
  var gpuClock: TrialTrace.GPUClock?
  var streamOpened: MonotonicTime?
  var sound: TrialTrace.Sound?
}

/// An unnamed file through which a trial passes its trace, or its events: the kernel removes it when the processes end.
final class TrialSpool {
  private let file: FileDescriptor

  init() throws(Failure) {
    var template = Array((temporaryFolder + "bench360-trial-XXXXXX").utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else {
      throw Failure(
        .output, "cannot keep what a trial tells", cause: "no file can be made in '\(temporaryFolder)'",
        remedy: "set TMPDIR to a folder that can be written")
    }
    unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    file = FileDescriptor(owning: descriptor)
  }

  /// The path by which other processes of this user open it.
  var path: String { "/proc/\(getpid())/fd/\(file.rawValue)" }

  /// What the trial wrote.
  var contents: Data { (try? OpenFile(reading: path).read()).map { Data($0) } ?? Data() }

  /// The trace that the trial wrote, as far as it is complete.
  func trace(_ job: Job, number: Int, of total: Int, isComplete: Bool) -> TrialTrace {
    var trace = TrialTrace(
      scenario: job.scenario.name, variant: job.variant, number: number, total: total, isComplete: isComplete,
      frames: [])
    for line in contents.split(separator: UInt8(ascii: "\n")) {
      guard let part = try? JSONDecoder().decode(TraceLine.self, from: line) else { continue }
      trace.frames += part.frames
      trace.phases += part.phases
      trace.gpuClock = part.gpuClock ?? trace.gpuClock
      trace.streamOpened = part.streamOpened ?? trace.streamOpened
      trace.sound = part.sound ?? trace.sound
    }
    return trace
  }
}
