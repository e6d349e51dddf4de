internal import CVulkan
import Frames
import Logging

/// A logical device with a queue for drawing and compute work, and one for copies where the device has one that does
/// nothing else. Thread-safe; everything made from it keeps it alive.
public final class GPUDevice: Sendable {
  public let info: GPUDeviceInfo
  public let instance: GPUInstance
  nonisolated(unsafe) let handle: VkDevice
  nonisolated(unsafe) let physical: VkPhysicalDevice
  let queues: DeviceQueues
  let clock: Clock
  let memory: MemoryKinds
  let pipelines: PipelineCache
  let debug: DebugMarks
  /// Where it shows pictures; nil when it was not opened for a window.
  let surface: Surface?
  /// Nil when the driver does not report when pictures were shown.
  let waitForPresent: PFN_vkWaitForPresentKHR?
  /// The enabled ones only.
  let extensions: [String]
  /// What decoders get to know of the device; nil where they may not work on it.
  let lending: Lending?
  nonisolated(unsafe) private let samplers: [VkSampler]
  /// The failures that a test injects; nil otherwise.
  let imageViews: (any ImageViewFaults)?

  /// What timestamps count.
  struct Clock {
    /// Nanoseconds per timestamp tick.
    let period: Double
    /// It can be read together with CLOCK_MONOTONIC.
    let canCalibrate: Bool
  }

  struct Lending {
    /// The enabled ones only.
    let features: DeviceFeatures
    /// The family of the queue that decodes; nil where the device has none.
    let decodeFamily: LentQueueFamily?
  }

  /// - Parameters:
  ///   - wanted: `auto`, an index, part of a name, or a UUID.
  ///   - requireGPU: refuse a device that renders on the CPU.
  ///   - validate: watch every call with the validation layer.
  ///   - source: a window that the device is to show pictures in; `auto` is the first device that can.
  ///   - lends: decoders may work on it, with queues of its video engine.
  ///   - pipelines: what an earlier process found in `newPipelines` of the same device; anything else is passed over.
  public convenience init(
    _ wanted: String = "auto", requireGPU: Bool = false, validate: Bool = false, surface source: SurfaceSource? = nil,
    lends: Bool = false, pipelines: (GPUDeviceInfo) -> [UInt8] = { _ in [] }
  ) throws(Failure) {
    try self.init(
      wanted, requireGPU: requireGPU, validate: validate, surface: source, lends: lends, pipelines: pipelines,
      seams: DeviceSeams())
  }

  /// - Parameter seams: what tests put in the driver's place.
  package convenience init(
    _ wanted: String = "auto", requireGPU: Bool = false, validate: Bool = false, surface source: SurfaceSource? = nil,
    lends: Bool = false, pipelines: (GPUDeviceInfo) -> [UInt8] = { _ in [] }, seams: DeviceSeams
  ) throws(Failure) {
    let instance = try GPUInstance(validate: validate, extensions: source?.instanceExtensions ?? [])
    let surface: Surface? =
      if let source { try Surface(instance: instance, source: source) } else { nil }
    let devices = instance.devices()
    guard !devices.isEmpty else {
      throw Failure(.device, "cannot render", cause: "no Vulkan device was found", remedy: installDriver)
    }
    let matching = GPUDeviceInfo.select(wanted, from: devices)
    guard let chosen = matching.first(where: { instance.canPresent($0, surface) }) ?? matching.first else {
      let names = devices.map { "\($0.index) '\($0.name)'" }.joined(separator: ", ")
      throw Failure(
        .device, "cannot use device '\(wanted)'", cause: "no Vulkan device matches", remedy: "available: \(names)")
    }
    gpuLog.debug(
      "chose a device",
      metadata: [
        "device": "\(chosen.name)", "index": "\(chosen.index)", "software": "\(chosen.isSoftware)",
        "wanted": "\(wanted)", "of": "\(devices.count)",
      ])
    if let reason = chosen.unsuitable {
      throw Failure(.device, "cannot use device '\(chosen.name)'", cause: reason, remedy: "update its driver")
    }
    if requireGPU, chosen.isSoftware {
      throw Failure(
        .device, "cannot meet --require-gpu", cause: "the device found is '\(chosen.name)', which renders on the CPU",
        remedy: "install the GPU's Vulkan driver, or leave --require-gpu out")
    }
    try self.init(
      chosen, of: instance, surface: surface, lends: lends, pipelines: pipelines(chosen), seams: seams)
  }

  init(
    _ info: GPUDeviceInfo, of instance: GPUInstance, surface: Surface?, lends: Bool, pipelines: [UInt8],
    seams: DeviceSeams
  ) throws(Failure) {
    let physicals = instance.physicalDevices()
    guard physicals.indices.contains(info.index) else {
      throw Failure(.device, "cannot use device '\(info.name)'", cause: "it has gone")
    }
    let physical = physicals[info.index]
    let families = queueFamilies(physical)
    guard families.contains(where: drawsAndComputes) else {
      throw Failure(.device, "cannot use device '\(info.name)'", cause: "it has no graphics queue")
    }
    guard let family = presentingFamily(physical, surface) else {
      throw Failure(
        .device, "cannot show pictures in a window", cause: "device '\(info.name)' cannot draw into this one",
        remedy: "use another --device, or --present offscreen")
    }
    let there = extensionNames(physical)
    let canCalibrate = GPU.canCalibrate(instance.handle, physical, there)
    let copyFamily = families.firstIndex(where: copiesOnly) ?? (seams.copiesApart ? family : nil)
    let usedFamilies = DeviceQueues.families(UInt32(family), copyFamily.map { UInt32($0) })
    let tellsPresents = surface != nil && PresentExtension.tellsPresents(physical, there)
    let addition = DeviceAddition(
      physical, there, clock: canCalibrate, presents: surface != nil, tellsPresents: tellsPresents, lends: lends)
    let features = DeviceFeatures(addition)
    let decodeFamily = lends ? videoFamily(physical, there) : nil
    let device = try createDevice(
      physical, families: usedFamilies + (decodeFamily.map { [$0.index] } ?? []).filter { !usedFamilies.contains($0) },
      extensions: addition.extensions, features, name: info.name)
    func queue(_ family: Int) -> DeviceQueues.Queue? {
      var queue: VkQueue?
      vkGetDeviceQueue(device, UInt32(family), 0, &queue)
      return queue.map {
        DeviceQueues.Queue(handle: $0, family: UInt32(family), timestampBits: families[family].timestampValidBits)
      }
    }
    var properties = VkPhysicalDeviceProperties()
    vkGetPhysicalDeviceProperties(physical, &properties)
    var samplers: [VkSampler] = []
    let drawing: DeviceQueues.Queue
    do throws(Failure) {
      for sampling in Sampling.allCases { samplers.append(try createSampler(device, sampling, name: info.name)) }
      guard let found = queue(family) else {
        throw Failure(.device, "cannot use device '\(info.name)'", cause: "it gave no queue")
      }
      drawing = found
    } catch {
      for sampler in samplers { vkDestroySampler(device, sampler, nil) }
      LoaderLists.exclusively { vkDestroyDevice(device, nil) }
      throw error
    }
    self.info = info
    self.instance = instance
    self.physical = physical
    queues = DeviceQueues(drawing: drawing, copying: copyFamily.flatMap(queue))
    extensions = addition.extensions
    lending = lends ? Lending(features: features, decodeFamily: decodeFamily) : nil
    self.surface = surface
    waitForPresent =
      tellsPresents ? deviceFunction(device, "vkWaitForPresentKHR", PFN_vkWaitForPresentKHR.self) : nil
    self.samplers = samplers
    self.pipelines = PipelineCache(device: device, bytes: pipelines)
    handle = device
    debug = DebugMarks(device, of: instance, listener: seams.labels)
    clock = Clock(period: Double(properties.limits.timestampPeriod), canCalibrate: canCalibrate)
    // Lavapipe (Mesa 25) tells what the whole machine uses.
    memory = MemoryKinds(
      types: memoryTypes(physical), heapSizes: memoryHeaps(physical).map(\.size),
      tellsBudget: !info.isSoftware && there.contains(MemoryBudget.extension))
    imageViews = seams.imageViews
  }

  deinit {
    vkDeviceWaitIdle(handle)
    pipelines.destroy()
    for sampler in samplers { vkDestroySampler(handle, sampler, nil) }
    LoaderLists.exclusively { vkDestroyDevice(handle, nil) }
  }

  /// How textures are read outside [0, 1): a sphere's longitude goes round, everything else stops at the edge.
  public enum Sampling: Int, CaseIterable, Sendable { case clamped, wrappedHorizontally }

  func sampler(_ sampling: Sampling) -> VkSampler { samplers[sampling.rawValue] }

  /// Compiled shaders for the next process; nil when this process compiled none beyond those it was given.
  public var newPipelines: [UInt8]? { pipelines.newBytes }

  /// As it is now; nil where the driver does not tell.
  var memoryBudget: MemoryBudget? { memory.tellsBudget ? .read(physical) : nil }

  /// - Parameter copies: to the queue for copies, which there must be.
  func submit(_ info: inout VkSubmitInfo2, copies: Bool = false) -> VkResult {
    if surface?.losses?.losesDevice() == true { return VK_ERROR_DEVICE_LOST }
    return queues.submit(&info, copies: copies)
  }

  func present(_ info: inout VkPresentInfoKHR) -> VkResult {
    if surface?.losses?.losesSurface() == true { return VK_ERROR_SURFACE_LOST_KHR }
    return queues.present(&info)
  }

  /// Waits for all submissions and presents: when a window closes, never for a frame.
  func waitForQueue() { queues.wait() }
}

extension GPUInstance {
  /// Whether the device can show pictures there; so can every device where nothing is to be shown.
  fileprivate func canPresent(_ info: GPUDeviceInfo, _ surface: Surface?) -> Bool {
    let devices = physicalDevices()
    return devices.indices.contains(info.index) && presentingFamily(devices[info.index], surface) != nil
  }
}

/// The queue family that draws, and that shows pictures where there is a surface.
private func presentingFamily(_ device: VkPhysicalDevice, _ surface: Surface?) -> Int? {
  let families = queueFamilies(device)
  return families.indices.first { family in
    drawsAndComputes(families[family]) && surface?.canPresent(device, family: family) != false
  }
}

private func createSampler(
  _ device: VkDevice, _ sampling: GPUDevice.Sampling, name: String
) throws(Failure) -> VkSampler {
  var info = VkSamplerCreateInfo()
  info.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO
  info.magFilter = VK_FILTER_LINEAR
  info.minFilter = VK_FILTER_LINEAR
  info.mipmapMode = VK_SAMPLER_MIPMAP_MODE_NEAREST
  info.addressModeU =
    sampling == .clamped ? VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE : VK_SAMPLER_ADDRESS_MODE_REPEAT
  // Shaders never look beyond the outermost texel centres, so no border is ever seen. It is asked for because lavapipe
  // then filters in floating point: clamping to the edge makes it round to 8 bits after every step, and no faster.
  info.addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER
  info.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE
  var sampler: VkSampler?
  try check(vkCreateSampler(device, &info, nil, &sampler), "use device '\(name)'")
  guard let sampler else { throw Failure(.device, "cannot use device '\(name)'", cause: "it gave no sampler") }
  return sampler
}
