import Frames
extension Doctor {
  static let graphics: [@Sendable (DoctorFacts) -> Finding?] = [vulkan, device, vectorWidth, access, container]

  private static let softwareRemedy = "install one that renders on the CPU: sudo apt install mesa-vulkan-drivers"

  private static func vulkan(_ facts: DoctorFacts) -> Finding? {
    let loader = "Vulkan loader \(facts.vulkan.loader)"
    if facts.vulkan.devices.isEmpty {
      return Finding(
        "vulkan", .problem,
        "\(loader) finds no device, so that nothing can be rendered: \(facts.vulkan.failure ?? "no driver is installed")",
        remedy: chosenDrivers(facts) ?? facts.adapters.first?.vendor.remedy ?? softwareRemedy)
    }
    guard facts.vulkan.devices.contains(where: { $0.unsuitable == nil }) else {
      let reasons = facts.vulkan.devices.map { "'\($0.name)': \($0.unsuitable ?? "")" }.joined(separator: "; ")
      return Finding("vulkan", .problem, "none of the Vulkan devices can be used: \(reasons)", remedy: softwareRemedy)
    }
    return Finding("vulkan", .ok, "\(loader), devices: \(facts.vulkan.devices.map(\.name).joined(separator: ", "))")
  }

  /// The user may have hidden all drivers that there are.
  private static func chosenDrivers(_ facts: DoctorFacts) -> String? {
    ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"].first { facts.environment[$0]?.isEmpty == false }
      .map { "unset \($0), which names the only drivers that are tried, or mend it" }
  }

  /// The device that `--device auto` chooses, and whether that is the CPU without the user's knowledge.
  private static func device(_ facts: DoctorFacts) -> Finding? {
    guard let chosen = facts.vulkan.chosen else { return nil }
    guard chosen.isSoftware else { return Finding("device", .ok, "'auto' chooses '\(chosen.name)' (\(chosen.kind))") }
    let text = "'auto' chooses '\(chosen.name)', which renders on the CPU"
    if let refused = facts.vulkan.devices.first(where: { !$0.isSoftware && $0.unsuitable != nil }) {
      return Finding(
        "device", .warning, "\(text), since '\(refused.name)' cannot be used: \(refused.unsuitable ?? "")",
        remedy: "update its driver")
    }
    guard let adapter = facts.adapters.first else {
      return Finding(
        "device", .warning, "\(text), which decode needs too; no GPU is on the bus",
        remedy: "for a GPU's numbers use a machine that has one; --require-gpu makes this an error")
    }
    return Finding(
      "device", .warning,
      "\(text), though there is a GPU on the bus (\(adapter.name)): no Vulkan driver for it is found",
      remedy: facts.hasNvidiaKernelDriver && adapter.vendor == .nvidia
        ? "NVIDIA's kernel driver is loaded, its Vulkan part is missing: sudo apt install nvidia-vulkan-icd "
          + "(Ubuntu: libnvidia-gl-VERSION); docker run -e NVIDIA_DRIVER_CAPABILITIES=all" : adapter.vendor.remedy)
  }

  /// What is less is within the noise of two seconds.
  private static let worthwhile = 1.08

  /// Whether llvmpipe draws faster with another width of its vectors than with the one it takes.
  private static func vectorWidth(_ facts: DoctorFacts) -> Finding? {
    guard let widths = facts.vulkan.vectorWidths, let own = widths.milliseconds[widths.own],
      let best = widths.milliseconds.min(by: { ($0.value, $0.key) < ($1.value, $1.key) }), best.value > 0
    else { return nil }
    let times = widths.milliseconds.sorted { $0.key < $1.key }.map {
      formatted("%d bits %.2f ms", $0.key, $0.value)
    }
    let text = "a view takes llvmpipe with vectors of " + times.joined(separator: ", ")
    guard own / best.value >= worthwhile else {
      return Finding("vector_width", .ok, "\(text): it takes \(widths.own) by itself")
    }
    return Finding(
      "vector_width", .warning,
      "\(text): it takes \(widths.own) by itself, which is \(formatted("%.2f", own / best.value)) times as slow as \(best.key)",
      remedy: "export LP_NATIVE_VECTOR_WIDTH=\(best.key), and keep to one width in what you compare")
  }

  /// Mesa's drivers need a render node; NVIDIA's does not.
  private static func access(_ facts: DoctorFacts) -> Finding? {
    let refused = facts.renderNodes.filter { !$0.isUsable }.map(\.path)
    if !refused.isEmpty {
      return Finding(
        "gpu_access", .warning, "this user may not open \(refused.joined(separator: ", ")): its GPU is not seen",
        remedy:
          "sudo usermod -aG render,video $USER, then log in again; docker run --device /dev/dri --group-add render")
    }
    if !facts.renderNodes.isEmpty {
      return Finding("gpu_access", .ok, "can be opened: \(facts.renderNodes.map(\.path).joined(separator: ", "))")
    }
    guard let adapter = facts.adapters.first(where: { $0.vendor != .nvidia }) else { return nil }
    return Finding(
      "gpu_access", .warning, "there is a GPU on the bus (\(adapter.name)) but no /dev/dri/renderD*",
      remedy: facts.isContainer
        ? "docker run --device /dev/dri"
        : "load its kernel driver: lspci -k names it; sudo modprobe amdgpu (Intel: i915)")
  }

  private static func container(_ facts: DoctorFacts) -> Finding? {
    guard let visible = facts.environment["NVIDIA_VISIBLE_DEVICES"], !["", "void", "none"].contains(visible) else {
      return nil
    }
    // NVIDIA's runtime gives neither by default. What is there all the same came in another way.
    let given = (facts.environment["NVIDIA_DRIVER_CAPABILITIES"] ?? "").split(separator: ",")
    let found = [
      "graphics": facts.vulkan.devices.contains { $0.name.hasPrefix("NVIDIA") },
      "video": facts.decoders.libraries["libnvcuvid.so.1"] == true,
    ]
    let missing =
      given.contains("all")
      ? [] : ["graphics", "video"].filter { !given.contains(Substring($0)) && found[$0] != true }
    guard !missing.isEmpty else {
      return Finding("nvidia_container", .ok, "the container has NVIDIA's graphics and video libraries")
    }
    return Finding(
      "nvidia_container", .warning,
      "the container was started without NVIDIA's libraries for \(missing.joined(separator: " and "))",
      remedy: "docker run -e NVIDIA_DRIVER_CAPABILITIES=all, or compute,utility,graphics,video")
  }
}
