import Foundation
import Frames
import GPU
import Glibc
import Playback
import Verdict

/// Collects where each frame of a trial was when. Exists only where somebody asked for it; used by the main thread.
///
/// Nothing is allocated per frame: the list doubles when it is full.
final class TraceLog {
  private var frames: [FrameTrace] = []
  private var phases: [TrialTrace.Phase] = []
  private var gpuClock: TrialTrace.GPUClock?
  private var finishedFrames = 0
  private var lastCompletion: MonotonicTime?

  /// The stage that a trial is in while it writes this.
  static let writing = "write the trace"

  init() {
    frames.reserveCapacity(4096)
  }

  /// The next frame of the trial; what follows speaks of it.
  func begin(_ frame: VideoFrame) {
    frames.append(FrameTrace(index: frames.count, presentationTime: frame.presentationTime))
  }

  /// The next frame of the trial, just decoded.
  func decoded(_ frame: VideoFrame) {
    begin(frame)
    let timing = frame.timing
    let last = frames.count - 1
    if let started = timing.readStarted {
      frames[last].demux = TimeSpan(started, milliseconds: timing.demuxMilliseconds)
    }
    if let sent = timing.packetSent, let received = timing.received {
      frames[last].decode = TimeSpan(sent, received)
    }
    frames[last].decodeLatencyMilliseconds = timing.decodeLatencyMilliseconds
  }

  /// It was taken from the queue just now.
  func taken(_ frame: VideoFrame, leaving depth: Int) {
    frames[frames.count - 1].queueDepth = depth
    if let queued = frame.timing.queued { frames[frames.count - 1].queue = TimeSpan(queued, .now) }
  }

  func shows(_ number: Int?) {
    shows(number, at: frames.count - 1)
  }

  func shows(_ number: Int?, at index: Int) {
    guard frames.indices.contains(index) else { return }
    frames[index].numberShown = number
  }

  /// The GPU is done with the next frame that it was not done with: it keeps their order.
  func finished(_ view: FrameRing.Finished) {
    guard finishedFrames < frames.count else { return }
    finish(finishedFrames, view)
    finishedFrames += 1
  }

  /// A frame was taken from the queue and drawn; those before it that were not never will be.
  func presented(_ index: Int, _ view: FrameRing.Finished, taken: MonotonicTime, leaving depth: Int) {
    guard frames.indices.contains(index) else { return }
    if let queued = view.frame.timing.queued { frames[index].queue = TimeSpan(queued, taken) }
    frames[index].queueDepth = depth
    finish(index, view)
  }

  /// From when to when each frame was on the display; the last one for a refresh.
  func seen(_ views: [SeenView], period: MediaTime) {
    let firsts = views.filter { $0.isNew && frames.indices.contains($0.frame) }
    for (view, next) in zip(firsts, firsts.dropFirst().map(Optional.some) + [nil]) {
      let end = next?.seen ?? MonotonicTime(nanoseconds: view.seen.nanoseconds + period.nanoseconds)
      frames[view.frame].present = TimeSpan(view.seen, end)
    }
  }

  /// What was dropped or skipped, and when it should have been seen.
  func fates(_ fates: [PlayLog.Fated]) {
    for fated in fates where frames.indices.contains(fated.frame.index) && fated.due.nanoseconds > 0 {
      let reason: FrameTrace.Unseen.Reason? =
        switch fated.fate {
        case .dropped: .dropped
        case .skipped: .skipped
        default: nil
        }
      frames[fated.frame.index].unseen = reason.map { .init($0, due: fated.due) }
    }
  }

  private func finish(_ index: Int, _ view: FrameRing.Finished) {
    if view.upload == .copy {
      frames[index].upload = TimeSpan(view.uploadStarted, milliseconds: view.uploadMilliseconds)
    }
    frames[index].uploadMilliseconds = view.uploadMilliseconds
    frames[index].flight = TimeSpan(view.submitted, view.completed)
    frames[index].gpuUpload = view.instants?.upload
    frames[index].gpuRender = view.instants?.render
    frames[index].gpuUploadMilliseconds = view.uploadGPUMilliseconds
    frames[index].gpuRenderMilliseconds = view.renderGPUMilliseconds
    frames[index].intervalMilliseconds = lastCompletion.map { view.completed.milliseconds(since: $0) }
    lastCompletion = view.completed
    if let instants = view.instants { gpuClock = instants.isCalibrated ? .calibrated : .placed }
  }

  func phase(_ name: String, _ span: TimeSpan) {
    phases.append(TrialTrace.Phase(name: name, span: span))
  }

  /// Writes all of it, some frames a line, the rest in the last line; calls `tick` now and then.
  func write(to path: String, _ tick: () -> Void) throws {
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    let encoder = JSONEncoder()
    func put(_ line: TraceLine) throws {
      tick()
      try file.write(contentsOf: encoder.encode(line) + [UInt8(ascii: "\n")])
    }
    for start in stride(from: 0, to: frames.count, by: 5000) {
      try put(TraceLine(frames: Array(frames[start..<min(start + 5000, frames.count)])))
    }
    try put(TraceLine(phases: phases, gpuClock: gpuClock))
    try file.close()
  }
}

extension Trial {
  /// Tells the parent where each frame was when, if it asked. Losing that loses no measurement.
  func writeTrace() {
    guard let trace, let path = request.traceFile else { return }
    do {
      try trace.write(to: path) { stage(TraceLog.writing) }
    } catch {
      facts.warnings.append(
        .init(
          code: .traceLost, text: "the trace of a trial could not be kept: \(error.localizedDescription)",
          remedy: "set TMPDIR to a folder with enough space"))
    }
  }
}

/// A part of a trial's trace on its way to the parent.
private struct TraceLine: Codable {
  var frames: [FrameTrace] = []
  var phases: [TrialTrace.Phase] = []
  var gpuClock: TrialTrace.GPUClock?
}

/// A file without a name through which a trial hands over its trace: whatever ends either process, none is left behind.
final class TraceSpool {
  private let file: FileHandle

  init() throws(Failure) {
    var template = Array((NSTemporaryDirectory() + "bench360-trace-XXXXXX").utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else {
      throw Failure(
        .output, "cannot keep a trace", cause: "no file can be made in '\(NSTemporaryDirectory())'",
        remedy: "set TMPDIR to a folder that can be written")
    }
    unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// As other processes of this user find it.
  var path: String { "/proc/\(getpid())/fd/\(file.fileDescriptor)" }

  /// What the trial wrote, as far as it came.
  func trace(_ job: Job, number: Int, of total: Int, isComplete: Bool) -> TrialTrace {
    var trace = TrialTrace(
      scenario: job.scenario.name, variant: job.variant, number: number, total: total, isComplete: isComplete,
      frames: [])
    try? file.seek(toOffset: 0)
    let data = (try? file.readToEnd()) ?? Data()
    for line in data.split(separator: UInt8(ascii: "\n")) {
      guard let part = try? JSONDecoder().decode(TraceLine.self, from: line) else { continue }
      trace.frames += part.frames
      trace.phases += part.phases
      trace.gpuClock = part.gpuClock ?? trace.gpuClock
    }
    return trace
  }
}
