import Frames

/// The display intervals of perfect pacing: 24 frames a second on 60 Hz are shown for two or three refreshes each.
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

  /// Plausible refresh rates in hertz; a record may hold any number.
  private static let rates = 0.01...1e6
  /// A frame shown for more refreshes than this is a still picture, which has no cadence.
  private static let mostRefreshes = 1000.0

  /// Rounded to the nearest; 0 for negative times.
  func refreshes(in milliseconds: Double) -> Int { max(0, Int(saturating: (milliseconds / refresh).rounded())) }

  /// Nil where the clip's rate or the display's is not known or no rate of a display, or the scenario is not paced.
  ///
  /// With a camera that moves every refresh has a view of its own, and so has one that is slower than the clip.
  init?(_ record: Record, _ scenario: Record.Scenario) {
    guard let pace = scenario.key?.row.pace, let hertz = record.settings.pacing.refreshHz,
      Self.rates.contains(hertz), let rate = record.input.framesPerSecond, rate > 0, rate.isFinite
    else { return nil }
    refresh = 1000 / hertz
    let isStill = pace == .frames && record.settings.viewing.camera ?? "still" == "still"
    let refreshes = isStill ? max(1, hertz / rate) : 1
    guard refreshes <= Self.mostRefreshes else { return nil }
    let whole = refreshes.rounded(.down)
    // 29.97 on 60 has a longer one once in a thousand: that is a cadence too.
    let rest = refreshes - whole < 1e-6 ? 0 : refreshes - whole
    let short = Ideal(interval: whole * refresh, share: 1 - rest)
    ideals = rest == 0 ? [short] : [short, Ideal(interval: (whole + 1) * refresh, share: rest)]
  }
}
