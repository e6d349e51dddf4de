package import CFFmpeg
import Frames

/// The packets of a container: of its first video and its successors, and of other tracks. One thread at a time.
package final class ContainerPackets: PacketSource {
  private var demuxer: Demuxer
  /// The current stream: the clip's first, or one that succeeded it.
  private var stream: UnsafeMutablePointer<AVStream>
  package private(set) var format: PacketFormat
  private var succession: StreamSuccession
  /// By the number of the stream.
  private var formats: [Int: PacketFormat]
  /// Other tracks that are read.
  private var wanted: Set<Int> = []
  /// The start was sought and no packet has come from there yet.
  private var isProvingStart = false

  /// - Parameter stream: of the demuxer, which from now on discards all others except streams that may follow on it.
  package init(_ demuxer: Demuxer, _ stream: UnsafeMutablePointer<AVStream>) throws(Failure) {
    try demuxer.checkRanges()
    (self.demuxer, self.stream) = (demuxer, stream)
    format = try PacketFormat(stream)
    succession = StreamSuccession(Int(stream.pointee.index))
    formats = [Int(stream.pointee.index): format]
    demuxer.leaveOut(allBut: tracks)
  }

  /// A first packet that is later than this is not the clip's first.
  private static let longestStart = MediaTime(nanoseconds: 2_000_000_000)

  // MARK: - Facts

  package var path: String { demuxer.path }
  package var isRemote: Bool { demuxer.isRemote }
  package var timeBase: AVRational { clock.pointee.time_base }
  package var startStamp: Int64 { optionalStamp(clock.pointee.start_time) ?? 0 }
  package var duration: MediaTime? { demuxer.duration(of: stream) }
  package var index: SyncSampleIndex { syncSampleIndex(stream, of: demuxer) }
  package var hasNoIndex: Bool { demuxer.hasNoIndex }
  package var damage: String? { demuxer.damage }
  package var missingBytes: Int64 { demuxer.missingBytes(of: stream) }

  /// The first stream, whose clock all times are told by.
  private var clock: UnsafeMutablePointer<AVStream> { demuxer.stream(succession.first) ?? stream }

  package func want(_ tracks: Set<Int>) -> Set<Int> {
    wanted = tracks.filter { $0 != succession.first && demuxer.stream($0) != nil }
    demuxer.leaveOut(allBut: self.tracks)
    return wanted
  }

  private var tracks: Set<Int> {
    let video = (0..<Int(demuxer.context.pointee.nb_streams)).filter { number in
      number == succession.first || demuxer.stream(number).map { demuxer.mayFollow($0, on: stream) } ?? false
    }
    return wanted.union(video)
  }

  // MARK: - Reading

  package func read(into packet: UnsafeMutablePointer<AVPacket>) throws(Failure) -> PacketTrack? {
    if let arrived = succession.takeArrived() { return handOver(arrived, into: packet) }
    while true {
      guard try demuxer.read(into: packet) else {
        // Of several formats libavformat's demuxers find no packet after a seek, even to where they were, and a server that
        // gives no ranges sends none.
        if isProvingStart {
          try reopen()
          continue
        }
        return try follow(into: packet)
      }
      let number = Int(packet.pointee.stream_index)
      if number == succession.current {
        // Demuxers that count frames by themselves, such as that of 4XM, count on after they went back.
        if isProvingStart, let time = decodingTime(packet), time > Self.longestStart {
          av_packet_unref(packet)
          try reopen()
          continue
        }
        return try .video(taken(packet, of: number))
      }
      if try hold(packet, of: number) {
        if succession.isOver, let followed = try follow(into: packet) { return followed }
      } else if wanted.contains(number) {
        return .other(number: number, try formatNow(of: number, isVideo: false))
      } else {
        av_packet_unref(packet)
      }
    }
  }

  /// A packet of the stream that is read came.
  private func taken(_ packet: UnsafeMutablePointer<AVPacket>, of number: Int) throws(Failure) -> PacketFormat {
    isProvingStart = false
    format = try formatNow(of: number)
    av_packet_rescale_ts(packet, stream.pointee.time_base, timeBase)
    succession.saw(decodingTime(packet))
    return format
  }

  private func handOver(_ held: ReadPacket, into packet: UnsafeMutablePointer<AVPacket>) -> PacketTrack {
    av_packet_move_ref(packet, held.packet)
    free(held.packet)
    return .video(held.format)
  }

  /// What a stream's packets are coded in from here on; another one than before where the stream's codec has changed.
  ///
  /// - Parameter isVideo: its time stamps are brought to the first stream's time base.
  private func formatNow(of number: Int, isVideo: Bool = true) throws(Failure) -> PacketFormat {
    guard let stream = demuxer.stream(number) else {
      throw Failure(.media, "cannot read '\(demuxer.path)'", cause: "stream \(number) has gone")
    }
    if let known = formats[number], known.codec == stream.pointee.codecpar.pointee.codec_id { return known }
    let made = try PacketFormat(stream, timeBase: isVideo ? timeBase : nil)
    formats[number] = made
    return made
  }

  /// Keeps a packet of a stream that may follow on the one that is read; false where it is another's, and as it was.
  private func hold(_ packet: UnsafeMutablePointer<AVPacket>, of number: Int) throws(Failure) -> Bool {
    guard !wanted.contains(number), let other = demuxer.stream(number), demuxer.mayFollow(other, on: stream) else {
      return false
    }
    isProvingStart = false
    guard let kept = av_packet_alloc() else {
      throw Failure(.failed, "cannot read '\(demuxer.path)'", cause: "out of memory")
    }
    av_packet_move_ref(kept, packet)
    av_packet_rescale_ts(kept, other.pointee.time_base, timeBase)
    let read = ReadPacket(
      packet: kept, format: try formatNow(of: number), showsPicture: true, started: .now, milliseconds: 0)
    if !succession.hold(read, of: number, decodingTime(kept)) { free(kept) }
    return true
  }

  /// Switches to the succeeding stream and reads its first packet; nil where there is none.
  private func follow(into packet: UnsafeMutablePointer<AVPacket>) throws(Failure) -> PacketTrack? {
    let start = succession.firstHeld.flatMap { optionalStamp($0.pointee.pts) }.map(time)
    guard succession.follow(from: start), let next = demuxer.stream(succession.current) else { return nil }
    stream = next
    format = try formatNow(of: succession.current)
    return succession.takeArrived().map { handOver($0, into: packet) }
  }

  private func decodingTime(_ packet: UnsafeMutablePointer<AVPacket>) -> MediaTime? {
    optionalStamp(packet.pointee.dts).map(time)
  }

  // MARK: - Moving

  package func goToStart() throws(Failure) {
    let number = succession.first
    if !demuxer.isAtStart {
      // Transport streams find a time by guessing at bytes, and miss the first sync sample.
      isProvingStart =
        demuxer.seeksByBytes
        ? demuxer.seekToFirstByte() || demuxer.seek(stream: number, to: earliest)
        : demuxer.seek(stream: number, to: earliest) || demuxer.seekToFirstByte()
      if !isProvingStart { try reopen() }
    }
    jumped(to: number)
  }

  package func seek(toSyncSampleAt time: MediaTime) -> Bool {
    let number = succession.stream(at: time)
    guard let base = demuxer.stream(number)?.pointee.time_base else { return false }
    let origin = av_rescale_q(startStamp, timeBase, base)
    let ticks = av_rescale_q(time.nanoseconds, AVRational(num: 1, den: 1_000_000_000), base)
    let (timestamp, overflow) = ticks.addingReportingOverflow(origin)
    let target = time <= .zero && number == succession.first ? min(timestamp, earliest) : timestamp
    guard demuxer.seek(stream: number, to: overflow ? .max : target) else { return false }
    jumped(to: number)
    return true
  }

  /// The decoding time stamp of the first packet: before the start where the first samples are decoded and not shown (edit lists).
  private var earliest: Int64 {
    min(startStamp, avformat_index_get_entry(clock, 0).map(\.pointee.timestamp) ?? startStamp)
  }

  private func jumped(to number: Int) {
    succession.jumped(to: number)
    (stream, format) = (demuxer.stream(number) ?? stream, formats[number] ?? format)
  }

  /// Opens the input once more, at its first packet.
  private func reopen() throws(Failure) {
    isProvingStart = false
    let again = try demuxer.reopened()
    let number = succession.first
    guard let found = again.stream(number), found.pointee.codecpar.pointee.codec_id == formats[number]?.codec else {
      throw Failure(
        .media, "cannot go back to the start of '\(demuxer.path)'", cause: "its video stream has gone",
        remedy: "it changed while it was read: copy it first")
    }
    (demuxer, stream) = (again, found)
    succession.jumped(to: number)
    again.leaveOut(allBut: tracks)
  }
}

extension PacketSource {
  /// A time stamp of the video, relative to the clip's start.
  package func time(_ stamp: Int64) -> MediaTime {
    MediaTime(ticks: stamp.subtractingReportingOverflow(startStamp).partialValue, timeBase: Ratio(timeBase))
  }
}
