/// A tone whose every stretch tells where in the clip it lies, and which of several alternate tracks it belongs to.
///
/// Four tones of constant frequency give the position within a second by their phases, as two-way ranging does: their
/// differences beat 100 times, 11 times and once a second, and each beat is exact enough to count the next faster one.
/// Six more tones tell the second and the track: each is one of 16 frequencies, a hexadecimal digit, and the last one is
/// a check digit. All frequencies are whole numbers of hertz: every second begins with phase 0, and no digit clicks.
///
/// Survives AAC at 64 kbit/s and resampling; a stretch of 0.2 s is enough.
public enum TonePosition {
  /// Seconds after which positions begin again.
  public static let period = 1 << 16
  /// The tracks that can be told apart.
  public static let tracks = 0..<16
  /// The shortest stretch that is read, in seconds.
  public static let shortest = 0.2

  /// Their differences are 100, 111 and 101 Hz; the differences of those are 11 and 10 Hz, and of these 1 Hz.
  static let rulers = [600, 700, 811, 912]
  static let digitCount = 6
  private static let firstDigit = 1500
  private static let digitStep = 80
  private static let amplitude = 0.05

  /// The frequency of a digit, in hertz.
  static func frequency(of digit: Int, at place: Int) -> Int {
    firstDigit + (place * 16 + digit) * digitStep
  }

  /// Four digits of the second from the lowest, the track, and the check digit.
  static func digits(second: Int, track: Int) -> [Int] {
    let digits = (0..<4).map { second >> (4 * $0) & 15 } + [track]
    return digits + [checkDigit(digits)]
  }

  /// Detects every single wrong digit: weights are odd.
  static func checkDigit(_ digits: some Collection<Int>) -> Int {
    digits.enumerated().reduce(9) { $0 + $1.element * (2 * $1.offset + 1) } & 15
  }

  /// Makes the tone of one track. A value: any thread may use a copy.
  public struct Generator: Sendable {
    private let rate: Int
    private let track: Int
    /// A second's sine of 1 Hz: all tones are whole multiples of it.
    private let wave: [Double]

    /// - Parameters:
    ///   - rate: samples per second, at least 24,000.
    ///   - track: one of `tracks`.
    public init(rate: Int, track: Int) {
      precondition(rate >= 24_000 && tracks.contains(track), "no such tone")
      self.rate = rate
      self.track = track
      wave = (0..<rate).map { amplitude * sine(turns: Double($0) / Double(rate)) }
    }

    /// The samples from `position` on, which counts from the clip's first one: in −0.5 … 0.5.
    public func samples(from position: Int, count: Int) -> [Float] {
      precondition(position >= 0, "the tone begins at 0")
      var result: [Float] = []
      result.reserveCapacity(count)
      while result.count < count {
        let start = position + result.count
        let end = min(position + count, (start / rate + 1) * rate)
        let digits = digits(second: start / rate % period, track: track).enumerated().map { frequency(of: $1, at: $0) }
        let tones = rulers + digits
        for index in Range(from: start % rate, to: start % rate + end - start) {
          result.append(Float(tones.reduce(0.0) { $0 + wave[$1 * index % rate] }))
        }
      }
      return result
    }
  }
}
