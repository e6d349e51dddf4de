import Frames
import Glibc
import Synchronization
import Verdict

/// Looks at the sensors of the machine and of a device several times a second for as long as it lives, on a thread of its own and never in
/// the process that is measured.
package final class Telemetry: Sendable {
  private let shared = Shared()
  private let device: Device?
  /// Nil where the system gave none: there are no readings.
  private let thread: WorkerThread?
  /// Of the energy of a trial: what is known of it, and why no more.
  package let energyReason: String

  /// A device with sensors.
  package struct Device: Sendable {
    package var uuid: String
    package var pciAddress: String?
    /// Its energy is a part of its processor's.
    package var isPartOfPackage: Bool

    package init(uuid: String, pciAddress: String?, isPartOfPackage: Bool = false) {
      (self.uuid, self.pciAddress, self.isPartOfPackage) = (uuid, pciAddress, isPartOfPackage)
    }
  }

  private final class Shared: Sendable {
    let readings = Mutex<[DeviceReading]>([])
    let isStopped = Atomic<Bool>(false)
  }

  /// Milliseconds. Drivers average over about that long anyway, and asking costs them time.
  package static let interval = 200

  /// - Parameters:
  ///   - device: nil: none with sensors.
  ///   - nvidiaLibrary: as `NVMLSensors` loads it.
  ///   - nvidiaProgram: nvidia-smi's path, where there is one; it is asked where the library does not know the device.
  package init(
    of device: Device?, files: SystemFiles = SystemFiles(), nvidiaLibrary: String = "libnvidia-ml.so.1",
    nvidiaProgram: String? = executable("nvidia-smi")
  ) {
    self.device = device
    let obstacle = PackageEnergy(files: files).obstacle
    let remedy = obstacle?.remedy.map { " (\($0))" } ?? ""
    energyReason =
      obstacle.map { "of the device alone, if at all: \($0.cause)\(remedy)" } ?? "by the processors' own counters"
    thread = try? WorkerThread { [shared] in
      Self.look(device, files, nvidiaLibrary, nvidiaProgram, shared)
    }
  }

  private static func look(
    _ device: Device?, _ files: SystemFiles, _ library: String, _ program: String?, _ shared: Shared
  ) {
    let nvml = device.flatMap { NVMLSensors(uuid: $0.uuid, library: library) }
    let nvidia = nvml == nil ? device.flatMap { NvidiaSensors(uuid: $0.uuid, every: interval, program: program) } : nil
    let kernel = device?.pciAddress.map { KernelSensors(pciAddress: $0, files: files) }
    let engines = device?.pciAddress.map { EngineTimes(pciAddress: $0, files: files) }
    let package = PackageEnergy(files: files)
    while !shared.isStopped.load(ordering: .relaxed) {
      var told: [DeviceReading]
      if let nvidia, nvidia.isRunning {
        told = nvidia.readings(withinMilliseconds: interval)
      } else {
        usleep(UInt32(interval) * 1000)
        told = [nvml?.read() ?? kernel?.read() ?? DeviceReading()]
      }
      if var last = told.popLast() {
        if let busy = engines?.read() {
          (last.decoderPercent, last.copyPercent) = (last.decoderPercent ?? busy.decoder, busy.copy)
        }
        last.packageJoules = package.joules()
        told.append(last)
      }
      shared.readings.withLock { $0 += told.filter { !$0.isEmpty } }
    }
  }

  deinit {
    shared.isStopped.store(true, ordering: .relaxed)
    thread?.join()
  }

  /// The readings of that time, in order; older ones are forgotten.
  package func take(from start: MonotonicTime, to end: MonotonicTime = .now) -> [DeviceReading] {
    shared.readings.withLock { DeviceReading.take(&$0, from: start, to: end) }
  }

  /// The metrics of a trial that has just ended; older readings are forgotten.
  ///
  /// - Parameters:
  ///   - frames: that it decoded, or showed.
  ///   - draws: it used the device.
  package func samples(from start: MonotonicTime, frames: Int, draws: Bool) -> [Metric: [Double]] {
    let seconds = MonotonicTime.now.seconds(since: start)
    let readings = take(from: start)
    let energy = EnergyMeasures.samples(
      readings, isPartOfPackage: device?.isPartOfPackage == true, frames: frames, seconds: seconds)
    return device == nil || !draws ? energy : energy.merging(DeviceReading.samples(readings)) { $1 }
  }
}
