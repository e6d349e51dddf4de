internal import CFFmpeg
import Frames
import Media

/// One track of a packaged clip: collects packets, and writes segments of one fragment each. One thread at a time.
///
/// Decoding begins at 0; an edit list hides what is decoded before the clip's start.
final class PackageTrack {
  /// A segment lasts so long, or up to the next sync sample.
  private static let segmentSeconds = 2.0
  /// Of the packets that wait for the end of their segment.
  private static let byteLimit = 512 << 20

  let name: String
  private let path: String
  private let source: UnsafeMutablePointer<AVStream>
  private let context: UnsafeMutablePointer<AVFormatContext>
  private let stream: UnsafeMutablePointer<AVStream>
  private let header: [UInt8]
  /// The clip's start in the source's clock.
  private let origin: Int64
  private var waiting: [UnsafeMutablePointer<AVPacket>] = []
  private var waitingBytes = 0
  /// What is shown from there on is hidden by the clip's edit list.
  private var hiddenFrom = Int64.max
  /// Packets that the clip's edit list hides and that others are decoded from: they cannot be left out.
  private(set) var hidden = 0
  /// The next of the video's cuts.
  private var nextCut = 0
  /// What is added to decoding times, in ticks of the stream's clock; nil before the first segment.
  private var shift: Int64?
  private var segments: [(start: Int64, bytes: Int)] = []
  /// Where the last packet ends, in the source's clock, counted from the clip's start.
  private var end: Int64 = 0

  /// - Parameters:
  ///   - source: of the clip; it outlives the track.
  ///   - start: the clip's, in microseconds.
  ///   - path: the clip's, for messages.
  init(
    _ source: UnsafeMutablePointer<AVStream>, name: String, comment: String?, start: Int64, path: String
  ) throws {
    let attempt = "cannot package '\(path)'"
    var made: UnsafeMutablePointer<AVFormatContext>?
    try check(avformat_alloc_output_context2(&made, nil, "mp4", nil), .unsupported, attempt)
    let context = try allocated(made)
    do {
      context.pointee.flags |= AVFMT_FLAG_BITEXACT
      context.pointee.strict_std_compliance = FF_COMPLIANCE_UNOFFICIAL
      let stream = try allocated(avformat_new_stream(context, nil))
      try Self.copy(source, to: stream, attempt)
      if let comment { av_dict_set(&context.pointee.metadata, "comment", comment, 0) }
      try check(avio_open_dyn_buf(&context.pointee.pb), .failed, attempt)
      var options: OpaquePointer?
      av_dict_set(&options, "movflags", "frag_custom+empty_moov+default_base_moof+dash+skip_sidx", 0)
      av_dict_set(&options, "use_editlist", "0", 0)
      let code = avformat_write_header(context, &options)
      av_dict_free(&options)
      header = dynamicBytes(&context.pointee.pb)
      try check(code, .unsupported, attempt)
      self.stream = stream
    } catch {
      avformat_free_context(context)
      throw error
    }
    (self.name, self.path, self.source, self.context) = (name, path, source, context)
    origin = av_rescale_q(start, AVRational(num: 1, den: 1_000_000), source.pointee.time_base)
  }

  deinit {
    drop(waiting.count)
    avformat_free_context(context)
  }

  private static func copy(
    _ source: UnsafeMutablePointer<AVStream>, to stream: UnsafeMutablePointer<AVStream>, _ attempt: String
  ) throws {
    try check(avcodec_parameters_copy(stream.pointee.codecpar, source.pointee.codecpar), .failed, attempt)
    try check(bench_copy_stream_side_data(stream, source), .failed, attempt)
    // Apple's players want parameter sets outside the samples, and this name for it.
    let isHEVC = source.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_HEVC
    stream.pointee.codecpar.pointee.codec_tag = isHEVC ? 0x3163_7668 : 0
    // The edit list hides it.
    stream.pointee.codecpar.pointee.initial_padding = 0
    stream.pointee.time_base = source.pointee.time_base
    stream.pointee.avg_frame_rate = source.pointee.avg_frame_rate
    stream.pointee.sample_aspect_ratio = source.pointee.sample_aspect_ratio
    // The container's counts where the codec's is another.
    stream.pointee.codecpar.pointee.sample_aspect_ratio = source.pointee.sample_aspect_ratio
    av_dict_copy(&stream.pointee.metadata, source.pointee.metadata, 0)
  }

  /// In the clip.
  var index: Int32 { source.pointee.index }
  var isEmpty: Bool { segments.isEmpty }

  /// The presentation time at which a segment begins with this packet; nil where it continues the present one.
  func cut(before packet: UnsafeMutablePointer<AVPacket>) -> Int64? {
    guard packet.pointee.flags & AV_PKT_FLAG_KEY != 0, !isHidden(packet), let first = waiting.first else { return nil }
    let seconds = Double(packet.pointee.pts - first.pointee.pts) * av_q2d(source.pointee.time_base)
    return seconds >= Self.segmentSeconds - 1e-9 ? packet.pointee.pts : nil
  }

  /// Keeps a reference to the packet's content. Throws `.unsupported` for one that no fragment can hold.
  func add(_ packet: UnsafeMutablePointer<AVPacket>) throws {
    guard packet.pointee.pts != bench_nopts() else { throw refusal("its packets have no time stamps") }
    guard av_packet_get_side_data(packet, AV_PKT_DATA_ENCRYPTION_INFO, nil) == nil else {
      throw refusal("it is encrypted")
    }
    // Those before the start are hidden again, by the track's own edit list; those behind the end must be the last.
    if isHidden(packet) {
      hiddenFrom = min(hiddenFrom, packet.pointee.pts)
    } else if packet.pointee.pts >= hiddenFrom {
      throw refusal("it hides frames by an edit list")
    }
    if packet.pointee.flags & AV_PKT_FLAG_DISCARD != 0, packet.pointee.pts < origin { hidden += 1 }
    guard !waiting.isEmpty || !segments.isEmpty || packet.pointee.flags & AV_PKT_FLAG_KEY != 0 else {
      throw refusal("it does not begin with a sync sample")
    }
    waitingBytes += Int(packet.pointee.size)
    guard waitingBytes <= Self.byteLimit else {
      throw refusal("more than \(Self.byteLimit >> 20) MiB lie between two sync samples")
    }
    if !isHidden(packet) { end = max(end, packet.pointee.pts + packet.pointee.duration - origin) }
    waiting.append(try allocated(av_packet_clone(packet)))
  }

  /// Writes what lies before the cuts of `video` that are known so far, once a packet behind them has come.
  func write(before cuts: [Int64], of video: PackageTrack, to folder: borrowing OutputFolder) throws {
    while nextCut < cuts.count, let last = waiting.last {
      let isBehind = { (packet: UnsafeMutablePointer<AVPacket>) in
        av_compare_ts(
          packet.pointee.pts, self.source.pointee.time_base, cuts[self.nextCut], video.source.pointee.time_base) >= 0
      }
      guard isBehind(last) else { return }
      try write(waiting.firstIndex(where: isBehind) ?? waiting.count, to: folder)
      nextCut += 1
    }
  }

  func writeAllButLast(to folder: borrowing OutputFolder) throws { try write(waiting.count - 1, to: folder) }

  /// Writes the last segment, without hidden packets that no other needs.
  func writeRest(to folder: borrowing OutputFolder) throws {
    while let last = waiting.last, isHidden(last) {
      waitingBytes -= Int(last.pointee.size)
      Self.free(waiting.removeLast())
    }
    let kept = waiting.filter { isHidden($0) }
    hidden += kept.count
    end = kept.reduce(end) { max($0, $1.pointee.pts + $1.pointee.duration - origin) }
    try write(waiting.count, to: folder)
  }

  /// By the clip's edit list, behind its start.
  private func isHidden(_ packet: UnsafeMutablePointer<AVPacket>) -> Bool {
    packet.pointee.flags & AV_PKT_FLAG_DISCARD != 0 && packet.pointee.pts >= origin
  }

  /// Writes the next segment, of the first `count` packets; nothing for 0.
  private func write(_ count: Int, to folder: borrowing OutputFolder) throws {
    let packets = waiting.prefix(count)
    guard let first = packets.first else { return }
    try derive(packets)
    // libavformat would move the next segment's first packet to where this one ends.
    if count < waiting.count, let last = packets.last, waiting[count].pointee.dts != bench_nopts() {
      last.pointee.duration = max(0, waiting[count].pointee.dts - last.pointee.dts)
    }
    let start = packets.map(\.pointee.pts).min() ?? 0
    try check(avio_open_dyn_buf(&context.pointee.pb), .failed, attempt)
    var time: Int64 = 0
    do {
      for packet in packets {
        packet.pointee.pts -= origin
        packet.pointee.dts -= origin
        av_packet_rescale_ts(packet, source.pointee.time_base, stream.pointee.time_base)
        let shift = shift ?? max(0, -packet.pointee.dts)
        self.shift = shift
        packet.pointee.pts += shift
        packet.pointee.dts += shift
        if packet == first { time = packet.pointee.dts }
        packet.pointee.stream_index = 0
        try pass(packet)
      }
      try pass(nil)
    } catch {
      _ = dynamicBytes(&context.pointee.pb)
      throw error
    }
    // libavformat counts from the first packet that it got.
    let bytes = Boxes.replacing(["moof", "traf", "tfdt"], in: dynamicBytes(&context.pointee.pb)) { _ in
      Boxes.bytes(UInt32(1 << 24)) + Boxes.bytes(time)
    }
    try folder.write(bytes, to: "\(name)/\(numbered(segments.count)).m4s")
    // What comes before the clip's start is hidden.
    segments.append((max(0, start - origin), bytes.count))
    drop(count)
  }

  /// Nil: completes the fragment.
  private func pass(_ packet: UnsafeMutablePointer<AVPacket>?) throws {
    let errors = FFmpegErrors()
    let code = av_write_frame(context, packet)
    guard code < 0 else { return }
    throw refusal(errors.last ?? ffmpegText(code))
  }

  /// Decoding times that the container lacks: at its start, one frame's duration before the next known one each.
  private func derive(_ packets: ArraySlice<UnsafeMutablePointer<AVPacket>>) throws {
    guard let known = packets.firstIndex(where: { $0.pointee.dts != bench_nopts() }) else {
      throw refusal("its packets have no decoding times")
    }
    for index in packets[..<known].indices.reversed() {
      packets[index].pointee.dts = packets[index + 1].pointee.dts - max(1, packets[index].pointee.duration)
    }
  }

  private func drop(_ count: Int) {
    for packet in waiting.prefix(count) {
      waitingBytes -= Int(packet.pointee.size)
      Self.free(packet)
    }
    waiting.removeFirst(count)
  }

  private static func free(_ packet: UnsafeMutablePointer<AVPacket>) {
    var freed: UnsafeMutablePointer<AVPacket>? = packet
    av_packet_free(&freed)
  }

  private var attempt: String { "cannot package '\(path)'" }

  private func refusal(_ cause: String) -> Failure {
    Failure(.unsupported, attempt, cause: cause, remedy: "encode it again, or serve its folder")
  }

  /// Writes the initialization segment; what playlists and manifest tell of the track.
  func finish(to folder: borrowing OutputFolder) throws -> PackagedTrack {
    let file = "\(name)/init.mp4"
    let bytes = Boxes.hiding(shift ?? 0, in: header)
    try folder.write(bytes, to: file)
    let (base, parameters) = (source.pointee.time_base, source.pointee.codecpar.pointee)
    let ticks = segments.map { av_rescale_q($0.start, base, stream.pointee.time_base) }
    let ends = ticks.dropFirst() + [av_rescale_q(end, base, stream.pointee.time_base)]
    let rate = source.pointee.avg_frame_rate
    var track = PackagedTrack(
      name: name, codecs: CodecName.of(header: header), timescale: Int(stream.pointee.time_base.den),
      size: PictureSize(width: Int(parameters.width), height: Int(parameters.height)),
      rate: rate.num > 0 && rate.den > 0 ? Ratio(rate.num, rate.den) : nil, sampleRate: Int(parameters.sample_rate),
      language: av_dict_get(source.pointee.metadata, "language", nil, 0).map { String(cString: $0.pointee.value) })
    track.rendition.initialization = LadderIndex.File(file: file, bytes: bytes.count)
    for (number, (start, end)) in zip(ticks, ends).enumerated() {
      let duration = max(0, end - start)
      track.timeline.append((Int(start), Int(duration)))
      track.rendition.segments.append(
        LadderIndex.Segment(
          file: "\(name)/\(numbered(number)).m4s", bytes: segments[number].bytes,
          start: Double(start) / Double(track.timescale), duration: Double(duration) / Double(track.timescale)))
    }
    track.rendition.setBitRates()
    return track
  }
}

/// A track of a package, as its playlists and its manifest tell it.
struct PackagedTrack {
  let name: String
  /// As RFC 6381 writes it; nil where the header does not tell.
  let codecs: String?
  /// Ticks per second.
  let timescale: Int
  /// Of pictures.
  let size: PictureSize
  let rate: Ratio?
  /// Of sound.
  let sampleRate: Int
  /// As the container has it.
  let language: String?
  /// Of each segment, in ticks.
  var timeline: [(start: Int, duration: Int)] = []
  var rendition = LadderIndex.Rendition(packaging: .fmp4)

  init(
    name: String, codecs: String?, timescale: Int, size: PictureSize, rate: Ratio?, sampleRate: Int, language: String?
  ) {
    (self.name, self.codecs, self.timescale, self.size) = (name, codecs, timescale, size)
    (self.rate, self.sampleRate) = (rate, sampleRate)
    let isTag = language.map {
      $0 != "und" && $0.utf8.count >= 2 && $0.utf8.allSatisfy { (97...122).contains($0 | 32) }
    }
    self.language = isTag == true ? language : nil
  }
}
