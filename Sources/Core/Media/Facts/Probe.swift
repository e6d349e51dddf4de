package import CFFmpeg
import Frames

/// Opens `path` and describes it; throws when it has no video that can be decoded here.
///
/// Encrypted video is described, not refused: `isEncrypted` says so.
///
/// - Parameter acceptsSound: describes a file of sound alone too, with black pictures in place of its video.
public func probe(
  _ path: String, acceptsSound: Bool = false, network: NetworkOptions = NetworkOptions(),
  interruption: Interruption = Interruption()
) throws(Failure) -> MediaInfo {
  try checkInput(path)
  let file = try Demuxer(path: path, network: network, interruption: interruption)
  if acceptsSound, let info = describeSound(file) { return info }
  return try describe(file).info
}

/// The same of a source that is open.
package func probe(_ source: any ByteSource, interruption: Interruption = Interruption()) throws(Failure) -> MediaInfo {
  let file = try Demuxer(
    path: source.path, source: source, network: NetworkOptions(), interruption: interruption)
  return try describe(file).info
}

/// The description, and the decoder FFmpeg would choose.
package func describe(_ file: Demuxer) throws(Failure) -> (info: MediaInfo, decoder: UnsafePointer<AVCodec>) {
  let (stream, decoder) = try chooseVideo(file)
  return (describe(file, describeVideo(file, stream, decoder), describeChapters(file, stream)), decoder)
}

/// A file of sound alone: black pictures of its length stand in for the video. Nil for one that has video, no track of sound that can be
/// played, or no length.
package func describeSound(_ file: Demuxer) -> MediaInfo? {
  guard (try? chooseVideo(file)) == nil, audioStreams(file).contains(where: { $0.refusal == nil }),
    file.context.pointee.duration > 0
  else { return nil }
  return describeStill(file, seconds: Double(file.context.pointee.duration) / Double(bench_time_base()))
}

/// A segment of a stream, which may have sound alone: then a picture stands in for its video.
package func describeSegment(_ file: Demuxer) throws(Failure) -> MediaInfo {
  if (try? chooseVideo(file)) != nil { return try describe(file).info }
  return describeStill(file, seconds: 0)
}

private func describeStill(_ file: Demuxer, seconds: Double) -> MediaInfo {
  let coding = VideoCoding(
    codec: "none", profile: nil, decoder: "rawvideo", pixelFormat: "yuv420p", isInterlaced: false, isDolbyVision: false,
    isEncrypted: false, keyIdentifier: nil)
  let size = StillPackets.size
  let color = colorDescription(
    matrix: AVCOL_SPC_BT709, range: AVCOL_RANGE_MPEG, siting: AVCHROMA_LOC_LEFT, primaries: AVCOL_PRI_BT709,
    transfer: AVCOL_TRC_BT709, format: AV_PIX_FMT_YUV420P, size: size)
  let video = VideoInfo(
    streamIndex: -1, coding: coding,
    shape: PictureShape(size: size, sampleAspect: Ratio(1, 1), rotation: 0, isMirrored: false),
    coverage: PictureCoverage(spherical: nil, stereo: nil, isMultiview: false),
    frameRate: Ratio(Int32(StillPackets.rate), 1),
    frameCount: Int(saturating: (seconds * Double(StillPackets.rate)).rounded(.up)), color: color)
  return describe(file, video, [])
}

private func describe(_ file: Demuxer, _ video: VideoInfo, _ chapters: [Chapter]) -> MediaInfo {
  let context = file.context
  let streams = (0..<Int(context.pointee.nb_streams)).compactMap { file.stream($0).map(describeStream) }
  let synthetic = metadata(context.pointee.metadata, "comment").flatMap { SyntheticTag(comment: $0) }
  let duration = context.pointee.duration
  // A playlist's own bit rate is that of fetching the playlist.
  let isPlaylist = ["hls", "dash"].contains(string(context.pointee.iformat.pointee.name) ?? "")
  return MediaInfo(
    path: file.path, container: string(context.pointee.iformat.pointee.name) ?? "unknown",
    durationSeconds: duration > 0 ? Double(duration) / Double(bench_time_base()) : nil,
    bitRate: !isPlaylist && context.pointee.bit_rate > 0 ? context.pointee.bit_rate : nil,
    isLive: duration <= 0 && (isPlaylist || file.isRemote && context.pointee.pb?.pointee.seekable == 0),
    streams: streams, video: video, audio: audioStreams(file), subtitles: subtitleStreams(file), chapters: chapters,
    synthetic: synthetic)
}

/// The stream FFmpeg calls best, attached pictures left out.
package func chooseVideo(
  _ file: Demuxer
) throws(Failure) -> (UnsafeMutablePointer<AVStream>, UnsafePointer<AVCodec>) {
  let attempt = "cannot decode '\(file.path)'"
  let index = file.beginning(ofVideo: Int(av_find_best_stream(file.context, AVMEDIA_TYPE_VIDEO, -1, -1, nil, 0)))
  guard let stream = file.stream(index), stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0 else {
    let isCover = file.stream(index).map { $0.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0 }
    if isCover == true {
      throw Failure(
        .media, attempt, cause: "its only video is a cover picture, of a clip without video",
        remedy: "name a file with video; 'bench360 view' plays sound alone")
    }
    let kinds = (0..<Int(file.context.pointee.nb_streams)).compactMap { file.stream($0).map(describeStream)?.kind }
    let found = kinds.isEmpty ? "no streams" : "only " + Set(kinds).sorted().joined(separator: ", ")
    throw Failure(
      .media, attempt, cause: "it has no video stream (\(found))",
      remedy: kinds.contains("audio")
        ? "name a file with video; 'bench360 view' plays sound alone" : "name a file with video")
  }
  let parameters = stream.pointee.codecpar.pointee
  guard let decoder = avcodec_find_decoder(parameters.codec_id) else {
    throw Failure(
      .unsupported, attempt, cause: "this FFmpeg has no decoder for codec '\(codecName(parameters))'",
      remedy: "convert it, or use an FFmpeg built with that decoder")
  }
  return (stream, decoder)
}

/// FFmpeg's name of a codec, or the file's own four letters where FFmpeg does not know them.
private func codecName(_ parameters: AVCodecParameters) -> String {
  if parameters.codec_id != AV_CODEC_ID_NONE { return string(avcodec_get_name(parameters.codec_id)) ?? "unknown" }
  var text = [CChar](repeating: 0, count: Int(AV_FOURCC_MAX_STRING_SIZE))
  return string(av_fourcc_make_string(&text, parameters.codec_tag)) ?? "unknown"
}

private func describeStream(_ stream: UnsafeMutablePointer<AVStream>) -> StreamInfo {
  let parameters = stream.pointee.codecpar.pointee
  return StreamInfo(
    index: Int(stream.pointee.index),
    kind: string(av_get_media_type_string(parameters.codec_type)) ?? "unknown",
    codec: string(avcodec_get_name(parameters.codec_id)) ?? "unknown",
    language: metadata(stream.pointee.metadata, "language"))
}

private func describeVideo(
  _ file: Demuxer, _ stream: UnsafeMutablePointer<AVStream>, _ decoder: UnsafePointer<AVCodec>
) -> VideoInfo {
  let parameters = stream.pointee.codecpar.pointee
  let size = PictureSize(width: Int(parameters.width), height: Int(parameters.height))
  let format = AVPixelFormat(rawValue: parameters.format)
  let rate = frameRate(file, stream)
  let aspect = Ratio(av_guess_sample_aspect_ratio(file.context, stream, nil))
  let sphere = SphericalDescription(file, stream)
  var color = colorDescription(
    matrix: parameters.color_space, range: parameters.color_range, siting: parameters.chroma_location,
    primaries: parameters.color_primaries, transfer: parameters.color_trc, format: format, size: size)
  color.peakNits = peakNits(stream)
  let coding = VideoCoding(
    codec: string(avcodec_get_name(parameters.codec_id)) ?? "unknown",
    profile: string(avcodec_profile_name(parameters.codec_id, parameters.profile)),
    decoder: string(decoder.pointee.name) ?? "unknown", pixelFormat: string(av_get_pix_fmt_name(format)),
    isInterlaced: parameters.field_order.rawValue > AV_FIELD_PROGRESSIVE.rawValue,
    isDolbyVision: bench_stream_side_data(stream, AV_PKT_DATA_DOVI_CONF, nil) != nil,
    isEncrypted: file.isLocked(stream),
    keyIdentifier: file.keyIdentifier(of: stream))
  let shape = PictureShape(
    size: size, sampleAspect: aspect.value == nil ? Ratio(1, 1) : aspect, rotation: rotation(stream),
    isMirrored: isMirrored(stream))
  return VideoInfo(
    streamIndex: Int(stream.pointee.index), coding: coding, shape: shape,
    coverage: PictureCoverage(spherical: sphere.spherical, stereo: sphere.stereo, isMultiview: sphere.isMultiview),
    frameRate: rate, frameCount: stream.pointee.nb_frames > 0 ? Int(stream.pointee.nb_frames) : nil, color: color,
    groupOfPictures: groupOfPictures(stream, rate: rate))
}

/// The rate frames are meant to be shown at; 25 when nothing is known, as FFmpeg's demuxers assume.
private func frameRate(_ file: Demuxer, _ stream: UnsafeMutablePointer<AVStream>) -> Ratio {
  for candidate in [av_guess_frame_rate(file.context, stream, nil), stream.pointee.avg_frame_rate] {
    let rate = Ratio(candidate)
    if let value = rate.value, value <= 1000 { return rate }
  }
  return Ratio(25, 1)
}

private func rotation(_ stream: UnsafeMutablePointer<AVStream>) -> Int {
  var size = 0
  let matrix = bench_stream_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size)
  let degrees = bench_display_rotation(matrix, size)
  guard degrees.isFinite else { return 0 }
  let quarter = Int((degrees / 90).rounded())
  return ((quarter % 4) + 4) % 4 * 90
}

private func isMirrored(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
  var size = 0
  let matrix = bench_stream_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size)
  return bench_display_is_mirrored(matrix, size) != 0
}

func isEncrypted(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
  let tags: [UInt32] = [fourCC("encv"), fourCC("drmi"), fourCC("enca"), fourCC("drms")]
  return tags.contains(stream.pointee.codecpar.pointee.codec_tag)
    || bench_stream_side_data(stream, AV_PKT_DATA_ENCRYPTION_INIT_INFO, nil) != nil
}

private func fourCC(_ text: String) -> UInt32 {
  text.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
}

package func metadata(_ dictionary: OpaquePointer?, _ key: String) -> String? {
  guard let entry = av_dict_get(dictionary, key, nil, 0) else { return nil }
  return string(entry.pointee.value)
}
