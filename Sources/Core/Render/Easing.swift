/// How a movement gets from 0 to 1: the curves of these names in CSS Easing Functions Level 1.
///
/// <https://www.w3.org/TR/css-easing-1/#cubic-bezier-easing-functions>; `hold` stays at 0 and jumps at the end.
public enum Easing: String, Sendable, Codable, CaseIterable {
  case linear
  case easeIn = "ease-in"
  case easeOut = "ease-out"
  case easeInOut = "ease-in-out"
  case hold

  /// The part of the way done when the part `time` of the time is over, both in [0, 1].
  public func progress(_ time: Double) -> Double {
    let time = min(max(time, 0), 1)
    return switch self {
    case .linear: time
    case .easeIn: CubicBezier(x1: 0.42, y1: 0, x2: 1, y2: 1).y(at: time)
    case .easeOut: CubicBezier(x1: 0, y1: 0, x2: 0.58, y2: 1).y(at: time)
    case .easeInOut: CubicBezier(x1: 0.42, y1: 0, x2: 0.58, y2: 1).y(at: time)
    case .hold: time < 1 ? 0 : 1
    }
  }
}

/// A cubic Bézier curve from (0, 0) to (1, 1) as a function of x, which its control points must make monotone.
private struct CubicBezier {
  let x1, y1, x2, y2: Double

  func y(at x: Double) -> Double {
    x <= 0 ? 0 : x >= 1 ? 1 : Self.value(parameter(x), y1, y2)
  }

  private static func value(_ t: Double, _ first: Double, _ second: Double) -> Double {
    let rest = 1 - t
    return 3 * rest * rest * t * first + 3 * rest * t * t * second + t * t * t
  }

  private static func slope(_ t: Double, _ first: Double, _ second: Double) -> Double {
    let rest = 1 - t
    return 3 * rest * rest * first + 6 * rest * t * (second - first) + 3 * t * t * (1 - second)
  }

  /// The parameter that gives `x`: Newton's steps, and a halving of the interval wherever one would leave it.
  private func parameter(_ x: Double) -> Double {
    var (low, high, t) = (0.0, 1.0, x)
    for _ in 0..<64 {
      let error = Self.value(t, x1, x2) - x
      if abs(error) < 1e-14 { break }
      if error > 0 { high = t } else { low = t }
      let step = t - error / Self.slope(t, x1, x2)
      t = step > low && step < high ? step : (low + high) / 2
    }
    return t
  }
}
