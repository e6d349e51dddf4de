import Frames
import Glibc

/// NVIDIA's management library, loaded where it is there: what nvidia-smi prints, without a process of its own, and more. One thread.
package final class NVMLSensors {
  private let library: UnsafeMutableRawPointer
  private let device: OpaquePointer

  /// As `nvml.h` declares them. 0 is success.
  private typealias Call = @convention(c) () -> Int32
  private typealias FindDevice = @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<OpaquePointer?>) -> Int32
  private typealias ReadNumber = @convention(c) (OpaquePointer, UnsafeMutablePointer<UInt32>) -> Int32
  private typealias ReadKind = @convention(c) (OpaquePointer, UInt32, UnsafeMutablePointer<UInt32>) -> Int32
  private typealias ReadPair =
    @convention(c) (OpaquePointer, UnsafeMutablePointer<UInt32>, UnsafeMutablePointer<UInt32>)
    -> Int32
  private typealias ReadLong = @convention(c) (OpaquePointer, UnsafeMutablePointer<UInt64>) -> Int32

  /// Of `nvmlClockType_t`, and of `nvmlTemperatureSensors_t`.
  private static let (shaderClock, memoryClock, chip): (UInt32, UInt32, UInt32) = (1, 2, 0)

  /// Nil where there is no such library, or it does not know the device.
  ///
  /// - Parameters:
  ///   - uuid: the device's, as Vulkan and NVIDIA's driver both know it.
  ///   - name: of the library, as the dynamic loader finds it.
  package init?(uuid: String, library name: String = "libnvidia-ml.so.1") {
    guard let library = dlopen(name, RTLD_LAZY | RTLD_LOCAL) else { return nil }
    var device: OpaquePointer?
    guard let start = Self.symbol("nvmlInit_v2", in: library, as: Call.self), start() == 0 else {
      dlclose(library)
      return nil
    }
    let find = Self.symbol("nvmlDeviceGetHandleByUUID", in: library, as: FindDevice.self)
    guard let find, find("GPU-" + uuid, &device) == 0, let device else {
      _ = Self.symbol("nvmlShutdown", in: library, as: Call.self)?()
      dlclose(library)
      return nil
    }
    (self.library, self.device) = (library, device)
  }

  deinit {
    _ = Self.symbol("nvmlShutdown", in: library, as: Call.self)?()
    dlclose(library)
  }

  /// What the device does not tell is nil.
  package func read(at instant: MonotonicTime = .now) -> DeviceReading {
    var reading = DeviceReading(
      at: instant, busyPercent: busy, clockMegahertz: number("nvmlDeviceGetClockInfo", Self.shaderClock),
      watts: number("nvmlDeviceGetPowerUsage").map { $0 / 1000 },
      memoryMegahertz: number("nvmlDeviceGetClockInfo", Self.memoryClock),
      celsius: number("nvmlDeviceGetTemperature", Self.chip))
    reading.deviceJoules = long("nvmlDeviceGetTotalEnergyConsumption").map { $0 / 1000 }
    reading.decoderPercent = decoder
    return reading
  }

  private var busy: Double? {
    // `nvmlUtilization_t`: of the shader cores, and of the memory.
    var both: [UInt32] = [0, 0]
    guard let call = Self.symbol("nvmlDeviceGetUtilizationRates", in: library, as: ReadNumber.self),
      call(device, &both) == 0
    else { return nil }
    return Double(both[0])
  }

  private var decoder: Double? {
    var (percent, period): (UInt32, UInt32) = (0, 0)
    guard let call = Self.symbol("nvmlDeviceGetDecoderUtilization", in: library, as: ReadPair.self),
      call(device, &percent, &period) == 0
    else { return nil }
    return Double(percent)
  }

  private func number(_ name: String) -> Double? {
    var value: UInt32 = 0
    guard let call = Self.symbol(name, in: library, as: ReadNumber.self), call(device, &value) == 0 else { return nil }
    return Double(value)
  }

  private func number(_ name: String, _ kind: UInt32) -> Double? {
    var value: UInt32 = 0
    guard let call = Self.symbol(name, in: library, as: ReadKind.self), call(device, kind, &value) == 0 else {
      return nil
    }
    return Double(value)
  }

  private func long(_ name: String) -> Double? {
    var value: UInt64 = 0
    guard let call = Self.symbol(name, in: library, as: ReadLong.self), call(device, &value) == 0 else { return nil }
    return Double(value)
  }

  private static func symbol<Function>(
    _ name: String, in library: UnsafeMutableRawPointer, as type: Function.Type
  ) -> Function? {
    dlsym(library, name).map { unsafeBitCast($0, to: type) }
  }
}
