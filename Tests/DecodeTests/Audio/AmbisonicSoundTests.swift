import Decode
import Foundation
import Frames
import Media
import Support
import Testing

/// Ambisonic tracks come out as ambiX, wherever the file has their channels.
@Suite(.tier(.test)) struct AmbisonicSoundTests {
  /// The strongest of the clip's tones in a channel.
  private func tone(_ samples: [Float], channel: Int, of channels: Int) -> Int? {
    let own = stride(from: channel + 9600 * channels, to: samples.count, by: channels).prefix(24_000).map {
      samples[$0]
    }
    func power(_ frequency: Int) -> Float {
      var (sumX, sumY): (Float, Float) = (0, 0)
      for (index, sample) in own.enumerated() {
        let angle = 2 * Double.pi * Double(index * frequency % 48_000) / 48_000
        sumX += sample * Float(cos(angle))
        sumY += sample * Float(sin(angle))
      }
      return (sumX * sumX + sumY * sumY) / Float(own.count * own.count)
    }
    let powers = (0..<6).map { power(SpatialClips.frequency(ofChannel: $0)) }
    guard let best = powers.indices.max(by: { powers[$0] < powers[$1] }), powers[best] > 1e-5 else { return nil }
    return best
  }

  private func tones(_ path: String, _ layout: SoundLayout? = nil) throws -> (SoundFormat, [Int?]) {
    let reader = try AudioReader(path, layout: layout)
    let samples = try reader.rest().samples
    let channels = reader.format.channelCount
    return (reader.format, (0..<channels).map { tone(samples, channel: $0, of: channels) })
  }

  @Test func channelsAreReordered() throws {
    let (format, plain) = try tones(
      try SpatialClips.clip("ambisonic-plain.mov", channels: 4, SpatialClips.box(map: [0, 1, 2, 3])))
    #expect(format.layout == .ambisonic && plain == [0, 1, 2, 3])
    let (_, turned) = try tones(
      try SpatialClips.clip("ambisonic-turned.mov", channels: 4, SpatialClips.box(map: [0, 2, 3, 1])))
    #expect(turned == [0, 2, 3, 1])
  }

  @Test func headLockedStereoComesLast() throws {
    let path = try SpatialClips.clip(
      "ambisonic-locked.mov", channels: 6, SpatialClips.box(type: 0x80, map: [2, 3, 4, 5, 0, 1]))
    let (format, found) = try tones(path)
    #expect(format.layout == .ambisonicAndStereo && found == [2, 3, 4, 5, 0, 1])
    #expect(try tones(path, .ambisonic).1 == [2, 3, 4, 5])
    // Each ear has its own head-locked channel, which no other weakens.
    #expect(try tones(path, .stereo).1 == [0, 1])
  }

  @Test func mixesHaveTheChannelsThatWereAskedFor() {
    let layouts = SoundLayout.allCases
    for target in layouts {
      for source in [SoundLayout.mono, .stereo, .ambisonic, .ambisonicAndStereo]
      where source.isAmbisonic || target.isAmbisonic {
        let mixed = ChannelMix(from: source, map: nil, to: target)
          .map { $0.apply([Float](repeating: 1, count: 10 * source.channelCount), channels: source.channelCount) }
        #expect((mixed?.count ?? 10 * source.channelCount) == 10 * target.channelCount, "\(source) to \(target)")
      }
    }
  }

  /// A source at the left is louder there, and a pair of loudspeakers keeps its sides.
  @Test func sidesAreKept() throws {
    let heard = try #require(ChannelMix(from: .ambisonic, map: nil, to: .stereo)).apply([1, 1, 0, 0], channels: 4)
    #expect(heard == [1, 0])
    let made = try #require(ChannelMix(from: .stereo, map: nil, to: .ambisonic)).apply([1, 0], channels: 2)
    #expect(made == [0.5, 0.5, 0, 0])
    let back = try #require(ChannelMix(from: .ambisonic, map: nil, to: .stereo)).apply(made, channels: 4)
    #expect(back == [0.5, 0])
  }
}
