internal import CFFmpeg
import Frames
import Media

/// libswresample, from one format of decoded samples to interleaved 32-bit float at the wanted rate and layout. One thread at a time.
final class AudioConverter {
  private let resampler: OpaquePointer
  private let (sampleFormat, sampleRate): (Int32, Int32)
  private var source = AVChannelLayout()
  private let target: SoundFormat
  /// Of what the resampler gives.
  private let channels: Int
  /// From those to the target's; nil: they are the target's.
  private let mix: ChannelMix?
  /// A hostile frame of a low rate is converted in many steps.
  static let chunk = 16_384

  /// Nil: libswresample cannot convert such samples, or there is no memory.
  ///
  /// - Parameter map: of each channel of an ambisonic track, its place among those of the frame.
  init?(_ frame: UnsafeMutablePointer<AVFrame>, to target: SoundFormat, track: SoundLayout?, map: [Int]?) {
    let count = Int(frame.pointee.ch_layout.nb_channels)
    let decoded = soundLayout(frame.pointee.ch_layout)
    var wanted = BENCH_SOUND_OTHER
    let trackMap = map ?? Array(0..<(track?.channelCount ?? 0))
    if let track, track.isAmbisonic, trackMap.count == track.channelCount, trackMap.allSatisfy({ $0 < count }) {
      mix = ChannelMix(from: track, map: trackMap, to: target.layout)
      channels = count
    } else if let decoded, decoded.isAmbisonic {
      let locked = decoded == .ambisonicAndStereo ? [count - 2, count - 1] : []
      mix = ChannelMix(from: decoded, map: Array(0..<4) + locked, to: target.layout)
      channels = count
    } else {
      // Ambisonics of a track that has none in this place: a plain pair of channels.
      let speakers: SoundLayout = target.layout.isAmbisonic ? (decoded == .mono ? .mono : .stereo) : target.layout
      wanted = speakers.resampled
      channels = speakers.channelCount
      mix = ChannelMix(from: speakers, map: nil, to: target.layout)
    }
    var made: OpaquePointer?
    guard bench_sound_resampler(&made, frame, Int32(clamping: target.sampleRate), wanted) >= 0, let made else {
      swr_free(&made)
      return nil
    }
    resampler = made
    (sampleFormat, sampleRate) = (frame.pointee.format, frame.pointee.sample_rate)
    self.target = target
    av_channel_layout_copy(&source, &frame.pointee.ch_layout)
  }

  deinit {
    var freed: OpaquePointer? = resampler
    swr_free(&freed)
    av_channel_layout_uninit(&source)
  }

  /// Whether a frame has the format that this one converts from.
  func fits(_ frame: UnsafeMutablePointer<AVFrame>) -> Bool {
    frame.pointee.format == sampleFormat && frame.pointee.sample_rate == sampleRate
      && av_channel_layout_compare(&frame.pointee.ch_layout, &source) == 0
  }

  /// How many sample frames at once make about `chunk` of the target's.
  var step: Int { max(1, Self.chunk * Int(sampleRate) / target.sampleRate) }

  /// The frame's samples, of which the resampler keeps some back.
  func convert(_ frame: UnsafeMutablePointer<AVFrame>, _ range: Range<Int>) -> [Float] {
    converted(frame, range)
  }

  /// What the resampler keeps back; nothing can be converted after it.
  func finish() -> [Float] { converted(nil, 0..<0) }

  private func converted(_ frame: UnsafeMutablePointer<AVFrame>?, _ range: Range<Int>) -> [Float] {
    let room = max(0, swr_get_out_samples(resampler, Int32(clamping: range.count)))
    guard room > 0 else { return [] }
    let samples = [Float](unsafeUninitializedCapacity: Int(room) * channels) { buffer, count in
      let made = bench_sound_convert(
        resampler, buffer.baseAddress, room, frame, Int32(clamping: range.lowerBound), Int32(clamping: range.count))
      count = max(0, Int(made)) * channels
    }
    return mix?.apply(samples, channels: channels) ?? samples
  }
}

extension SoundLayout {
  fileprivate var resampled: bench_sound_layout {
    switch self {
    case .mono: BENCH_SOUND_MONO
    case .stereo: BENCH_SOUND_STEREO
    case .surround51: BENCH_SOUND_51
    case .surround71: BENCH_SOUND_71
    case .ambisonic, .ambisonicAndStereo: BENCH_SOUND_OTHER
    }
  }
}
