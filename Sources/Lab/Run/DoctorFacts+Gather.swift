import Decode
import FoundationEssentials
import Frames
import GPU
import Glibc
import Host
import Sound
import Verdict

extension Doctor {
  /// Samples this machine for about half a second.
  public static func examine() -> [Finding] { check(.gather()) }
}

extension DoctorFacts {
  /// Everything about this machine. nvidia-smi is given 2 s.
  static func gather() -> DoctorFacts {
    let (devices, failure) = vulkanDevices()
    let chosen = GPUDeviceInfo.select("auto", from: devices).first
    let before = NoiseSnapshot.read(gpus: .all(nvidiaSeconds: 2, uuid: chosen?.uuid))
    usleep(500_000)
    let after = NoiseSnapshot.read(gpus: .all(nvidiaSeconds: 2, uuid: chosen?.uuid))
    // The device's own line reports CPU rendering; noise does not repeat it.
    let noise = NoiseEvidence(before: before, after: after, renderer: chosen?.isSoftware == false ? .gpu : nil)
    var facts = DoctorFacts(environment: ProcessInfo.processInfo.environment, noise: noise)
    facts.vulkan.loader = GPUInstance.loaderVersion
    facts.vulkan.failure = failure
    facts.vulkan.devices = devices.map(Device.init)
    facts.vulkan.chosen = chosen.map(Device.init)
    facts.vulkan.hasValidationLayer = GPUInstance.hasValidationLayer
    facts.vulkan.vectorWidths = facts.vulkan.chosen.flatMap {
      VectorWidthProbe.measure(on: $0, environment: facts.environment)
    }
    facts.clock.resolutionNanoseconds = clockResolution()
    facts.mayBeRealTime = mayBeRealTime()
    for library in ["libnvcuvid.so.1", "libva.so.2"] {
      facts.decoders.libraries[library] = dlopen(library, RTLD_LAZY | RTLD_LOCAL) != nil
    }
    let gpu = chosen?.isSoftware == false ? chosen : nil
    for report in DecoderReport.all(on: gpu?.identity, sharing: gpu?.sharing) {
      facts.decoders.obstacles[report.name.rawValue] = report.obstacle
    }
    facts.presentSources = Set(Scenario.runnable.compactMap(\.presentSource?.rawValue)).sorted()
    facts.sound = soundDevices()
    return facts
  }

  private static func soundDevices() -> Sound {
    do throws(Failure) {
      return Sound(devices: try SoundDevices.list().map(\.name))
    } catch {
      return Sound(failure: error.cause, remedy: error.remedy)
    }
  }

  private static func vulkanDevices() -> (devices: [GPUDeviceInfo], failure: String?) {
    do throws(Failure) {
      return (try GPUInstance().devices(), nil)
    } catch {
      return ([], error.cause)
    }
  }

  private static func clockResolution() -> Double? {
    var resolution = timespec()
    guard clock_getres(CLOCK_MONOTONIC, &resolution) == 0 else { return nil }
    return Double(resolution.tv_sec) * 1e9 + Double(resolution.tv_nsec)
  }

  /// Tries it on this thread for a moment.
  private static func mayBeRealTime() -> Bool {
    var parameters = sched_param()
    parameters.sched_priority = sched_get_priority_min(SCHED_FIFO)
    guard sched_setscheduler(0, SCHED_FIFO, &parameters) == 0 else { return false }
    parameters.sched_priority = 0
    sched_setscheduler(0, SCHED_OTHER, &parameters)
    return true
  }
}

extension DoctorFacts.Device {
  fileprivate init(_ info: GPUDeviceInfo) {
    self.init(name: info.name, kind: info.kind.rawValue, isSoftware: info.isSoftware, unsuitable: info.unsuitable)
  }
}
