package import CFFmpeg
import Frames
import Media

/// The segments of a stream that hold one track of sound, one after the other, each once all of it is there. No call waits. One thread
/// takes them.
package protocol SoundSupply: AnyObject, Sendable {
  /// As the user named the stream.
  var path: String { get }
  /// Throws why the next segment cannot be had, once all those before it were taken.
  func next() throws(Failure) -> SuppliedSound
  /// Goes on with the segment that holds a place on the axis, or with the one before it where `preroll` reaches that and it is at hand.
  func seek(to time: MediaTime, preroll: MediaTime)
  func readiness(at time: MediaTime) -> SoundReadiness
  /// Returns whether the video will never tell the time stamps of a run that sound at `place` has: its segments there are of another run.
  func isVideo(ofAnotherRunThan run: Int64, at place: MediaTime) -> Bool
}

/// What a supply of sound gives.
package enum SuppliedSound {
  case segment(MediaSegment)
  /// The next segment is not all there.
  case notYet
  case ended
}

/// The packets of a stream's sound, segment by segment: each is a container of its own behind its initialisation section. Reads what is
/// in memory, and waits for nothing. One thread at a time.
package final class SoundSegments: SoundPackets {
  package let path: String
  private let supply: any SoundSupply
  private let runs: RunOffsets
  /// Of the track, among the streams of sound of a segment.
  private let number: Int
  private let interruption: Interruption
  /// The segment that is read, or the last one that was.
  private var current: OpenSound?
  private var isDrained = true
  /// A segment whose place on the axis is not known yet.
  private var held: MediaSegment?
  private var clips: [Int: ProbedClip] = [:]
  /// Where the sound read so far ends, in nanoseconds on the axis; nil after a jump.
  private var reached: Int64?
  /// Packets that end before it are passed over.
  private var first: Int64?
  /// Another run has begun, and none of its packets was given.
  private var isBehindSeam = false
  /// Where runs begin whose samples have not been decoded yet, in nanoseconds on the axis.
  private var seams: [Int64] = []

  /// - Parameters:
  ///   - number: of the track among the streams of sound of a segment, from 0.
  ///   - runs: of the stream's video.
  package init(_ supply: any SoundSupply, number: Int, runs: RunOffsets, interruption: Interruption) {
    (self.supply, self.number, self.runs, self.interruption) = (supply, number, runs, interruption)
    path = supply.path
  }

  /// Nanoseconds on the stream's axis: segments may count in different ticks.
  package var timeBase: AVRational { AVRational(num: 1, den: 1_000_000_000) }
  package var changesParameters: Bool { true }
  package func time(of stamp: Int64) -> MediaTime { MediaTime(nanoseconds: stamp) }
  /// Stamps that go back by more begin anew.
  private static let longestOverlap: Int64 = 10_000_000_000
  /// More codings than a stream that switches to and fro has are probed again.
  private static let codingLimit = 64

  package var stream: UnsafeMutablePointer<AVStream>? { current?.stream }

  package func read(into packet: UnsafeMutablePointer<AVPacket>) throws(Failure) -> SoundReading {
    while true {
      if isDrained {
        switch try open() {
        case .packet: break
        case let other: return other
        }
      }
      guard let segment = current, !isDrained else { continue }
      guard !interruption.shouldStop else {
        throw Failure(.cancelled, attempt, cause: "reading was stopped or took too long")
      }
      guard try segment.demuxer.read(into: packet) else {
        isDrained = true
        continue
      }
      if packet.pointee.stream_index == segment.stream.pointee.index, place(packet, of: segment) { return .packet }
      av_packet_unref(packet)
    }
  }

  package func seek(to target: MediaTime) {
    (isDrained, held, reached) = (true, nil, nil)
    (isBehindSeam, seams) = (false, [])
    first = (target - Self.preroll).nanoseconds
    supply.seek(to: target, preroll: Self.preroll)
  }

  package func takeSeam(at time: MediaTime) -> Bool {
    let count = seams.prefix { $0 <= time.nanoseconds }.count
    seams.removeFirst(count)
    return count > 0
  }

  package func readiness(at time: MediaTime) -> SoundReadiness { supply.readiness(at: time) }

  private var attempt: String { "cannot play the sound of '\(path)'" }

  // MARK: - Segments

  /// `packet`: a segment was opened, or passed over.
  private func open() throws(Failure) -> SoundReading {
    let segment: MediaSegment
    if let held {
      segment = held
    } else {
      switch try supply.next() {
      case .segment(let next): segment = next
      case .notYet: return .notYet
      case .ended: return .ended
      }
    }
    held = segment
    if case .run(let run) = segment.clock, runs.offset(of: run) == nil, !runs.hasPassed(segment.start),
      !supply.isVideo(ofAnotherRunThan: run, at: segment.start)
    {
      return .notYet
    }
    held = nil
    let opened = try OpenSound(segment, clips[segment.coding], number: number, attempt, interruption)
    if clips.count >= Self.codingLimit { clips.removeAll() }
    if let clip = opened?.clip { clips[segment.coding] = clip }
    guard let opened else {
      streamingLog.debug("a segment has no sound", metadata: ["segment": "\(segment.bytes.path)"])
      return .packet
    }
    if reached != nil, let current, current.clock != opened.clock { isBehindSeam = true }
    (current, isDrained) = (opened, false)
    return .packet
  }

  /// Brings a packet's stamps to the axis; false for one that was read before, or lies before the place that was sought.
  private func place(_ packet: UnsafeMutablePointer<AVPacket>, of segment: OpenSound) -> Bool {
    av_packet_rescale_ts(packet, segment.stream.pointee.time_base, timeBase)
    let own = optionalStamp(packet.pointee.pts) ?? optionalStamp(packet.pointee.dts)
    let offset = offset(of: segment, first: own.map { $0.addingSaturated(segment.packedStart) }) - segment.packedStart
    if let stamp = optionalStamp(packet.pointee.pts) { packet.pointee.pts = stamp.subtractingSaturated(offset) }
    if let stamp = optionalStamp(packet.pointee.dts) { packet.pointee.dts = stamp.subtractingSaturated(offset) }
    guard let own else { return true }
    let (stamp, duration) = (own.subtractingSaturated(offset), max(0, packet.pointee.duration))
    // An encoder's delay is at the stream's start alone, however often its section tells of it.
    if stamp > 0 { keepDelay(packet) }
    let end = stamp.addingSaturated(duration)
    if isBehindSeam, let reached, end > reached {
      // A frame may lie on both sides of it.
      isBehindSeam = false
      seams.append(stamp)
      self.reached = end
    } else if let reached, stamp < reached - duration / 2 {
      guard reached - stamp > Self.longestOverlap else { return false }
      self.reached = end
    } else {
      reached = max(reached ?? .min, end)
    }
    guard let first, end < first else {
      self.first = nil
      return true
    }
    return false
  }

  private func keepDelay(_ packet: UnsafeMutablePointer<AVPacket>) {
    var size = 0
    guard let data = av_packet_get_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, &size), size >= 4 else { return }
    // Samples at the packet's start that are not heard.
    for place in 0..<4 { data[place] = 0 }
  }

  private func offset(of segment: OpenSound, first: Int64?) -> Int64 {
    switch segment.clock {
    case .behind(let offset): return offset.nanoseconds
    case .run(let number):
      if let offset = runs.offset(of: number) { return offset }
      // The video has no such run.
      if segment.ownOffset == nil { segment.ownOffset = (first ?? 0).subtractingSaturated(segment.start.nanoseconds) }
      return segment.ownOffset ?? 0
    }
  }
}

/// A segment of sound that is being read.
private final class OpenSound {
  let demuxer: Demuxer
  let stream: UnsafeMutablePointer<AVStream>
  let clip: ProbedClip?
  let start: MediaTime
  let clock: SegmentClock
  /// The time of the first sample of packed audio, whose container has no stamps, in nanoseconds.
  let packedStart: Int64
  /// Where nothing else tells it.
  var ownOffset: Int64?

  /// Nil for a segment without such a stream.
  init?(
    _ segment: MediaSegment, _ known: ProbedClip?, number: Int, _ attempt: String, _ interruption: Interruption
  ) throws(Failure) {
    let demuxer = try Demuxer(
      path: segment.bytes.path, source: segment.bytes, network: NetworkOptions(), interruption: interruption,
      clip: known, key: segment.key)
    let streams = (0..<Int(demuxer.context.pointee.nb_streams)).compactMap { demuxer.stream($0) }
      .filter { $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO }
    guard streams.indices.contains(number) else { return nil }
    stream = streams[number]
    clip = known ?? (try? describeSegment(demuxer)).flatMap { try? ProbedClip(demuxer, $0) }
    (self.demuxer, start, clock) = (demuxer, segment.start, segment.clock)
    packedStart = segment.bytes.packedStart ?? 0
    demuxer.leaveOut(allBut: [Int(stream.pointee.index)])
  }
}

extension SegmentBytes {
  private static let stampOwner = Array("com.apple.streaming.transportStreamTimestamp".utf8) + [0]

  /// The time stamp before packed audio (RFC 8216 §3.4): a private frame of ID3 with a stamp of 90 kHz, in nanoseconds. Nil where
  /// there is none.
  fileprivate var packedStart: Int64? {
    var head = [UInt8](repeating: 0, count: 512)
    let count = head.withUnsafeMutableBytes { target in
      target.baseAddress.map { read(at: 0, into: $0, count: target.count) } ?? 0
    }
    guard count > 3, head.starts(with: Array("ID3".utf8)) else { return nil }
    head.removeLast(head.count - count)
    let owner = Self.stampOwner
    guard let place = (0..<head.count).first(where: { head[$0...].starts(with: owner) }),
      place + owner.count + 8 <= head.count
    else { return nil }
    let stamp = head[(place + owner.count)...].prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } & 0x1_FFFF_FFFF
    return Int64(stamp) * 100_000 / 9
  }
}
