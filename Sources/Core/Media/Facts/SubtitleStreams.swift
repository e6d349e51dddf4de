internal import CFFmpeg
import Frames

/// The streams of subtitles that a file holds, with the ones that cannot be drawn.
func subtitleStreams(_ file: Demuxer) -> [SubtitleTrack] {
  (0..<Int(file.context.pointee.nb_streams)).compactMap { index in
    guard let stream = file.stream(index), let parameters = stream.pointee.codecpar,
      parameters.pointee.codec_type == AVMEDIA_TYPE_SUBTITLE
    else { return nil }
    let codec = string(avcodec_get_name(parameters.pointee.codec_id)) ?? "unknown"
    let title = metadata(stream.pointee.metadata, "title") ?? metadata(stream.pointee.metadata, "name")
    return SubtitleTrack(
      streamIndex: index, codec: codec,
      language: metadata(stream.pointee.metadata, "language").flatMap { Language($0) },
      title: title.flatMap { $0.isEmpty ? nil : String($0.prefix(200)) },
      isDefault: stream.pointee.disposition & AV_DISPOSITION_DEFAULT != 0,
      isForced: stream.pointee.disposition & AV_DISPOSITION_FORCED != 0,
      refusal: refusal(parameters.pointee.codec_id, codec, isRemote: file.isRemote))
  }
}

private func refusal(_ id: AVCodecID, _ codec: String, isRemote: Bool) -> String? {
  let properties = avcodec_descriptor_get(id)?.pointee.props ?? 0
  if properties & AV_CODEC_PROP_BITMAP_SUB != 0 { return "'\(codec)' holds pictures, and only text is drawn" }
  guard properties & AV_CODEC_PROP_TEXT_SUB != 0 else { return "'\(codec)' is no text that FFmpeg knows" }
  guard avcodec_find_decoder(id) != nil else { return "this FFmpeg has no decoder for '\(codec)'" }
  return isRemote ? "subtitles inside of a clip from the network are not read: name a file of their own" : nil
}
