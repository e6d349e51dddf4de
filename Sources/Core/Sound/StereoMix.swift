package import Frames

/// How much of each channel two ears get: every layout is mixed to stereo by one matrix.
///
/// - Mono goes to both sides as it is, stereo passes untouched.
/// - 5.1 and 7.1 by ITU-R BS.775: centre, sides and backs by 1/√2, low frequencies left out; then scaled so that full scale in all
///   channels at once is full scale, and cannot clip.
/// - Ambisonics through two virtual cardioid microphones that point to the left and to the right: left is ½ (W + Y) and right ½ (W − Y)
///   after the rotation. For one source (left − right) / (left + right) is the sine of its angle from the median plane.
/// - Head-locked stereo is added untouched; the sum of both may exceed full scale.
package struct StereoMix: Sendable, Hashable {
  /// For each channel, what the left and the right side get of it.
  package let left: [Float]
  package let right: [Float]

  /// - Parameter rotation: of the ambisonic channels; of no effect on other layouts.
  package init(_ layout: SoundLayout, rotation: AmbisonicRotation = .none) {
    switch layout {
    case .mono: (left, right) = ([1], [1])
    case .stereo: (left, right) = ([1, 0], [0, 1])
    case .surround51: (left, right) = Self.surround(pairs: 1)
    case .surround71: (left, right) = Self.surround(pairs: 2)
    case .ambisonic: (left, right) = Self.cardioids(rotation)
    case .ambisonicAndStereo:
      let turned = Self.cardioids(rotation)
      (left, right) = (turned.left + [1, 0], turned.right + [0, 1])
    }
  }

  /// Front left and right, centre, low frequencies, and pairs at the sides and behind.
  private static func surround(pairs: Int) -> (left: [Float], right: [Float]) {
    let quiet = 0.5.squareRoot()
    let scale = 1 / (1 + quiet * Double(1 + pairs))
    let full = Float(scale)
    let less = Float(scale * quiet)
    return (
      [full, 0, less, 0] + Array(repeating: [less, 0], count: pairs).joined(),
      [0, full, less, 0] + Array(repeating: [0, less], count: pairs).joined()
    )
  }

  /// Over W, Y, Z, X: the second row of the rotation is what the head's left gets.
  private static func cardioids(_ rotation: AmbisonicRotation) -> (left: [Float], right: [Float]) {
    let side = [rotation.rows[4], rotation.rows[5], rotation.rows[3]].map { Float($0 / 2) }
    return ([0.5] + side, [0.5] + side.map { -$0 })
  }
}

/// Mixes sample frames of a layout to stereo; a new rotation is reached within one call, by a ramp.
package struct SoundMixer: Sendable {
  package let layout: SoundLayout
  private var current: StereoMix
  /// Of the ambisonic channels, from the next call on.
  package var rotation = AmbisonicRotation.none

  package init(_ layout: SoundLayout) {
    self.layout = layout
    current = StereoMix(layout)
  }

  /// Stereo, interleaved; as many sample frames as `samples` has.
  ///
  /// The matrix moves from that of the last call to that of `rotation` in equal steps, so that a turn starts with the first sample
  /// frame and makes no click.
  ///
  /// - Parameter samples: interleaved in the layout.
  package mutating func stereo(_ samples: some RandomAccessCollection<Float>) -> [Float] {
    let channels = layout.channelCount
    let count = samples.count / channels
    guard count > 0 else { return [] }
    let target = layout.isAmbisonic ? StereoMix(layout, rotation: rotation) : current
    let stepLeft = zip(current.left, target.left).map { ($1 - $0) / Float(count) }
    let stepRight = zip(current.right, target.right).map { ($1 - $0) / Float(count) }
    var mixed: [Float] = []
    mixed.reserveCapacity(2 * count)
    var place = samples.startIndex
    for frame in Range(from: 1, to: count + 1) {
      var (left, right) = (Float(0), Float(0))
      for channel in 0..<channels {
        let sample = samples[place]
        left += sample * (current.left[channel] + Float(frame) * stepLeft[channel])
        right += sample * (current.right[channel] + Float(frame) * stepRight[channel])
        place = samples.index(after: place)
      }
      mixed.append(left)
      mixed.append(right)
    }
    current = target
    return mixed
  }
}
