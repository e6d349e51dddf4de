import Frames

/// What the kernel's drivers tell of a device below `/sys`: amdgpu of all, i915 and xe of clock, power and, on cards of
/// their own, temperature.
package final class KernelSensors {
  private let files: SystemFiles
  private let folder: String
  private var lastEnergy: (microjoules: Double, instant: MonotonicTime)?

  /// - Parameter pciAddress: the device's, such as `0000:65:00.0`.
  package init(pciAddress: String, files: SystemFiles = SystemFiles()) {
    self.files = files
    folder = "sys/bus/pci/devices/\(pciAddress)"
  }

  package func read(at instant: MonotonicTime = .now) -> DeviceReading {
    DeviceReading(
      at: instant, busyPercent: files.number(folder + "/gpu_busy_percent"), clockMegahertz: clock,
      watts: watts(at: instant), memoryMegahertz: memoryClock, celsius: celsius)
  }

  private var monitors: [String] { files.names(folder + "/hwmon", prefix: "hwmon").map { "\(folder)/hwmon/\($0)" } }

  /// amdgpu tells hertz, i915 and xe megahertz in files of their own; an idle Intel GPU tells 0, which is its clock.
  private var clock: Double? {
    for monitor in monitors where files.line(monitor + "/freq1_label") == "sclk" {
      if let hertz = files.number(monitor + "/freq1_input") { return hertz / 1e6 }
    }
    if let xe = files.number(folder + "/tile0/gt0/freq0/act_freq") { return xe }
    for card in files.names(folder + "/drm", prefix: "card") {
      for name in ["gt/gt0/rps_act_freq_mhz", "gt_act_freq_mhz"] {
        if let megahertz = files.number("\(folder)/drm/\(card)/\(name)") { return megahertz }
      }
    }
    return nil
  }

  private var memoryClock: Double? {
    for monitor in monitors where files.line(monitor + "/freq2_label") == "mclk" {
      if let hertz = files.number(monitor + "/freq2_input") { return hertz / 1e6 }
    }
    return nil
  }

  /// amdgpu's first sensor is the chip's edge; xe's is its package, and has the number 2. Other monitors below the device
  /// may be of its fans or its memory.
  private var celsius: Double? {
    for monitor in monitors where ["amdgpu", "i915", "xe"].contains(files.line(monitor + "/name")) {
      for name in ["temp1_input", "temp2_input"] {
        if let thousandths = files.number("\(monitor)/\(name)") { return thousandths / 1000 }
      }
    }
    return nil
  }

  /// From power in microwatts, else from how fast a counter of microjoules grows.
  private func watts(at instant: MonotonicTime) -> Double? {
    for monitor in monitors {
      for name in ["power1_average", "power1_input"] {
        if let microwatts = files.number("\(monitor)/\(name)") { return microwatts / 1e6 }
      }
    }
    guard let energy = monitors.lazy.compactMap({ self.files.number($0 + "/energy1_input") }).first else { return nil }
    defer { lastEnergy = (energy, instant) }
    guard let lastEnergy else { return nil }
    let seconds = instant.seconds(since: lastEnergy.instant)
    // A counter that starts over tells nothing of this once.
    guard seconds > 0, energy >= lastEnergy.microjoules else { return nil }
    return (energy - lastEnergy.microjoules) / 1e6 / seconds
  }
}
