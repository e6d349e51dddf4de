internal import CFFmpeg
import Frames
import Media
import TestPicture

/// Repeats a clip's video `times` times by copying its packets, without encoding.
///
/// The file at `path` is replaced as a whole, or left unchanged after a failure; its extension names the container. A
/// synthetic clip stays synthetic: its tag counts the repetitions. Other streams are left out. `progress` is called
/// after every repetition on the caller's thread; it returns false to cancel. Blocks until the file is complete.
///
/// Throws `Failure`: `.input` and `.media` when the source cannot be read, `.unsupported` when its time stamps do not
/// allow it, `.usage` when the container cannot hold it, `.output` when the file cannot be written, `.cancelled` when
/// `progress` returned false.
public func repeatClip(
  _ source: String, times: Int, to path: String,
  progress: (_ done: Int, _ total: Int) -> Bool = { _, _ in true }
) throws {
  FFmpegCallback.install()
  let input = try RepeatedPackets(path: source)
  let file = try OutputFile(path: path)
  let stream = try file.addStream(copying: input.stream)
  var tag = input.comment.flatMap { SyntheticTag(comment: $0) }.flatMap { isSound($0) ? $0 : nil }
  // A clip that was repeated before counts as one clip.
  tag?.repetitions *= times
  try file.start(comment: tag?.comment ?? input.comment)
  var shift = PacketShift(input.stream, tag, times: times)
  for number in 0..<times {
    if number > 0 { try input.rewind() }
    while let packet = try input.next() {
      try shift.move(packet, to: number, of: source)
      try file.write(packet, timeBase: input.stream.pointee.time_base, to: stream)
    }
    guard progress(number + 1, times) else {
      throw Failure(.cancelled, "stopped writing '\(path)'", cause: "cancelled after repetition \(number + 1)")
    }
  }
  try file.finish()
}

/// Whether its numbers are plausible: a file's comment can hold any text.
private func isSound(_ tag: SyntheticTag) -> Bool {
  tag.frames <= FrameCode.capacity && tag.repetitions <= 10_000
}

/// Moves packets in time. All numbers are ticks of the source's time base.
private struct PacketShift {
  private let timeBase: AVRational
  private let start: Int64
  /// Duration of one repetition as an exact fraction of a second, where the tag gives it.
  private let exact: (numerator: Int64, denominator: Int64)?
  /// The latest end of a frame so far.
  private var end: Int64 = 0
  private var lastDecoding = Int64.min
  private let usualDuration: Int64
  /// How far decoding times may precede presentation times.
  private let delay: Int64
  private var period: Int64 = 0
  /// The current repetition, and the offset of each.
  private var current = -1
  private var first: Int64?

  init(_ stream: UnsafeMutablePointer<AVStream>, _ tag: SyntheticTag?, times: Int) {
    timeBase = stream.pointee.time_base
    start = stream.pointee.start_time == bench_nopts() ? 0 : stream.pointee.start_time
    let rate = stream.pointee.avg_frame_rate
    usualDuration = rate.num > 0 ? max(1, av_rescale_q(1, AVRational(num: rate.den, den: rate.num), timeBase)) : 1
    delay = usualDuration * Int64(max(0, stream.pointee.codecpar.pointee.video_delay))
    exact = tag.map { tag in
      let frames = tag.frames * max(1, tag.repetitions / max(1, times))
      return (Int64(frames) * Int64(tag.rate.denominator), Int64(tag.rate.numerator))
    }
  }

  /// Packets of the first repetition come first.
  mutating func move(_ packet: UnsafeMutablePointer<AVPacket>, to number: Int, of path: String) throws {
    let shown = packet.pointee.pts
    guard shown != bench_nopts() else { throw refusal(path, "its packets have no time stamps") }
    guard packet.pointee.flags & AV_PKT_FLAG_DISCARD == 0 else {
      throw refusal(path, "it hides frames by an edit list, which would show in the repetitions")
    }
    if number != current {
      current = number
      guard shown == first ?? shown else { throw refusal(path, "it cannot be read from its start again") }
      first = shown
    }
    if packet.pointee.duration <= 0 { packet.pointee.duration = usualDuration }
    if number == 0 {
      end = max(end, shown - start + packet.pointee.duration)
      period = end
    }
    let offset = ticks(to: number) - start
    packet.pointee.pts = shown + offset
    // Matroska has no decoding times: those of the first packets cannot be derived from the packets read so far.
    let isKnown = packet.pointee.dts != bench_nopts()
    let decoding =
      isKnown ? packet.pointee.dts + offset : packet.pointee.pts - (lastDecoding == .min ? delay : .max / 2)
    // Where a clip's last decoding times lie closer than those after them, the seam would go back.
    packet.pointee.dts = max(decoding, lastDecoding == .min ? .min : lastDecoding + 1)
    lastDecoding = packet.pointee.dts
    guard packet.pointee.dts <= packet.pointee.pts else {
      throw refusal(path, "its decoding times do not fit together")
    }
  }

  /// From the first frame to the first of a repetition; rounded anew each time, so that it does not drift.
  private func ticks(to number: Int) -> Int64 {
    guard let exact else { return period * Int64(number) }
    return av_rescale(
      Int64(number) * exact.numerator, Int64(timeBase.den), exact.denominator * Int64(timeBase.num))
  }

  private func refusal(_ path: String, _ cause: String) -> Failure {
    Failure(.unsupported, "cannot repeat '\(path)'", cause: cause, remedy: "put the clip into a plain MP4 or Matroska")
  }
}

/// The packets of a file's video from start to end; can be rewound. One thread at a time.
private struct RepeatedPackets: ~Copyable {
  private let path: String
  private let context: UnsafeMutablePointer<AVFormatContext>
  private let packet: UnsafeMutablePointer<AVPacket>
  let stream: UnsafeMutablePointer<AVStream>
  let comment: String?

  init(path: String) throws {
    let attempt = "cannot repeat '\(path)'"
    var opened: UnsafeMutablePointer<AVFormatContext>?
    var options: OpaquePointer?
    av_dict_set(&options, "protocol_whitelist", "file,crypto,data", 0)
    let code = avformat_open_input(&opened, "file:\(path)", nil, &options)
    av_dict_free(&options)
    guard code >= 0, let context = opened else { throw Failure(.input, attempt, cause: ffmpegText(code)) }
    let probed = avformat_find_stream_info(context, nil)
    let index = av_find_best_stream(context, AVMEDIA_TYPE_VIDEO, -1, -1, nil, 0)
    guard probed >= 0, index >= 0, let stream = context.pointee.streams[Int(index)], let packet = av_packet_alloc()
    else {
      avformat_close_input(&opened)
      throw Failure(.media, attempt, cause: probed < 0 ? ffmpegText(probed) : "it has no video")
    }
    let entry = av_dict_get(context.pointee.metadata, "comment", nil, 0)
    self.path = path
    self.context = context
    self.packet = packet
    self.stream = stream
    comment = entry.map { String(cString: $0.pointee.value) }
  }

  deinit {
    var freed: UnsafeMutablePointer<AVPacket>? = packet
    av_packet_free(&freed)
    var closing: UnsafeMutablePointer<AVFormatContext>? = context
    avformat_close_input(&closing)
  }

  /// The next packet, which is this source's and emptied by the next call; nil at the end.
  func next() throws -> UnsafeMutablePointer<AVPacket>? {
    while true {
      av_packet_unref(packet)
      let code = av_read_frame(context, packet)
      if code == bench_averror_eof() { return nil }
      try check(code, .media, "cannot repeat '\(path)'")
      if packet.pointee.stream_index == stream.pointee.index { return packet }
    }
  }

  func rewind() throws {
    let start = stream.pointee.start_time == bench_nopts() ? 0 : stream.pointee.start_time
    try check(
      av_seek_frame(context, stream.pointee.index, start, AVSEEK_FLAG_BACKWARD), .unsupported,
      "cannot repeat '\(path)'")
  }
}
