extension TonePosition {
  /// Where a stretch of sound lies.
  public struct Reading: Hashable, Sendable {
    /// Seconds from the clip's first sample to the stretch's first one, below `period`.
    public var seconds: Double
    /// One of `tracks`.
    public var track: Int
  }

  /// Reads where the first of `samples` lies; nil where they are too few, are not this tone, or are damaged.
  ///
  /// Exact to a few microseconds on the samples as made, and to some tens after a lossy codec. Decoded with a delay or an
  /// offset, the sound tells just that.
  ///
  /// - Parameters:
  ///   - samples: one channel, any amplitude, at least `shortest` seconds; half a second at most is looked at.
  ///   - rate: samples per second, at least 24,000.
  public static func read(_ samples: [Float], rate: Int) -> Reading? {
    let count = min(samples.count, rate / 2)
    guard rate >= 24_000, rate <= 1_000_000, Double(count) >= shortest * Double(rate) else { return nil }
    let whole = Spectrum(samples[..<count], rate: rate)
    let tones = rulers.map { whole.tone($0) }
    let loudest = tones.map(\.power).max() ?? 0
    guard loudest > 0, tones.allSatisfy({ $0.power > loudest / 16 }),
      let fraction = fraction(tones.map(\.turns))
    else { return nil }
    // Digits change with the second: they are read on the longer side of the change.
    let change = Int(((1 - fraction) * Double(rate)).rounded())
    let isBefore = change >= count / 2
    let part = isBefore ? samples[..<min(count, change)] : samples[Range(from: change, to: count)]
    guard let (second, track) = digits(in: Spectrum(part, rate: rate), power: loudest) else { return nil }
    let start = isBefore ? second : (second + period - 1) % period
    return Reading(seconds: Double(start) + fraction, track: track)
  }

  /// The position within a second, in seconds, from the phases of the rulers in turns; nil where they contradict each
  /// other.
  private static func fraction(_ turns: [Double]) -> Double? {
    // Each phase is frequency × position, of which the whole turns are unknown. The slowest beat is known without them.
    let (ab, bc, cd) = (turns[1] - turns[0], turns[2] - turns[1], turns[3] - turns[2])
    var position = wrapped(cd - ab)
    var error = 0.0
    for (frequency, phase) in [(11.0, bc - ab), (100, ab), (Double(rulers[0]), turns[0])] {
      let difference = wrapped(phase - frequency * position)
      let signed = difference > 0.5 ? difference - 1 : difference
      position += signed / frequency
      error = max(error, abs(signed))
    }
    // A quarter of a turn is twice what a readable tone leaves.
    return error < 0.4 ? wrapped(position) : nil
  }

  private static func digits(in spectrum: Spectrum, power: Double) -> (second: Int, track: Int)? {
    var digits: [Int] = []
    for place in 0..<digitCount {
      let powers = (0..<16).map { spectrum.tone(frequency(of: $0, at: place)).power }
      guard let best = powers.indices.max(by: { powers[$0] < powers[$1] }), powers[best] > power / 64,
        powers.indices.allSatisfy({ $0 == best || powers[$0] < powers[best] / 4 })
      else { return nil }
      digits.append(best)
    }
    guard checkDigit(digits.dropLast()) == digits.last else { return nil }
    return ((0..<4).reduce(0) { $0 + digits[$1] << (4 * $1) }, digits[4])
  }
}

/// The part of `turns` above the next lower whole number.
private func wrapped(_ turns: Double) -> Double {
  turns - turns.rounded(.down)
}

/// Single frequencies of a stretch of sound, under a Hann window: tones 80 Hz apart do not disturb each other from
/// 50 ms on.
private struct Spectrum {
  private let windowed: [Double]
  private let rate: Int

  init(_ samples: ArraySlice<Float>, rate: Int) {
    let length = Double(samples.count)
    windowed = samples.enumerated().map { index, sample in
      Double(sample) * (1 - cosine(turns: (Double(index) + 0.5) / length)) / length
    }
    self.rate = rate
  }

  /// Amplitude squared, and the phase of a sine at the first sample, in turns.
  func tone(_ frequency: Int) -> (power: Double, turns: Double) {
    // The sum over samples of e^(−iωn), by turning a pointer; in double precision that stays exact for half a second.
    let step = Double(frequency) / Double(rate)
    let (stepX, stepY) = (cosine(turns: step), -sine(turns: step))
    var (x, y, sumX, sumY) = (1.0, 0.0, 0.0, 0.0)
    for sample in windowed {
      sumX += sample * x
      sumY += sample * y
      (x, y) = (x * stepX - y * stepY, x * stepY + y * stepX)
    }
    // A sine is a cosine a quarter of a turn late.
    return (sumX * sumX + sumY * sumY, wrapped(arcTangent(sumY, sumX) + 0.25))
  }
}

/// The angle of (x, y) in turns, to 2e-6: Abramowitz and Stegun, formula 4.4.49.
private func arcTangent(_ y: Double, _ x: Double) -> Double {
  let (a, b) = (abs(x), abs(y))
  guard max(a, b) > 0 else { return 0 }
  let z = min(a, b) / max(a, b)
  let z2 = z * z
  let series = 0.9998660 + z2 * (-0.3302995 + z2 * (0.1801410 + z2 * (-0.0851330 + z2 * 0.0208351)))
  var turns = z * series / (2 * .pi)
  if b > a { turns = 0.25 - turns }
  if x < 0 { turns = 0.5 - turns }
  return y < 0 ? -turns : turns
}
