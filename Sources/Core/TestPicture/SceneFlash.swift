import Frames

/// The flash of the test picture, a bright band on every side, and the beep that begins with it: how far the two are apart tells how
/// well sound and picture are together.
///
/// Neither disturbs what else the clip tells: the band lies between tiles of the frame code, and the beep above `TonePosition`'s tones.
public enum SceneFlash {
  /// Of the beep, in hertz: what AAC and Opus keep from 64 kbit/s on.
  public static let frequency = 12_000
  /// How long a beep lasts, in seconds.
  public static let seconds = 0.05
  /// From silence to the beep and back, in seconds.
  static let ramp = 0.001
  static let amplitude = 0.2

  /// Frames from one flash to the next, of which frame 0 has the first: about a second.
  public static func period(rate: Ratio) -> Int { max(1, Int((rate.value ?? 1).rounded())) }

  /// From top to bottom of one eye's picture.
  static func band(_ layout: FrameCode.Layout) -> ClosedRange<Double> {
    switch layout {
    // Latitudes from −6° to −14°.
    case .equirectangular: ClosedRange(from: 0.5 + 6.0 / 180, through: 0.5 + 14.0 / 180)
    case .flat: 0.61...0.71
    }
  }

  // MARK: - Judging

  /// Whether a picture flashes; nil where its band cannot be seen.
  ///
  /// - Parameter sample: luma in 8-bit code values at a place in one eye's picture, or nil where that is not visible, as for
  ///   `FrameCode.read`.
  public static func isShown(_ layout: FrameCode.Layout, sample: (_ u: Double, _ v: Double) -> UInt8?) -> Bool? {
    let band = band(layout)
    let rows = [0.3, 0.5, 0.7].map { band.lowerBound + $0 * (band.upperBound - band.lowerBound) }
    let seen = rows.flatMap { v in (0..<48).compactMap { sample((Double($0) + 0.5) / 48, v) } }
    guard seen.count >= 6 else { return nil }
    return 10 * seen.count { $0 >= 190 } > 9 * seen.count
  }

  /// Where beeps begin, in samples from the first one: to about a millisecond after a lossy codec.
  ///
  /// - Parameters:
  ///   - samples: one channel.
  ///   - rate: samples per second, at least 32,000.
  public static func beeps(in samples: [Float], rate: Int) -> [Int] {
    let window = rate / 500
    guard rate >= 32_000, samples.count > window else { return [] }
    let turned = samples.enumerated().map { index, sample in
      let turns = Double(index * frequency % rate) / Double(rate)
      return SIMD2(Double(sample) * sine(turns: turns), Double(sample) * cosine(turns: turns))
    }
    var sum = turned[..<window].reduce(SIMD2(0, 0), +)
    var powers: [Double] = []
    for place in Range(from: 0, to: samples.count - window) {
      powers.append((sum * sum).sum())
      sum += turned[place + window] - turned[place]
    }
    // What leaks from the tone into the beep's frequency is a hundredth of this.
    let mean = samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(samples.count)
    guard let most = powers.max(), most > 0.1 * mean * Double(window * window), most > 0 else { return [] }
    var (found, isInside): ([Int], Bool) = ([], false)
    // Half the amplitude is a quarter of the power: there half of the window is in the beep.
    for (place, power) in powers.enumerated() {
      if !isInside, power >= most / 4 { found.append(max(0, place + window / 2 - Int(ramp * Double(rate)) / 2)) }
      isInside = power >= (isInside ? most / 25 : most / 4)
    }
    return found
  }
}

/// The sound of the test picture: `TonePosition`'s tone, a beep with each flash, and where it comes from.
package struct SceneSound: Sendable {
  private let tone: TonePosition.Generator
  private let rate: Int
  /// The first samples of beeps, ascending.
  private let beeps: [Int]

  /// - Parameters:
  ///   - rate: samples per second, of which `SceneFlash.frequency` is a part.
  ///   - track: of the tone.
  ///   - flashes: when frames flash, in seconds, ascending.
  package init(rate: Int, track: Int, flashes: [Double]) {
    tone = TonePosition.Generator(rate: rate, track: track)
    self.rate = rate
    beeps = flashes.map { Int(($0 * Double(rate)).rounded()) }
  }

  package func samples(from position: Int, count: Int) -> [Float] {
    var samples = tone.samples(from: position, count: count)
    let length = Int(SceneFlash.seconds * Double(rate))
    for beep in beeps where beep < position + count && beep + length > position {
      for place in Range(from: max(beep, position), to: min(beep + length, position + count)) {
        let seconds = Double(min(place - beep, beep + length - 1 - place)) / Double(rate)
        let loudness = SceneFlash.amplitude * min(1, seconds / SceneFlash.ramp)
        let turns = Double((place - beep) * SceneFlash.frequency % rate) / Double(rate)
        // A sine of a quarter of the sample rate would be of zeros and ones: an eighth of a turn more is even.
        samples[place - position] += Float(loudness * sine(turns: turns + 0.125))
      }
    }
    return samples
  }

  /// The same from the direction of the scene's sounding balloon, as first-order ambisonics: W, Y, Z and X, SN3D.
  package func ambisonic(from position: Int, count: Int) -> [[Float]] {
    let samples = samples(from: position, count: count)
    var channels = Array(repeating: [Float](), count: 4)
    for (index, sample) in samples.enumerated() {
      let direction = SIMD3<Float>(SceneSource.direction(at: Double(position + index) / Double(rate)))
      let gains = SIMD4(1, -direction.x, direction.y, direction.z)
      for channel in 0..<4 { channels[channel].append(sample * gains[channel]) }
    }
    return channels
  }
}

/// The object of the scene that sounds: the balloon that flies below the horizon, ahead to the right at first, and once around in
/// twenty seconds.
public enum SceneSource {
  /// A unit vector: x right, y up, z ahead.
  public static func direction(at seconds: Double) -> SIMD3<Double> {
    let object = SceneObject.sounding
    let (turns, height) = ((object.longitude + object.speed * seconds) / 360, object.latitude / 360)
    return SIMD3(
      cosine(turns: height) * sine(turns: turns), sine(turns: height), cosine(turns: height) * cosine(turns: turns))
  }
}
