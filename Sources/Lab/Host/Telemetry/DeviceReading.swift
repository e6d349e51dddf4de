import Frames
import Verdict

/// What a device's sensors told at one instant; what they do not tell is nil.
package struct DeviceReading: Sendable, Hashable {
  package var instant: MonotonicTime
  /// Share of the time since the sensor's last look in which the device did something, in percent.
  package var busyPercent: Double?
  /// Of the shader cores.
  package var clockMegahertz: Double?
  /// Of the whole device.
  package var watts: Double?
  /// Of the device's memory.
  package var memoryMegahertz: Double?
  /// Of the chip's edge, in degrees Celsius.
  package var celsius: Double?
  /// Share of the time in which the engines did something that decode video, or copy; in percent.
  package var decoderPercent: Double?
  package var copyPercent: Double?
  /// Energy so far, from any start: of the device, and of the processors' packages.
  package var deviceJoules: Double?
  package var packageJoules: Double?

  package init(
    at instant: MonotonicTime = .now, busyPercent: Double? = nil, clockMegahertz: Double? = nil, watts: Double? = nil,
    memoryMegahertz: Double? = nil, celsius: Double? = nil
  ) {
    self.instant = instant
    self.busyPercent = busyPercent
    self.clockMegahertz = clockMegahertz
    self.watts = watts
    self.memoryMegahertz = memoryMegahertz
    self.celsius = celsius
  }

  var isEmpty: Bool {
    [
      busyPercent, clockMegahertz, watts, memoryMegahertz, celsius, decoderPercent, copyPercent, deviceJoules,
      packageJoules,
    ].allSatisfy { $0 == nil }
  }

  /// Takes those of a time out of `readings`, and forgets those before it.
  package static func take(
    _ readings: inout [DeviceReading], from start: MonotonicTime, to end: MonotonicTime
  ) -> [DeviceReading] {
    let taken = readings.filter { $0.instant >= start && $0.instant <= end }
    readings.removeAll { $0.instant <= end }
    return taken
  }

  /// The metrics of readings, in their order. A metric that none of them has is there without samples: it could not be
  /// read.
  package static func samples(_ readings: [DeviceReading]) -> [Metric: [Double]] {
    [
      .gpuBusy: readings.compactMap(\.busyPercent), .gpuClock: readings.compactMap(\.clockMegahertz),
      .power: readings.compactMap(\.watts), .gpuMemoryClock: readings.compactMap(\.memoryMegahertz),
      .gpuTemperature: readings.compactMap(\.celsius), .decoderEngine: readings.compactMap(\.decoderPercent),
      .copyEngine: readings.compactMap(\.copyPercent),
    ]
  }
}
