internal import CFFmpeg
import Frames
import Media

/// Packets of one track as fragmented MP4 (ISO/IEC 14496-12, and 23009-1 for segments): an initialization segment by
/// libavformat, and segments of one fragment each. One thread at a time.
///
/// Presentation begins at 0: an edit list hides the time by which pictures are decoded before they are shown.
struct FragmentMuxer {
  /// Ticks per second of the track's clock.
  let timescale: Int
  /// Without the edit list, which depends on the first packet.
  private let header: [UInt8]
  /// Ticks of this clock in one of the packets' clock.
  private let scale: Int64
  private let isVideo: Bool
  private let encryption: CommonEncryption?
  /// How far decoding times precede presentation times, in ticks.
  private var delay: Int64 = 0
  private var segments: UInt32 = 0
  private var samples = 0

  /// - Parameters:
  ///   - comment: the container's.
  ///   - describe: sets the stream's parameters beyond the encoder's.
  init(
    of encoder: borrowing Encoder, comment: String, encryption: CommonEncryption?,
    describe: (UnsafeMutablePointer<AVStream>) -> Void
  ) throws {
    let attempt = "cannot write fragmented MP4"
    var made: UnsafeMutablePointer<AVFormatContext>?
    try check(avformat_alloc_output_context2(&made, nil, "mp4", nil), .unsupported, attempt)
    let context = try allocated(made)
    defer { avformat_free_context(context) }
    context.pointee.flags |= AVFMT_FLAG_BITEXACT
    context.pointee.strict_std_compliance = FF_COMPLIANCE_UNOFFICIAL
    let stream = try allocated(avformat_new_stream(context, nil))
    try check(avcodec_parameters_from_context(stream.pointee.codecpar, encoder.context), .failed, attempt)
    stream.pointee.codecpar.pointee.initial_padding = 0
    stream.pointee.time_base = encoder.context.pointee.time_base
    describe(stream)
    av_dict_set(&context.pointee.metadata, "comment", comment, 0)
    try check(avio_open_dyn_buf(&context.pointee.pb), .failed, attempt)
    var options: OpaquePointer?
    av_dict_set(&options, "movflags", "frag_custom+empty_moov+default_base_moof+cmaf", 0)
    av_dict_set(&options, "use_editlist", "0", 0)
    let code = avformat_write_header(context, &options)
    av_dict_free(&options)
    var bytes = dynamicBytes(&context.pointee.pb)
    try check(code, .failed, attempt)
    timescale = Int(stream.pointee.time_base.den)
    isVideo = encoder.context.pointee.codec_type == AVMEDIA_TYPE_VIDEO
    scale = av_rescale_q(1, encoder.context.pointee.time_base, stream.pointee.time_base)
    if let encryption { bytes = encryption.protecting(header: bytes) }
    header = bytes
    self.encryption = encryption
  }

  /// Complete after the first segment.
  var initialization: [UInt8] {
    Boxes.hiding(delay, in: header)
  }

  /// The bytes of the next segment, and how many of them hold the first packet with all that comes before it.
  mutating func segment(_ packets: [CodedPacket]) -> (bytes: [UInt8], firstBytes: Int) {
    guard let first = packets.first else { return ([], 0) }
    if segments == 0 { delay = -first.decoding * scale }
    segments += 1
    var payloads = packets.map { isVideo ? Self.lengthPrefixed($0.bytes) : $0.bytes }
    var protection: [UInt8]?
    if let encryption {
      let part = encryption.protect(&payloads, isVideo: isVideo, from: samples)
      protection = part
    }
    samples += packets.count
    // The data's offset is counted from the fragment's first byte: its size is known when all is written once.
    let size = fragment(packets, payloads, protection, offset: 0).count
    let type = Boxes.box("styp", Array("msdh".utf8) + Boxes.bytes(UInt32(0)) + Array("msdhmsixcmfs".utf8))
    let head = type + fragment(packets, payloads, protection, offset: UInt32(size + 8))
    let data = Boxes.box("mdat", Array(payloads.joined()))
    return (head + data, head.count + 8 + payloads[0].count)
  }

  private func fragment(
    _ packets: [CodedPacket], _ payloads: [[UInt8]], _ protection: [UInt8]?, offset: UInt32
  ) -> [UInt8] {
    let header = Boxes.fullBox("mfhd", Boxes.bytes(segments))
    let duration = packets.count > 1 ? packets[1].decoding - packets[0].decoding : frameDuration
    // Default duration, and for sound the flags of a sync sample; offsets count from the fragment.
    let defaults = Boxes.fullBox(
      "tfhd", flags: isVideo ? 0x02_0008 : 0x02_0028,
      Boxes.bytes(UInt32(1)) + Boxes.bytes(UInt32(duration * scale)) + (isVideo ? [] : Boxes.bytes(Self.syncFlags)))
    let time = Boxes.fullBox("tfdt", version: 1, Boxes.bytes(UInt64(packets[0].decoding * scale + delay)))
    var run = Boxes.bytes(UInt32(packets.count)) + Boxes.bytes(offset)
    for (packet, payload) in zip(packets, payloads) {
      run += Boxes.bytes(UInt32(payload.count))
      guard isVideo else { continue }
      run += Boxes.bytes(packet.isSync ? Self.syncFlags : Self.dependentFlags)
      run += Boxes.bytes(UInt32((packet.presentation - packet.decoding) * scale))
    }
    let runs = Boxes.fullBox("trun", flags: isVideo ? 0xE01 : 0x201, run)
    let fixed = header + Boxes.box("traf", defaults + time + runs)
    guard let encryption, let protection else { return Boxes.box("moof", fixed) }
    let boxes = encryption.boxes(
      protection, count: packets.count, isVideo: isVideo,
      // Behind the headers of 'moof' and 'traf' and what is in them.
      offset: 8 + header.count + 8 + defaults.count + time.count + runs.count)
    return Boxes.box("moof", header + Boxes.box("traf", defaults + time + runs + boxes))
  }

  /// Of a fragment of one picture, in the packets' clock: constant rates tick once a frame.
  private var frameDuration: Int64 { isVideo ? 1 : 1024 }

  /// Depends on no other sample; depends on others and is no sync sample.
  private static let syncFlags: UInt32 = 0x0200_0000
  private static let dependentFlags: UInt32 = 0x0101_0000

  private static func lengthPrefixed(_ bytes: [UInt8]) -> [UInt8] {
    ByteStream.units(of: bytes).flatMap { Boxes.bytes(UInt32($0.count)) + $0 }
  }
}
