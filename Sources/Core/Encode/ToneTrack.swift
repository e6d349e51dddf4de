internal import CFFmpeg
import Frames
import Media
import TestPicture

/// The sound of a synthetic clip at 48 kHz: a tone that tells its place, with a beep as each flash begins; of one channel, or from
/// the scene's sounding balloon.
struct ToneTrack: ~Copyable {
  private var sound: SoundEncoder
  private let stream: UnsafeMutablePointer<AVStream>
  private let scene: SceneSound
  private let isAmbisonic: Bool

  /// AAC, or Opus in WebM.
  init(_ clip: ClipSpecification, isAmbisonic: Bool, in file: borrowing OutputFile) throws {
    let name = file.isWebM ? "libopus" : "aac"
    let channels = isAmbisonic ? 4 : 1
    let sound = try SoundEncoder(
      name, channels: channels, bitRate: Int64(96_000 * channels), hasGlobalHeader: file.wantsGlobalHeader
    ) { codec in
      try file.requireSupport(of: codec, named: name)
    }
    let stream = try file.addStream(for: sound.encoder)
    if isAmbisonic { av_dict_set(&stream.pointee.metadata, "title", "Ambisonic", 0) }
    self.sound = sound
    self.stream = stream
    self.isAmbisonic = isAmbisonic
    scene = SceneSound(rate: SoundEncoder.sampleRate, track: isAmbisonic ? 1 : 0, flashes: clip.flashTimes)
  }

  /// Writes whole audio frames until `seconds` are covered.
  mutating func write(until seconds: Double, to file: borrowing OutputFile) throws {
    let (stream, scene, isAmbisonic) = (stream, scene, isAmbisonic)
    while Double(sound.position) < seconds * Double(SoundEncoder.sampleRate) {
      try sound.encode(fill: { channels, position in
        let count = channels.first?.count ?? 0
        let samples =
          isAmbisonic
          ? scene.ambisonic(from: position, count: count) : [scene.samples(from: position, count: count)]
        for (channel, values) in zip(channels, samples) { _ = channel.update(fromContentsOf: values) }
      }) { packet, encoder in try file.write(packet, from: encoder, to: stream) }
    }
  }

  func finish(to file: borrowing OutputFile) throws {
    try sound.finish { packet, encoder in try file.write(packet, from: encoder, to: stream) }
  }
}

extension ClipSpecification {
  /// When frames flash, in seconds.
  fileprivate var flashTimes: [Double] {
    guard let period = scene.flashPeriod, let rate = scene.rate.value else { return [] }
    return stride(from: 0, to: scene.frames, by: period).map {
      Double(timestamp(of: $0)) / Double(ticksPerFrame) / rate
    }
  }
}
