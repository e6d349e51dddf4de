import Frames

/// Refreshes of a display that tells when pictures changed on it, as present-wait and display timing do: the grid that
/// fits what it told.
///
/// A phase-locked loop of second order: every present moves the phase by a part of how far it lay from the nearest
/// refresh, and the period by a smaller part. Presents that come late by whole refreshes fit as well as others; one that is
/// off by more than a quarter of a refresh twice in a row is a new start.
public struct PresentPacedSchedule: Sendable, Hashable {
  /// A refresh, and the time from one to the next, in nanoseconds; as exact as the reported times.
  private var phase: Double
  public private(set) var period: Double
  /// What instants are counted from, so that doubles keep their nanoseconds.
  private let origin: MonotonicTime
  private var strays = 0
  /// Presents that were told so far.
  public private(set) var presents = 0

  private static let phaseShare = 0.1
  /// A little less than a quarter of the phase's squared, above which the loop swings: the period is then within half a
  /// hundredth of the error of the reported times (1 sigma), and follows a change within some hundred presents.
  private static let periodShare = 0.002

  /// - Parameters:
  ///   - rate: refreshes per second as the window system says, the start of the estimate.
  ///   - start: an instant near the first present.
  public init(rate: Ratio, start: MonotonicTime) {
    period = 1e9 / (rate.value ?? 60)
    origin = start
    phase = 0
  }

  /// A picture was first seen at `instant`.
  public mutating func presented(at instant: MonotonicTime) {
    let time = Double(instant.nanoseconds - origin.nanoseconds)
    presents += 1
    let error = time - nearest(time)
    guard presents > 1 else {
      phase = time
      return
    }
    guard abs(error) <= period / 4 else {
      strays += 1
      // Once is a stray; twice, and the display has moved on.
      if strays > 1 { (phase, strays) = (time, 0) }
      return
    }
    strays = 0
    phase = nearest(time) + Self.phaseShare * error
    period += Self.periodShare * error
  }

  /// The first refresh after `instant`.
  public func next(after instant: MonotonicTime) -> MonotonicTime {
    let time = Double(instant.nanoseconds - origin.nanoseconds)
    let number = ((time - phase) / period).rounded(.down) + 1
    return MonotonicTime(nanoseconds: origin.nanoseconds + Int64((phase + number * period).rounded()))
  }

  private func nearest(_ time: Double) -> Double { phase + ((time - phase) / period).rounded() * period }
}
