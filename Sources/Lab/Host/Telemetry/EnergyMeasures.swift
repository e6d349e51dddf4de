import Frames
import Verdict

/// What readings tell of energy, as metrics of a trial. Pure.
package enum EnergyMeasures {
  /// A sample is of so long at least, s: the drivers' counters advance in steps, and what follows on each other is alike.
  private static let window = 1.0

  /// - Parameters:
  ///   - readings: in their order, of the trial.
  ///   - isPartOfPackage: the device's energy is counted by its processor's package.
  ///   - frames: that the trial decoded, or showed.
  ///   - seconds: how long it took.
  package static func samples(
    _ readings: [DeviceReading], isPartOfPackage: Bool, frames: Int, seconds: Double
  ) -> [Metric: [Double]] {
    let watts = windows(readings).compactMap { Self.watts($0, isPartOfPackage: isPartOfPackage) }
    let perFrame = frames > 0 ? seconds / Double(frames) : nil
    return [.watt: watts, .joulePerFrame: perFrame.map { time in watts.map { $0 * time } } ?? []]
  }

  /// Readings in a row, each row from where the one before ends.
  private static func windows(_ readings: [DeviceReading]) -> [ArraySlice<DeviceReading>] {
    var windows: [ArraySlice<DeviceReading>] = []
    var start = readings.startIndex
    for index in readings.indices
    where readings[index].instant.seconds(since: readings[start].instant) >= window {
      windows.append(readings[Range(from: start, to: index + 1)])
      start = index
    }
    return windows
  }

  /// Of all that is known; nil where nothing is.
  private static func watts(_ readings: ArraySlice<DeviceReading>, isPartOfPackage: Bool) -> Double? {
    let package = power(readings, \.packageJoules)
    guard !(isPartOfPackage && package != nil) else { return package }
    let known = readings.compactMap(\.watts)
    let device = power(readings, \.deviceJoules) ?? (known.isEmpty ? nil : known.reduce(0, +) / Double(known.count))
    return package == nil && device == nil ? nil : (package ?? 0) + (device ?? 0)
  }

  private static func power(
    _ readings: ArraySlice<DeviceReading>, _ counter: KeyPath<DeviceReading, Double?>
  ) -> Double? {
    guard let first = readings.first, let last = readings.last, let from = first[keyPath: counter],
      let to = last[keyPath: counter], to >= from
    else { return nil }
    return (to - from) / last.instant.seconds(since: first.instant)
  }
}
