import Decode
import Frames
import TestPicture
import Verdict

/// libavcodec alone, unpaced: the upper limit for all other scenarios.
struct DecodeScenario: MeasuredScenario {
  let suites = Suite.each([nil])

  func run(_ trial: Trial) throws(Failure) {
    trial.stage("open")
    let reader = try FrameReader(
      path: trial.request.input, options: trial.request.settings.decoder, interruption: trial.interruption)
    trial.add(reader)
    defer { trial.add(reader) }
    trial.stage("decode")
    var truth = FrameTruth(reader.info.synthetic)
    var pace = DecodePace(groupSize: reader.decoder.threads)
    let target = trial.frameTarget(rate: reader.info.video.frameRate.value ?? 25)
    while !trial.shouldStop, !trial.hasEnough(pace.frames, of: target, seconds: pace.seconds) {
      guard let frame = try trial.next(reader.next) else {
        if !trial.shouldStop { try reader.rewind() }
        continue
      }
      pace.add(frame)
      trial.add(frame.timing)
      trial.trace?.decoded(frame)
      let shown = truth?.check(frame)
      trial.trace?.shows(shown)
      trial.facts.add(conversionOf: frame)
      trial.progress(Double(pace.frames) / Double(target))
    }
    for group in pace.groups { trial.add(.decodeService, group) }
    trial.add(.decodeFPS, pace.framesPerSecond)
    trial.add(.steadyFPS, pace.steadyFramesPerSecond)
    trial.add(.firstDecode, pace.firstMilliseconds)
    if let coded = reader.codedFrames {
      trial.count(.codedFrames, coded.all)
      trial.count(.hiddenFrames, coded.hidden)
    }
    trial.add(.decoderDelay, reader.decoderDelayFrames.map(Double.init))
    trial.add(truth)
    trial.addDamage(reader.damagedPackets)
  }
}

/// Frames per second from the first packet sent to the last frame out, and the time a group of frames takes.
///
/// Frame threads emit frames in bursts of up to one per thread: single intervals would be meaningless.
package struct DecodePace {
  package private(set) var frames = 0
  package private(set) var groups: [Double] = []
  private let groupSize: Int
  private var first: MonotonicTime?
  private var firstOut: MonotonicTime?
  private var last: MonotonicTime?
  private var groupStart: MonotonicTime?

  package init(groupSize: Int) {
    self.groupSize = max(1, groupSize)
  }

  package mutating func add(_ frame: VideoFrame) {
    guard let received = frame.timing.received else { return }
    if first == nil { (first, firstOut) = (frame.timing.packetSent ?? received, received) }
    frames += 1
    last = received
    if frames % groupSize == 0 {
      if let groupStart { groups.append(received.milliseconds(since: groupStart) / Double(groupSize)) }
      groupStart = received
    }
  }

  package var seconds: Double {
    guard let first, let last else { return 0 }
    return last.seconds(since: first)
  }

  /// First packet sent → first frame out.
  package var firstMilliseconds: Double? {
    guard let first, let firstOut else { return nil }
    return firstOut.milliseconds(since: first)
  }

  /// After the first frame, with which the others of its decoder's threads come.
  package var steadyFramesPerSecond: Double? {
    guard let firstOut, let last, last > firstOut else { return nil }
    return Double(frames - 1) / last.seconds(since: firstOut)
  }

  package var framesPerSecond: Double? { seconds > 0 ? Double(frames) / seconds : nil }
}

extension Trial {
  /// A decoded frame came.
  func add(_ timing: FrameTiming) {
    count(.decodedFrames)
    add(.demux, timing.demuxMilliseconds)
    add(.decodeLatency, timing.decodeLatencyMilliseconds)
    add(.bring, timing.bringMilliseconds)
  }

  func addDamage(_ packets: Int) {
    guard packets > 0 else { return }
    facts.warnings.append(
      .init(
        code: .damagedPackets, text: "the decoder rejected packets of the clip",
        remedy: "measure with an undamaged clip"))
  }
}
