import Frames

/// How channels are made of others: reordered, or mixed, of or to ambisonics. libswresample mixes loudspeakers.
package struct ChannelMix: Sendable {
  private typealias Part = (channel: Int, gain: Float)
  /// Of each channel that is made: channels and how much of them.
  private let rows: [[Part]]

  /// Nil: the channels are the wanted ones already.
  ///
  /// Two ears hear ambisonics as two cardioids hear them that look left and right; a pair of loudspeakers stands left and right of the
  /// sphere's centre as in a cardioid's inverse. Head-locked channels are the same for both.
  ///
  /// - Parameters:
  ///   - source: what the channels are for; of loudspeakers the target's own, mono or stereo.
  ///   - map: of each channel of `source`, its place; nil: in their order.
  package init?(from source: SoundLayout, map: [Int]?, to target: SoundLayout) {
    func part(_ channel: Int, _ gain: Float = 1) -> Part { (map?[channel] ?? channel, gain) }
    var rows: [[Part]]
    if source.isAmbisonic, target.isAmbisonic {
      rows = (0..<4).map { [part($0)] }
      if target == .ambisonicAndStereo {
        rows += source == target ? [[part(4)], [part(5)]] : [[], []]
      } else if source == .ambisonicAndStereo {
        rows[0] += [part(4, 0.5), part(5, 0.5)]
      }
    } else if source.isAmbisonic {
      let isLocked = source == .ambisonicAndStereo
      rows = [[part(0, 0.5), part(1, 0.5)], [part(0, 0.5), part(1, -0.5)]]
      if isLocked { (rows[0], rows[1]) = (rows[0] + [part(4)], rows[1] + [part(5)]) }
      if target == .mono { rows = [[part(0)] + (isLocked ? [part(4, 0.5), part(5, 0.5)] : [])] }
    } else if target.isAmbisonic {
      rows = source == .mono ? [[part(0)]] : [[part(0, 0.5), part(1, 0.5)], [part(0, 0.5), part(1, -0.5)]]
    } else if target == .surround71 {
      // FFmpeg has the two channels behind before those at the sides.
      rows = [0, 1, 2, 3, 6, 7, 4, 5].map { [part($0)] }
    } else {
      return nil
    }
    rows += Array(repeating: [], count: max(0, target.channelCount - rows.count))
    let isPlain = rows.enumerated().allSatisfy { $1.count == 1 && $1[0].channel == $0 && $1[0].gain == 1 }
    guard !isPlain || source != target || map != nil else { return nil }
    self.rows = rows
  }

  /// - Parameters:
  ///   - samples: interleaved.
  ///   - channels: in them.
  package func apply(_ samples: [Float], channels: Int) -> [Float] {
    let frames = samples.count / max(1, channels)
    return [Float](unsafeUninitializedCapacity: frames * rows.count) { buffer, count in
      for frame in 0..<frames {
        for row in rows {
          buffer[count] = row.reduce(0) { $0 + samples[frame * channels + $1.channel] * $1.gain }
          count += 1
        }
      }
    }
  }
}
