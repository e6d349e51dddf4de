internal import CFFmpeg
import Frames
import Media

/// The samples of one track of sound, one frame after the other: libavformat and libavcodec read them, libswresample brings them
/// to one format.
///
/// Gapless: an encoder's delay and padding are left out, gaps between stamps are silence, overlaps are left out. Stamps that jump by
/// more than ten seconds begin anew, at the time that they tell. What cannot be decoded is silence, and counted.
///
/// One thread at a time, and `interruption` from any. It has a position of its own in the clip's bytes. Reading a file blocks; the sound of
/// a stream is read from what is loaded, and `isStarving` says where that ends.
public final class AudioReader {
  public let track: AudioTrack
  /// Of all frames.
  public let format: SoundFormat
  public private(set) var counts = Counts()
  private let packets: any SoundPackets
  private let packet: UnsafeMutablePointer<AVPacket>
  /// Nil before the first packet of a stream.
  private var decoder: AudioDecoder?
  private var converter: AudioConverter?
  private var clock = SampleClock()
  /// Samples of the decoder's frame that are to be converted.
  private var held: Range<Int> = 0..<0
  /// Behind samples that were converted before them.
  private var waiting: [Piece] = []
  /// The samples that follow each other from a time on.
  private var run: (start: MediaTime, count: Int) = (.zero, 0)
  /// Samples before it are left out.
  private var target: MediaTime?
  private var lostUntil: MediaTime?
  private var isOver = false
  /// The last `next` gave nil because what follows is not loaded yet: ask again later. Never so for files.
  public private(set) var isStarving = false

  /// The faults of a track, since it was opened.
  public struct Counts: Sendable, Hashable {
    /// They could not be decoded, and silence is in their place.
    public var damagedPackets = 0
    /// Sample frames of silence that are in no packet.
    public var silentSampleFrames = 0
    /// How often stamps began anew.
    public var jumps = 0
  }

  private enum Piece {
    case samples([Float], MediaTime)
    case silence(Int, MediaTime)
  }

  /// Packets of more are taken for damaged ones.
  private static let byteLimit = 8 << 20
  /// Sample rates that can be asked for.
  public static let sampleRates = 8000...192_000

  /// Begins a track, at its first sample.
  ///
  /// Throws `.unsupported` for one that cannot be played, `.usage` for a rate out of `sampleRates`, and what opening the clip's
  /// bytes fails with.
  ///
  /// - Parameters:
  ///   - sampleRate: of the frames.
  ///   - layout: of the frames; nil: the track's own, or stereo where it has none of ours.
  public init(
    _ track: AudioTrack, of clip: ProbedClip, sampleRate: Int, layout: SoundLayout? = nil,
    interruption: Interruption = Interruption()
  ) throws(Failure) {
    let attempt = "cannot play the sound of '\(clip.info.path)'"
    format = try Self.format(track, sampleRate, layout, attempt)
    let packets = try AudioPackets(clip, stream: track.streamIndex, attempt: attempt, interruption)
    if let stream = packets.stream {
      decoder = try AudioDecoder(stream, timeBase: packets.timeBase, attempt: attempt)
    }
    guard let packet = av_packet_alloc() else { throw Failure(.failed, attempt, cause: "out of memory") }
    (self.track, self.packet, self.packets) = (track, packet, packets)
  }

  /// The same for a track of a stream. Waits for nothing: what is loaded is decoded.
  ///
  /// Throws `.unsupported` and `.usage` as for files; what loading fails with is thrown by `next`.
  package init(
    _ track: AudioTrack, of packets: any SoundPackets, sampleRate: Int, layout: SoundLayout? = nil
  ) throws(Failure) {
    let attempt = "cannot play the sound of '\(packets.path)'"
    format = try Self.format(track, sampleRate, layout, attempt)
    guard let packet = av_packet_alloc() else { throw Failure(.failed, attempt, cause: "out of memory") }
    (self.track, self.packet, self.packets) = (track, packet, packets)
  }

  private static func format(
    _ track: AudioTrack, _ sampleRate: Int, _ layout: SoundLayout?, _ attempt: String
  ) throws(Failure) -> SoundFormat {
    if let refusal = track.refusal { throw Failure(.unsupported, attempt, cause: refusal) }
    guard sampleRates.contains(sampleRate) else {
      throw Failure(
        .usage, attempt, cause: "\(sampleRate) samples per second were asked for",
        remedy: "use \(sampleRates.lowerBound) to \(sampleRates.upperBound)")
    }
    return SoundFormat(sampleRate: sampleRate, layout: layout ?? track.layout ?? .stereo)
  }

  deinit {
    var freed: UnsafeMutablePointer<AVPacket>? = packet
    av_packet_free(&freed)
  }

  /// The next samples, at least one and for less than a second or two; nil at the end, and where `isStarving` then says so.
  ///
  /// Times count from the video's first frame, and are negative for sound from before it. Throws `.cancelled` once reading was
  /// stopped or took too long.
  public func next() throws(Failure) -> AudioFrame? {
    isStarving = false
    while true {
      if let frame = try step(), let kept = trimmed(frame) { return kept }
      if isStarving || isOver && waiting.isEmpty { return nil }
    }
  }

  /// Whether samples from a time on can be read without waiting.
  public func readiness(at time: MediaTime) -> SoundReadiness { packets.readiness(at: time) }

  /// Goes on at `target`: the next frame begins there, or with the first sample behind it. Rounded stamps, such as Matroska's
  /// milliseconds, are all that tells where that is.
  ///
  /// After a failure, another seek may succeed; `next` goes on somewhere. Throws as `next` does.
  public func seek(to target: MediaTime) throws(Failure) {
    (clock, held, waiting, converter) = (SampleClock(), 0..<0, [], nil)
    (lostUntil, isOver, isStarving, self.target) = (nil, false, false, target)
    decoder?.flush()
    try packets.seek(to: target)
    try fitDecoder()
  }

  // MARK: - Steps

  /// One step of reading, with or without a result.
  private func step() throws(Failure) -> AudioFrame? {
    if let frame = takeWaiting() { return frame }
    if !held.isEmpty { return convert() }
    guard !isOver else { return nil }
    switch decoder?.receive() ?? .needsInput {
    case .frame: place()
    case .needsInput: try feed()
    case .ended: end()
    case .damaged: counts.damagedPackets += 1
    }
    return nil
  }

  private func takeWaiting() -> AudioFrame? {
    switch waiting.first {
    case nil: return nil
    case .samples(let samples, let time):
      waiting.removeFirst()
      return AudioFrame(presentationTime: time, format: format, samples: samples)
    case .silence(let count, let time):
      let taken = min(count, AudioConverter.chunk)
      waiting.removeFirst()
      if taken < count { waiting.insert(.silence(count - taken, time + format.duration(of: taken)), at: 0) }
      let samples = [Float](repeating: 0, count: taken * format.channelCount)
      return AudioFrame(presentationTime: time, format: format, samples: samples)
    }
  }

  private func convert() -> AudioFrame? {
    guard let converter, let decoder else {
      held = 0..<0
      return nil
    }
    let range = held.prefix(converter.step)
    held = Range(from: range.upperBound, to: held.upperBound)
    let samples = converter.convert(decoder.frame, range)
    guard !samples.isEmpty else { return nil }
    return AudioFrame(presentationTime: takeTime(of: samples), format: format, samples: samples)
  }

  private func takeTime(of samples: [Float]) -> MediaTime {
    defer { run.count += samples.count / format.channelCount }
    return runEnd
  }

  private var runEnd: MediaTime { run.start + format.duration(of: run.count) }

  /// The decoder gave a frame: where does it belong?
  private func place() {
    guard let frame = decoder?.frame else { return }
    let (count, rate) = (Int(frame.pointee.nb_samples), Int(frame.pointee.sample_rate))
    guard count > 0, AudioTrack.sampleRates.contains(rate), 1...64 ~= frame.pointee.ch_layout.nb_channels else {
      counts.damagedPackets += 1
      return
    }
    let stamp = optionalStamp(frame.pointee.best_effort_timestamp).map { packets.time(of: $0) }
    let isSeam = stamp.map { packets.takeSeam(at: $0) } ?? false
    // After a seek, MPEG's parsers may begin inside a frame: decoders then find one there that never was.
    if target != nil, let stamp, clock.contradicts(stamp, rate: rate) { clock = SampleClock() }
    let isFirst = clock.next == nil
    let place = clock.place(stamp, samples: count, rate: rate, isSeam: isSeam)
    guard let next = clock.next else { return }
    let start = next - MediaTime(ticks: Int64(count), timeBase: Ratio(1, Int32(clamping: rate)))
    held = 0..<count
    switch place {
    case .goesOn(let dropped):
      held = Range(from: dropped, to: count)
      guard converter?.fits(frame) != true else { return }
      finishRun()
      run = (next - MediaTime(ticks: Int64(held.count), timeBase: Ratio(1, Int32(clamping: rate))), 0)
    case .afterGap:
      finishRun()
      addSilence(until: start)
      run = (start, 0)
    case .start:
      finishRun()
      run = (start, 0)
      if !isFirst {
        counts.jumps += 1
        target = nil
      }
    }
    converter = AudioConverter(frame, to: format, track: track.layout, map: track.channelMap)
    if converter == nil { counts.damagedPackets += 1 }
  }

  /// What the resampler keeps back belongs to the samples before.
  private func finishRun() {
    guard let samples = converter?.finish() else { return }
    converter = nil
    if !samples.isEmpty { waiting.append(.samples(samples, takeTime(of: samples))) }
  }

  private func addSilence(until time: MediaTime) {
    let count = format.sampleFrames(in: time - runEnd)
    guard count > 0 else { return }
    waiting.append(.silence(count, runEnd))
    if target.map({ time > $0 }) ?? true { counts.silentSampleFrames += count }
  }

  private func feed() throws(Failure) {
    switch try packets.read(into: packet) {
    case .packet: break
    case .notYet:
      isStarving = true
      return
    case .ended:
      guard let decoder else { return end() }
      _ = decoder.send(nil)
      return
    }
    defer { av_packet_unref(packet) }
    try fitDecoder()
    guard let decoder, packet.pointee.size > Self.byteLimit || !decoder.send(packet) else { return }
    let end = packets.end(of: packet)
    // Before the place that is sought, decoders lack what they need.
    if let target, let end, end <= target { return }
    counts.damagedPackets += 1
    // Matroska does not say how long its last packet lasts.
    lostUntil = packet.pointee.duration > 0 ? end : end.map { $0 + clock.lastDuration }
  }

  private func fitDecoder() throws(Failure) {
    guard let stream = packets.stream, !(decoder.map { fits($0, stream.pointee.codecpar.pointee) } ?? false) else {
      return
    }
    decoder = try AudioDecoder(stream, timeBase: packets.timeBase, attempt: "cannot play all of the sound")
  }

  /// Transport streams may name another codec as they go on.
  private func fits(_ decoder: AudioDecoder, _ parameters: AVCodecParameters) -> Bool {
    packets.changesParameters ? decoder.fits(parameters) : parameters.codec_id == decoder.codec
  }

  private func end() {
    isOver = true
    finishRun()
    guard let lostUntil, clock.next != nil, lostUntil - runEnd > SampleClock.tolerance else { return }
    addSilence(until: min(lostUntil, runEnd + SampleClock.longestGap))
  }

  /// Leaves out the samples before `target`; nil where none is left.
  private func trimmed(_ frame: AudioFrame) -> AudioFrame? {
    guard let target else { return frame }
    // Times are rounded to nanoseconds: a sample at the target must not count as one before it.
    let early = (target - frame.presentationTime).seconds * Double(format.sampleRate)
    let left = max(0, Int((min(early, 1e12) - 1e-3).rounded(.up)))
    guard left < frame.sampleFrames else { return nil }
    self.target = nil
    var kept = frame
    kept.samples.removeFirst(left * format.channelCount)
    kept.presentationTime = frame.presentationTime + format.duration(of: left)
    return kept
  }
}
