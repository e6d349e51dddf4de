internal import CFFmpeg
import Frames
import Media
import TestPicture

/// One track of alternate audio: `TonePosition`'s tone as AAC, cut into segments at the frame that begins in each.
struct LadderSound: ~Copyable {
  static let codecs = "mp4a.40.2"
  static let bitRate: Int64 = 64_000

  private let sound: SoundEncoder
  /// The packets of each segment.
  let segments: [[CodedPacket]]

  /// Encodes the whole track. `check` is called for each of its frames, and throws to stop.
  init(_ specification: LadderSpecification, track: Int, _ check: () throws -> Void) throws {
    var sound = try SoundEncoder("aac", bitRate: Self.bitRate, hasGlobalHeader: true)
    let tone = TonePosition.Generator(rate: SoundEncoder.sampleRate, track: track)
    var packets: [CodedPacket] = []
    let end = specification.duration * Double(SoundEncoder.sampleRate)
    // The encoder delays: what it still holds of the last frame comes with the frames after it.
    while Double(sound.position) < end + 2 * Double(sound.samplesPerFrame) {
      try check()
      try sound.encode(fill: { channels, position in
        for channel in channels {
          _ = channel.update(fromContentsOf: tone.samples(from: position, count: channel.count))
        }
      }) { packet, _ in packets.append(CodedPacket(packet)) }
    }
    try sound.finish { packet, _ in packets.append(CodedPacket(packet)) }
    let starts = specification.segments.map {
      specification.seconds($0.lowerBound) * Double(SoundEncoder.sampleRate)
    }
    var segments = starts.map { _ in [CodedPacket]() }
    // The first frame lies before 0: the encoder's delay. Without it the tone fades in during the second one, and every
    // packaging begins at 0.
    for packet in packets where packet.presentation >= 0 && Double(packet.presentation) < end {
      let index = starts.lastIndex { $0 <= Double(packet.presentation) } ?? 0
      segments[index].append(packet)
    }
    self.sound = sound
    self.segments = segments
  }

  /// Samples before each segment and in it.
  func samples(ofSegment index: Int) -> Range<Int> {
    guard let first = segments[index].first, let last = segments[index].last else { return 0..<0 }
    return Range(from: Int(first.presentation), to: Int(last.presentation) + sound.samplesPerFrame)
  }

  func transportMuxer() throws -> TransportMuxer { try TransportMuxer(of: sound.encoder) }

  func fragmentMuxer(comment: String, encryption: CommonEncryption?) throws -> FragmentMuxer {
    try FragmentMuxer(of: sound.encoder, comment: comment, encryption: encryption) { _ in }
  }
}
