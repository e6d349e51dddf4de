extension Doctor {
  static let extras: [@Sendable (DoctorFacts) -> Finding?] = [virtual, validation, decoders, present, sound, energy]

  private static func virtual(_ facts: DoctorFacts) -> Finding? {
    facts.isVirtualised == true
      ? Finding("virtual_machine", .info, "this is a virtual machine: what else the host does is seen as 'steal' only")
      : nil
  }

  private static func validation(_ facts: DoctorFacts) -> Finding? {
    facts.vulkan.hasValidationLayer
      ? Finding("validation", .info, "the Vulkan validation layer is installed: --validate works")
      : Finding(
        "validation", .info, "the Vulkan validation layer is not installed: --validate fails",
        remedy: "sudo apt install vulkan-validationlayers")
  }

  private static func decoders(_ facts: DoctorFacts) -> Finding? {
    let names = facts.decoders.libraries.sorted { $0.key < $1.key }.map {
      "\($0.key) \($0.value ? "found" : "not found")"
    }
    let obstacles = facts.decoders.obstacles.sorted { $0.key < $1.key }.map {
      "; --decoder \($0.key) fails: \($0.value)"
    }
    return names.isEmpty
      ? nil
      : Finding(
        "decoders", .info, "hardware decoders' libraries: " + names.joined(separator: ", ") + obstacles.joined())
  }

  private static func present(_ facts: DoctorFacts) -> Finding? {
    facts.presentSources.isEmpty
      ? nil : Finding("present", .info, "display times come from: " + facts.presentSources.joined(separator: ", "))
  }

  private static func energy(_ facts: DoctorFacts) -> Finding? {
    guard let obstacle = facts.energyObstacle else {
      return Finding("energy", .info, "the processors' energy is counted: watt and joule_per_frame are known")
    }
    return Finding(
      "energy", .info, "watt and joule_per_frame lack the processors: \(obstacle.cause)", remedy: obstacle.remedy)
  }

  private static func sound(_ facts: DoctorFacts) -> Finding? {
    guard let sound = facts.sound else { return nil }
    if let failure = sound.failure {
      return Finding("sound", .info, "view plays no sound: \(failure)", remedy: sound.remedy)
    }
    return sound.devices.isEmpty
      ? Finding("sound", .info, "view plays no sound: there is no sound device; run --audio null needs none")
      : Finding("sound", .info, "sound devices: " + sound.devices.joined(separator: ", "))
  }
}
