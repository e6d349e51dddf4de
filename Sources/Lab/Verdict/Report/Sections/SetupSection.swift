import Frames

extension ReportSection {
  /// The setup: machine, device, libraries, clip, settings and their reasons.
  static let setup = ReportSection("setup", "Machine and settings") { group, layout in
    let record = group.newest
    let blocks: [(name: String, rows: [(term: String, value: String?)])] = [
      ("Machine", machine(record.environment.machine)), ("Device", device(record.environment.device)),
      ("Libraries", libraries(record.environment.libraries)), ("Clip", clip(record.input)),
      ("Settings", settings(record)),
      (
        "Why these settings",
        record.settings.reasons.sorted { $0.key < $1.key }.map { (term: $0.key, value: $0.value) }
      ),
      ("Record", origin(record)),
    ]
    return blocks.filter { !$0.rows.isEmpty }.flatMap { block -> [Markup] in
      [.heading(layout.level + 1, block.name), .terms(class: "setup", block.rows)]
    }
  }

  private static func machine(_ machine: Record.Machine) -> [(term: String, value: String?)] {
    [
      ("class", machine.className), ("processor", machine.cpu), ("cores", machine.cores.map(String.init)),
      ("memory", machine.memoryMib.map { "\($0) MiB" }), ("system", machine.os), ("kernel", machine.kernel),
      ("governor", machine.governor), ("virtualised", machine.virtualised.map { $0 ? "yes" : "no" }),
    ]
  }

  private static func device(_ device: Record.Device?) -> [(term: String, value: String?)] {
    guard let device else { return [("device", "no GPU used")] }
    return [
      ("name", device.name), ("type", device.type?.rawValue), ("driver", device.driver), ("Vulkan", device.api),
      ("UUID", device.uuid), ("renders on the CPU", device.software ? "yes" : "no"),
    ]
  }

  private static func libraries(_ libraries: Record.Libraries) -> [(term: String, value: String?)] {
    [
      ("FFmpeg, built with", libraries.ffmpeg.compiled), ("FFmpeg, ran with", libraries.ffmpeg.runtime),
      ("Vulkan loader", libraries.vulkanLoader), ("GLFW", libraries.glfw),
    ]
  }

  private static func clip(_ input: Record.Input) -> [(term: String, value: String?)] {
    let guessed = input.color.map { $0.guessed.map(\.rawValue).sorted().joined(separator: ", ") } ?? ""
    return [
      ("name", input.name), ("SHA-256", input.sha256), ("container", input.container),
      ("codec", [input.codec, input.profile].compactMap { $0 }.joined(separator: " ")),
      ("pixel format", input.pixelFormat), ("size", input.size?.description),
      ("frames per second", input.framesPerSecond.map { ReportText.shortest($0, decimals: 3) }),
      ("frames", input.frames.map(String.init)),
      ("duration", input.durationSeconds.map { "\(ReportText.shortest($0, decimals: 3)) s" }),
      ("sync samples at most", input.gop.map { "\($0) frames apart" }), ("projection", input.projection),
      ("stereo", input.stereo), ("colour, guessed", guessed.isEmpty ? "nothing" : guessed),
    ]
  }

  /// The fields that decide whether records are comparable, and the amount of measurement.
  private static func settings(_ record: Record) -> [(term: String, value: String?)] {
    let settings = record.settings
    return [
      ("suite", settings.repetition.suite), ("trials", "\(settings.repetition.trials)"),
      ("scenarios", settings.repetition.scenarios.joined(separator: ", ")),
    ]
      + ComparedField.all.filter { $0.kind != .environment }.map { field in
        (term: field.name.replacing("_", with: " "), value: field.value(record))
      }
  }

  private static func origin(_ record: Record) -> [(term: String, value: String?)] {
    [
      ("created", record.created), ("label", record.label), ("session", record.session),
      ("bench360", record.build.version),
      ("commit", record.build.commit + (record.build.dirty == true ? ", modified" : "")),
      ("command", record.command.map(redactingSecrets(ofArgument:)).joined(separator: " ")),
      ("complete", record.complete ? "yes" : "no"),
    ]
  }
}
