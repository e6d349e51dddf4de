internal import CFFmpeg
import FFmpegLog
import Frames
import TestPicture

/// A quiet tone, so that files with audio exist: 440 Hz, one channel, 48 kHz.
struct AudioTrack: ~Copyable {
  private static let amplitude: Float = 0.05

  private var sound: SoundEncoder
  private let stream: UnsafeMutablePointer<AVStream>

  /// AAC, or Opus in WebM.
  init(in file: borrowing OutputFile) throws {
    let name = file.isWebM ? "libopus" : "aac"
    let sound = try SoundEncoder(name, bitRate: 64000, hasGlobalHeader: file.wantsGlobalHeader) { codec in
      try file.requireSupport(of: codec, named: name)
    }
    let stream = try file.addStream(for: sound.encoder)
    self.sound = sound
    self.stream = stream
  }

  /// Writes whole audio frames until `seconds` are covered.
  mutating func write(until seconds: Double, to file: borrowing OutputFile) throws {
    let stream = stream
    while Double(sound.position) < seconds * Double(SoundEncoder.sampleRate) {
      try sound.encode(fill: Self.fill) { packet, encoder in try file.write(packet, from: encoder, to: stream) }
    }
  }

  func finish(to file: borrowing OutputFile) throws {
    try sound.finish { packet, encoder in try file.write(packet, from: encoder, to: stream) }
  }

  private static func fill(_ samples: UnsafeMutableBufferPointer<Float>, from position: Int) {
    for index in samples.indices {
      let cycles = Double((position + index) % SoundEncoder.sampleRate) * 440 / Double(SoundEncoder.sampleRate)
      samples[index] = amplitude * Float(sine(turns: cycles))
    }
  }
}
