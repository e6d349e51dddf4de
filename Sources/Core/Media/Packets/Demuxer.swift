package import CFFmpeg
import Frames
import Logging

/// An open container: packets out, seeks in. One thread at a time.
package final class Demuxer {
  package let path: String
  package let network: NetworkOptions
  package let interruption: Interruption
  package private(set) var context: UnsafeMutablePointer<AVFormatContext>
  /// Why reading ended before the end of the file; nil while it has not.
  package private(set) var damage: String?
  /// The sample format of its video is not known yet: see `FirstPacketProbe`.
  package let hasPutOffDecoding: Bool
  /// No packet was read and no seek made since it was opened.
  package private(set) var isAtStart = true
  private let call: MediaCall
  private let limits: RequestLimits?
  /// Where the bytes come from.
  package let source: any ByteSource
  /// Nil where libavformat fetches them.
  private let input: SourceContext?
  /// Nil where there are none, or the caller chose one.
  private let keys: ContainerKeys?
  private let hasKey: Bool
  /// The tracks that are encrypted. libavformat tells of those alone whose file names a system of protection.
  private lazy var protected: [ProtectedTrack] = {
    if let keys { return keys.tracks }
    guard formatName.contains("mov"), let bytes = source.bytes else { return [] }
    return ProtectedTrack.tracks(of: bytes, unless: boxInterruption())
  }()

  /// Opening, probing included, may take this long unless the caller has set a deadline of its own.
  static let openingSeconds = 30
  /// And so may reading one packet, network stalls included.
  static let readingSeconds = 60

  /// Opens and reads as much as is needed to know the streams.
  ///
  /// A remote playlist can never name a local file: the protocols allowed follow from the source.
  ///
  /// - Parameters:
  ///   - source: that is open already; nil: the one that `path` names.
  ///   - clip: that the source was probed as before; nil: it is probed.
  ///   - key: that decrypts the samples of MP4; nil: they are not encrypted, or `network` has it.
  ///   - stream: of which packets are read, for its key; nil: the video, else the sound.
  ///   - putsOffDecoding: leaves it to the caller to decode video that the header names.
  package init(
    path: String, source: (any ByteSource)? = nil, network: NetworkOptions, interruption: Interruption,
    clip: ProbedClip? = nil, key: [UInt8]? = nil, stream: Int? = nil, putsOffDecoding: Bool = false,
    onPhase: (OpeningPhase) -> Void = { _ in }
  ) throws(Failure) {
    // Some playlists and damaged headers keep a demuxer busy for ever.
    let isLimited = interruption.limit(seconds: Self.openingSeconds, outlastsOutages: true)
    defer { if isLimited { interruption.setDeadline(nil) } }
    let call = MediaCall(path, interruption)
    call.begin()
    var hasOpened = false
    defer { if !hasOpened { call.close() } }
    let errors = FFmpegErrors()
    bench_keep_libxml()
    bench_silence_libxml()
    let source = if let source { source } else { try byteSource(path, network: network, interruption: interruption) }
    let input = source.bytes.flatMap { SourceContext($0, interruption: interruption) }
    guard input != nil || source.bytes == nil, let context = avformat_alloc_context() else {
      throw Failure(.failed, "cannot open '\(path)'", cause: "out of memory")
    }
    defer { withExtendedLifetime(input) {} }
    context.pointee.pb = input?.context
    context.pointee.interrupt_callback = interruption.callback
    let limits = RequestLimits(context, network)
    var options: OpaquePointer?
    av_dict_set(&options, "protocol_whitelist", source.allowedProtocols, 0)
    let keys = key == nil ? ContainerKeys(source, network.keys, unless: interruption) : nil
    if keys?.isScattered == true { context.pointee.flags |= AVFMT_FLAG_IGNIDX }
    if let key = key ?? keys?.key(forStream: stream) {
      let digits = key.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      av_dict_set(&options, "decryption_key", digits, 0)
    }
    // avformat_open_input frees the context when it fails.
    var opened: UnsafeMutablePointer<AVFormatContext>? = context
    let status = avformat_open_input(&opened, source.url, nil, &options)
    av_dict_free(&options)
    guard status >= 0, let opened else {
      throw openFailure(path, status, errors, limits, interruption, source: source)
    }

    mediaLog.trace("read the headers", metadata: ["path": "\(redactingSecrets(ofArgument: path))"])
    onPhase(.open)

    hasPutOffDecoding = putsOffDecoding && !source.isRemote && headerNamesVideo(opened)
    let isKnown = clip?.spareProbing(of: opened) ?? false
    let probed = isKnown ? 0 : findStreams(opened, decodesVideo: !hasPutOffDecoding)
    guard probed >= 0, limits?.refusal == nil else {
      var closing: UnsafeMutablePointer<AVFormatContext>? = opened
      avformat_close_input(&closing)
      throw openFailure(path, probed, errors, limits, interruption, source: source)
    }
    limits?.isOpening = false
    call.end()
    call.hasOpened()
    hasOpened = true
    (self.path, self.network, self.interruption) = (path, network, interruption)
    (self.context, self.call, self.limits) = (opened, call, limits)
    (self.source, self.input, self.keys, hasKey) = (source, input, keys, key != nil)
    mediaLog.debug(
      "opened a container",
      metadata: [
        "path": "\(redactingSecrets(ofArgument: path))", "container": "\(formatName)",
        "streams": "\(opened.pointee.nb_streams)", "probed": "\(!hasPutOffDecoding)",
      ])
  }

  /// Another demuxer of an open clip, from its first byte, with a position of its own. It shares the clip's bytes; over
  /// libavformat's own network it opens another connection.
  package convenience init(
    _ clip: ProbedClip, interruption: Interruption, stream: Int? = nil
  ) throws(Failure) {
    try self.init(
      path: clip.info.path, source: clip.source, network: clip.network, interruption: interruption, clip: clip,
      stream: stream)
  }

  deinit {
    var closing: UnsafeMutablePointer<AVFormatContext>? = context
    avformat_close_input(&closing)
    call.close()
  }

  /// The same input once more, from its first byte.
  package func reopened() throws(Failure) -> Demuxer {
    try Demuxer(path: path, source: source, network: network, interruption: interruption)
  }

  package var isRemote: Bool { source.isRemote }

  /// Whether a stream is encrypted, and there is no key for it.
  func isLocked(_ stream: UnsafeMutablePointer<AVStream>, _ entry: SoundEntry? = nil) -> Bool {
    let isProtected = isEncrypted(stream) || entry?.isEncrypted == true || keyIdentifier(of: stream) != nil
    return isProtected && !hasKey && keys?.hasKey(forStream: Int(stream.pointee.index)) != true
  }

  /// Of the key of a stream that is encrypted, hexadecimal; nil: it is not, or its container does not tell.
  func keyIdentifier(of stream: UnsafeMutablePointer<AVStream>) -> String? {
    protected.first { $0.index == Int(stream.pointee.index) }.map { keyName($0.identifier) }
  }

  package func stream(_ index: Int) -> UnsafeMutablePointer<AVStream>? {
    index >= 0 && index < Int(context.pointee.nb_streams) ? context.pointee.streams[index] : nil
  }

  /// Reads packets of these streams from here on, and of no others.
  package func leaveOut(allBut wanted: Set<Int>) {
    for index in 0..<Int(context.pointee.nb_streams) {
      guard let stream = stream(index) else { continue }
      if !wanted.contains(index) {
        stream.pointee.discard = AVDISCARD_ALL
      } else if stream.pointee.discard == AVDISCARD_ALL {
        stream.pointee.discard = AVDISCARD_DEFAULT
      }
    }
  }

  /// Reads the next packet of any stream left in; false at the end.
  package func read(into packet: UnsafeMutablePointer<AVPacket>) throws(Failure) -> Bool {
    let errors = FFmpegErrors()
    isAtStart = false
    let status = limited { av_read_frame(context, packet) }
    if status >= 0 { return true }
    if status == bench_averror_exit() || interruption.shouldStop { throw stopped() }
    // Some demuxers take any failure of reading for the end.
    let cause = context.pointee.pb?.pointee.error ?? 0
    if status == bench_averror_eof(), cause >= 0 || cause == bench_averror_eof() { return false }
    // Damage in mid-file ends the stream, as in FFmpeg's own tools; a caller that needs the whole clip reads `damage`.
    damage = source.failure ?? errors.reason(status == bench_averror_eof() ? cause : status)
    mediaLog.debug(
      "reading ended before the end of the file",
      metadata: ["path": "\(redactingSecrets(ofArgument: path))", "cause": "\(redactingSecrets(damage ?? ""))"])
    return false
  }

  /// How many bytes of a stream the file lacks, by the container's own index; 0 when it is whole or cannot be told.
  package func missingBytes(of stream: UnsafeMutablePointer<AVStream>) -> Int64 {
    guard let io = context.pointee.pb else { return 0 }
    let size = avio_size(io)
    guard size > 0 else { return 0 }
    let end = (0..<avformat_index_get_entries_count(stream)).reduce(Int64(0)) { end, position in
      guard let entry = avformat_index_get_entry(stream, position) else { return end }
      let (sampleEnd, overflow) = entry.pointee.pos.addingReportingOverflow(Int64(entry.pointee.size))
      return overflow ? end : max(end, sampleEnd)
    }
    return max(0, end - size)
  }

  /// Moves to a sync sample at or before `timestamp` (in the stream's time base), as well as the demuxer can.
  package func seek(stream: Int, to timestamp: Int64) -> Bool {
    guard !seeksLeadNowhere else { return false }
    isAtStart = false
    mediaLog.trace("seek", metadata: ["stream": "\(stream)", "timestamp": "\(timestamp)"])
    return limited {
      let status = av_seek_frame(context, Int32(stream), timestamp, AVSEEK_FLAG_BACKWARD)
      return status >= 0 ? status : avformat_seek_file(context, Int32(stream), .min, timestamp, .max, 0)
    } >= 0
  }

  /// Moves to the first byte; for formats that cannot seek by time.
  package func seekToFirstByte() -> Bool {
    guard !seeksLeadNowhere else { return false }
    isAtStart = false
    return limited { av_seek_frame(context, -1, 0, AVSEEK_FLAG_BYTE) } >= 0
  }

  /// A call into libavformat, watched, with a limit of time unless the caller has set one.
  private func limited(_ body: () -> Int32) -> Int32 {
    let isLimited = interruption.limit(seconds: Self.readingSeconds, outlastsOutages: true)
    call.begin()
    defer {
      call.end()
      if isLimited { interruption.setDeadline(nil) }
    }
    return body()
  }

  /// Ends reads of boxes beside libavformat. Most of their bytes are held since it has read them; a server may be slow with the others.
  /// Nil for files, whose reads do not wait.
  func boxInterruption() -> Interruption? {
    guard isRemote else { return nil }
    let interruption = Interruption(within: interruption)
    interruption.setDeadline(.now.advanced(byMilliseconds: 5000))
    return interruption
  }

  private func stopped() -> Failure {
    Failure(.cancelled, "cannot read '\(path)'", cause: "reading was stopped or took too long")
  }
}

// Facts of the container.
extension Demuxer {
  private var formatName: String { string(context.pointee.iformat.pointee.name) ?? "" }

  /// The format has no index and may jump in time; as FFmpeg's own player decides it.
  package var seeksByBytes: Bool {
    let flags = context.pointee.iformat.pointee.flags
    return flags & AVFMT_TS_DISCONT != 0 && flags & AVFMT_NO_BYTE_SEEK == 0
  }

  /// Whether a stream can take the place of another one in mid-clip: both are video of one program of a transport stream.
  func mayFollow(_ other: UnsafeMutablePointer<AVStream>, on stream: UnsafeMutablePointer<AVStream>) -> Bool {
    let parameters = other.pointee.codecpar.pointee
    return seesStreamsLate && other != stream && parameters.codec_type == AVMEDIA_TYPE_VIDEO
      && other.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0
      && avcodec_find_decoder(parameters.codec_id) != nil
      && areOfOneProgram(other, stream)
  }

  /// A transport stream: its programs may name other streams as it goes on.
  private var seesStreamsLate: Bool { formatName == "mpegts" }

  /// A program lists the streams that its last table named: where there is one program only, all are its.
  private func areOfOneProgram(_ a: UnsafeMutablePointer<AVStream>, _ b: UnsafeMutablePointer<AVStream>) -> Bool {
    let count = Int(context.pointee.nb_programs)
    return count <= 1
      || (0..<count).contains { number in
        guard let program = context.pointee.programs[number]?.pointee, let indices = program.stream_index else {
          return false
        }
        let members = UnsafeBufferPointer(start: indices, count: Int(program.nb_stream_indexes))
        return members.contains(UInt32(a.pointee.index)) && members.contains(UInt32(b.pointee.index))
      }
  }

  /// The stream that a clip begins with where the best one follows on it; `best` where it does not.
  func beginning(ofVideo best: Int) -> Int {
    guard let stream = stream(best), let start = optionalStamp(stream.pointee.start_time) else { return best }
    let second = av_rescale_q(1, AVRational(num: 1, den: 1), stream.pointee.time_base)
    let earlier = (0..<Int(context.pointee.nb_streams)).filter { number in
      guard let other = self.stream(number), let begin = optionalStamp(other.pointee.start_time) else { return false }
      return mayFollow(stream, on: other)
        && av_compare_ts(begin, other.pointee.time_base, start - second, stream.pointee.time_base) < 0
    }
    return earlier.first ?? best
  }

  /// After any seek libavformat's HLS demuxer gives no packet of segments that are fragmented MP4.
  ///
  /// Such segments come with a four-letter code of MP4 for each codec; those of transport streams are stream types, below 256.
  var seeksLeadNowhere: Bool {
    // Asked at each turn of a clip that loops: without a string of its own.
    guard av_strstart(context.pointee.iformat.pointee.name, "hls", nil) != 0 else { return false }
    return (0..<Int(context.pointee.nb_streams)).contains { stream($0)?.pointee.codecpar.pointee.codec_tag ?? 0 > 255 }
  }

  /// Refuses a local manifest of DASH whose segments are ranges of bytes: libavformat's demuxer leaves ranges to the protocol, and that of
  /// files ignores them, so that it reads the first segment over and over.
  func checkRanges() throws(Failure) {
    guard formatName == "dash", !isRemote else { return }
    let manifest = try readBytes(path, byteLimit: 16 << 20, interruption: interruption)
    guard String(decoding: manifest, as: UTF8.self).contains("mediaRange") else { return }
    throw Failure(
      .unsupported, "cannot read '\(path)'",
      cause: "its segments are ranges of bytes, which FFmpeg's demuxer of DASH ignores in local files",
      remedy: "measure it with --scenario stream, or open it from a server, such as 'bench360 serve'")
  }

  /// The longest that the stream or the file says of itself; nil when neither does.
  package func duration(of stream: UnsafeMutablePointer<AVStream>) -> MediaTime? {
    let own = stream.pointee.duration == bench_nopts() ? 0 : stream.pointee.duration
    let whole = context.pointee.duration == bench_nopts() ? 0 : context.pointee.duration
    let longest = max(
      MediaTime(ticks: own, timeBase: Ratio(stream.pointee.time_base)),
      MediaTime(ticks: whole, timeBase: Ratio(1, Int32(bench_time_base()))))
    return longest > .zero ? longest : nil
  }

  /// libavformat's index of it is a guess, or made of the packets read so far.
  package var hasNoIndex: Bool { seeksByBytes || context.pointee.iformat.pointee.flags & AVFMT_GENERIC_INDEX != 0 }
}

extension Interruption {
  /// For libavformat; valid as long as this is alive.
  var callback: AVIOInterruptCB {
    var callback = AVIOInterruptCB()
    callback.callback = { opaque in
      guard let opaque else { return 0 }
      return Unmanaged<Interruption>.fromOpaque(opaque).takeUnretainedValue().shouldStop ? 1 : 0
    }
    callback.opaque = Unmanaged.passUnretained(self).toOpaque()
    return callback
  }
}

/// Whether the header, and not what follows it, says which streams there are, and one packet of the video tells the rest.
///
/// Of MP4 and QuickTime only: they say when packets are decoded. Elsewhere libavformat guesses that, by how far probing has seen
/// frames reordered.
private func headerNamesVideo(_ context: UnsafeMutablePointer<AVFormatContext>) -> Bool {
  let isMP4 = string(context.pointee.iformat.pointee.name)?.hasPrefix("mov,") ?? false
  guard isMP4, context.pointee.ctx_flags & AVFMTCTX_NOHEADER == 0 else { return false }
  let streams = (0..<Int(context.pointee.nb_streams)).compactMap {
    context.pointee.streams[$0]?.pointee.codecpar.pointee
  }
  let videos = streams.filter { $0.codec_type == AVMEDIA_TYPE_VIDEO }
  return videos.count == 1
    && videos.allSatisfy {
      ($0.codec_id == AV_CODEC_ID_H264 || $0.codec_id == AV_CODEC_ID_HEVC) && $0.extradata_size > 0 && $0.width > 0
    }
}

private func findStreams(_ context: UnsafeMutablePointer<AVFormatContext>, decodesVideo: Bool) -> Int32 {
  var options = [OpaquePointer?](repeating: nil, count: Int(context.pointee.nb_streams))
  defer { for index in options.indices { av_dict_free(&options[index]) } }
  for index in options.indices where !decodesVideo {
    guard context.pointee.streams[index]?.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO else { continue }
    av_dict_set(&options[index], "skip_frame", "all", 0)
  }
  return avformat_find_stream_info(context, &options)
}
