internal import CVulkan
import Frames

/// One instant as the GPU's clock and CLOCK_MONOTONIC show it: the reference for all other instants of the GPU.
public struct ClockReading: Sendable {
  public var ticks: UInt64
  public var time: MonotonicTime

  public init(ticks: UInt64, time: MonotonicTime) {
    self.ticks = ticks
    self.time = time
  }

  /// The instant at which the GPU's clock showed `ticks`, before or after this reading.
  ///
  /// - Parameters:
  ///   - period: nanoseconds per tick.
  ///   - bits: of a timestamp that count; the clock wraps beyond them. The two instants lie less than half its range apart.
  public func time(ofTicks ticks: UInt64, period: Double, bits: UInt32) -> MonotonicTime {
    let unused = UInt64(max(0, 64 - Int(bits)))
    // Shifted up and down again, the difference keeps its sign.
    let difference = Int64(bitPattern: (ticks &- self.ticks) << unused) >> Int64(unused)
    return MonotonicTime(nanoseconds: time.nanoseconds + Int64((Double(difference) * period).rounded()))
  }
}

/// Reads the GPU's clock and CLOCK_MONOTONIC together, again and again: they drift apart. One thread at a time.
final class ClockCalibration {
  private let device: GPUDevice
  private let read: PFN_vkGetCalibratedTimestampsEXT
  private var latest: ClockReading?

  /// In milliseconds. Two clocks that drift apart by 10 ppm are a microsecond off by then.
  private static let longestAge = 100.0

  /// Nil when the device cannot.
  init?(device: GPUDevice) {
    guard device.clock.canCalibrate,
      let read = deviceFunction(
        device.handle, "vkGetCalibratedTimestampsEXT", PFN_vkGetCalibratedTimestampsEXT.self)
    else { return nil }
    (self.device, self.read) = (device, read)
  }

  /// A reading not older than a tenth of a second; nil when the driver gives none.
  func reading() -> ClockReading? {
    if let latest, MonotonicTime.now.milliseconds(since: latest.time) < Self.longestAge { return latest }
    // No array literal: Swift 6.3 makes one of C structs with padding too short where it is a constant, as under ThreadSanitizer.
    let infos = [VK_TIME_DOMAIN_DEVICE_EXT, VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT].map { domain in
      var info = VkCalibratedTimestampInfoEXT()
      (info.sType, info.timeDomain) = (VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT, domain)
      return info
    }
    var values: [UInt64] = [0, 0]
    var deviation: UInt64 = 0
    guard read(device.handle, 2, infos, &values, &deviation) == VK_SUCCESS else { return nil }
    latest = ClockReading(ticks: values[0], time: MonotonicTime(nanoseconds: Int64(clamping: values[1])))
    return latest
  }
}

/// Whether the driver reads the device's clock together with CLOCK_MONOTONIC.
func canCalibrate(_ instance: VkInstance, _ physical: VkPhysicalDevice, _ extensions: Set<String>) -> Bool {
  guard extensions.contains(ClockExtension.name),
    let function = vkGetInstanceProcAddr(instance, "vkGetPhysicalDeviceCalibrateableTimeDomainsEXT")
  else { return false }
  let query = unsafeBitCast(function, to: PFN_vkGetPhysicalDeviceCalibrateableTimeDomainsEXT.self)
  let domains = enumerate(of: VK_TIME_DOMAIN_DEVICE_EXT) { query(physical, $0, $1) }
  return domains.contains(VK_TIME_DOMAIN_DEVICE_EXT) && domains.contains(VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT)
}

enum ClockExtension {
  static let name = "VK_EXT_calibrated_timestamps"
}
