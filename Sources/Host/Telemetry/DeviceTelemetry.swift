import Frames
import Glibc
import Synchronization

/// Looks at a device's sensors several times a second for as long as it lives, on a thread of its own and never in the
/// process that is measured.
package final class DeviceTelemetry: Sendable {
  private let shared = Shared()
  /// Nil where the system gave none: there are no readings.
  private let thread: WorkerThread?

  private final class Shared: Sendable {
    let readings = Mutex<[DeviceReading]>([])
    let isStopped = Atomic<Bool>(false)
  }

  /// Milliseconds. Drivers average over about that long anyway, and asking costs them time.
  package static let interval = 200

  /// - Parameter nvidiaProgram: nvidia-smi's path, where there is one.
  package init(
    uuid: String, pciAddress: String?, files: SystemFiles = SystemFiles(),
    nvidiaProgram: String? = executable("nvidia-smi")
  ) {
    thread = try? WorkerThread { [shared] in
      let nvidia = NvidiaSensors(uuid: uuid, every: Self.interval, program: nvidiaProgram)
      let kernel = pciAddress.map { KernelSensors(pciAddress: $0, files: files) }
      while !shared.isStopped.load(ordering: .relaxed) {
        let told: [DeviceReading]
        if let nvidia, nvidia.isRunning {
          told = nvidia.readings(withinMilliseconds: Self.interval)
        } else {
          usleep(UInt32(Self.interval) * 1000)
          told = kernel.map { [$0.read()] } ?? []
        }
        shared.readings.withLock { $0 += told.filter { !$0.isEmpty } }
      }
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
}
