package import CFFmpeg
import Frames

/// The streams of sound that a file holds, with the ones that cannot be played.
func audioStreams(_ file: Demuxer) -> [AudioTrack] {
  let streams = (0..<Int(file.context.pointee.nb_streams)).compactMap { file.stream($0) }
    .filter { $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO }
  let entries = streams.isEmpty ? [:] : soundEntries(file)
  return streams.map { describe(file, $0, entries[Int($0.pointee.id)]) }
}

/// By the track's number in the file; empty for other containers than MP4.
private func soundEntries(_ file: Demuxer) -> [Int: SoundEntry] {
  let container = string(file.context.pointee.iformat.pointee.name) ?? ""
  guard container.contains("mov"), let bytes = file.source.bytes else { return [:] }
  return SoundEntry.tracks(of: bytes, unless: file.boxInterruption())
}

private func describe(
  _ file: Demuxer, _ stream: UnsafeMutablePointer<AVStream>, _ entry: SoundEntry?
) -> AudioTrack {
  let parameters = stream.pointee.codecpar.pointee
  let tags = stream.pointee.metadata
  let disposition = stream.pointee.disposition
  let channels = Int(max(0, parameters.ch_layout.nb_channels))
  let codec = string(avcodec_get_name(parameters.codec_id)) ?? "unknown"
  // The box is of no use to fewer channels.
  let channelFacts = ChannelFacts(parameters.ch_layout, box: channels < 4 ? nil : entry?.spatial)
  let title = metadata(tags, "title") ?? metadata(tags, "name")
  return AudioTrack(
    streamIndex: Int(stream.pointee.index), codec: codec,
    language: metadata(tags, "language").flatMap { Language($0) },
    title: title.flatMap { $0.isEmpty ? nil : String($0.prefix(200)) },
    sampleRate: Int(max(0, parameters.sample_rate)), channels: channels, layout: channelFacts.layout,
    isDefault: disposition & AV_DISPOSITION_DEFAULT != 0, isOriginal: disposition & AV_DISPOSITION_ORIGINAL != 0,
    isDescriptive: disposition & (AV_DISPOSITION_VISUAL_IMPAIRED | AV_DISPOSITION_DESCRIPTIONS) != 0,
    isForced: disposition & AV_DISPOSITION_FORCED != 0, channelMap: channelFacts.map,
    refusal: file.isLocked(stream, entry) ? "it is encrypted" : refusal(stream, codec) ?? channelFacts.refusal)
}

private func refusal(_ stream: UnsafeMutablePointer<AVStream>, _ codec: String) -> String? {
  let parameters = stream.pointee.codecpar.pointee
  guard avcodec_find_decoder(parameters.codec_id) != nil else { return "this FFmpeg has no decoder for '\(codec)'" }
  // The nineteenth byte of OpusHead is the family of channel mappings: in the fourth a matrix makes the channels.
  if parameters.codec_id == AV_CODEC_ID_OPUS, let header = parameters.extradata, parameters.extradata_size > 18,
    header[18] == 3
  {
    return "this FFmpeg does not decode Opus whose ambisonics a matrix makes (channel mapping family 3)"
  }
  let rate = Int(parameters.sample_rate)
  if rate != 0, !AudioTrack.sampleRates.contains(rate) { return "it has \(rate) samples per second" }
  return nil
}

extension AudioTrack {
  /// Sample rates that are decoded, against files made to fill memory.
  package static let sampleRates = 1000...768_000
}

/// What channels are for, from FFmpeg's description of them, and from the box of an ambisonic track.
struct ChannelFacts {
  var layout: SoundLayout?
  var map: [Int]?
  var refusal: String?

  init(_ layout: AVChannelLayout, box: SpatialAudio?) {
    let channels = Int(layout.nb_channels)
    if let box {
      guard let flaw = box.flaw(channels: channels) else {
        self.layout = box.isHeadLocked ? .ambisonicAndStereo : .ambisonic
        map = box.map
        return
      }
      refusal = flaw
      return
    }
    self.layout = soundLayout(layout)
    // Higher orders hold the first one in their first four channels.
    if self.layout?.isAmbisonic == true, channels != self.layout?.channelCount {
      map = Array(0..<4) + (self.layout == .ambisonicAndStereo ? [channels - 2, channels - 1] : [])
    }
    if self.layout == nil, channels > SoundLayout.surround71.channelCount {
      refusal = "it has \(channels) channels, and \(SoundLayout.surround71.channelCount) are the most that are played"
    }
  }
}

/// FFmpeg's layout as one of ours; nil where none has these channels. Channels whose use is not said are taken for the usual ones.
package func soundLayout(_ layout: AVChannelLayout) -> SoundLayout? {
  var layout = layout
  switch bench_sound_layout(&layout) {
  case BENCH_SOUND_MONO: return .mono
  case BENCH_SOUND_STEREO: return .stereo
  case BENCH_SOUND_51: return .surround51
  case BENCH_SOUND_71: return .surround71
  case BENCH_SOUND_AMBISONIC: return .ambisonic
  case BENCH_SOUND_AMBISONIC_STEREO: return .ambisonicAndStereo
  default: return nil
  }
}
