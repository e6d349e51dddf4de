import Frames
import Verdict

/// How long frames stay when pacing is perfect: a clip of 24 frames a second on 60 Hz shows each for two or three refreshes.
struct Cadence {
  struct Ideal {
    /// Milliseconds.
    var interval: Double
    /// Of all intervals.
    var share: Double
  }

  /// Milliseconds.
  let refresh: Double
  /// One length or two, the shorter first.
  let ideals: [Ideal]
  var longest: Double { ideals.map(\.interval).max() ?? refresh }

  /// Refreshes a second that a display can have; a record may hold any number.
  private static let rates = 0.01...1e6
  /// A frame that stays longer than so many is a still picture, which has no cadence.
  private static let mostRefreshes = 1000.0

  /// To the nearest; none for less than nothing.
  func refreshes(in milliseconds: Double) -> Int { max(0, Int(saturating: (milliseconds / refresh).rounded())) }

  /// Nil where the clip's rate or the display's is not known or no rate of a display, or the scenario is not paced.
  ///
  /// With a camera that moves every refresh has a view of its own, and so has one that is slower than the clip.
  init?(_ record: Record, _ scenario: Record.Scenario) {
    guard let pace = scenario.key?.row.pace, let hertz = record.settings.refreshHz,
      Self.rates.contains(hertz), let rate = record.input.framesPerSecond, rate > 0, rate.isFinite
    else { return nil }
    refresh = 1000 / hertz
    let isStill = pace == .frames && record.settings.camera ?? "still" == "still"
    let refreshes = isStill ? max(1, hertz / rate) : 1
    guard refreshes <= Self.mostRefreshes else { return nil }
    let whole = refreshes.rounded(.down)
    // 29.97 on 60 has a longer one once in a thousand: that is a cadence too.
    let rest = refreshes - whole < 1e-6 ? 0 : refreshes - whole
    let short = Ideal(interval: whole * refresh, share: 1 - rest)
    ideals = rest == 0 ? [short] : [short, Ideal(interval: (whole + 1) * refresh, share: rest)]
  }
}
