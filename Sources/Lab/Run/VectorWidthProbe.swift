import Encode
import FoundationEssentials
import Frames
import Host
import Verdict

/// How fast llvmpipe draws by the width of its vectors: which is best differs between makes of CPU.
enum VectorWidthProbe {
  /// Mesa's variable: bits.
  static let variable = "LP_NATIVE_VECTOR_WIDTH"
  private static let widths = [128, 256, 512]

  /// Milliseconds of one view by width, each the faster of two processes, by turns; without widths that the processor does not have.
  ///
  /// - Parameter device: as Vulkan names it, which tells the width that is taken: `llvmpipe (LLVM 15.0.6, 256 bits)`.
  /// - Returns: nil where another driver draws, the user has chosen a width, or nothing could be measured.
  static func measure(on device: DoctorFacts.Device, environment: [String: String]) -> DoctorFacts.VectorWidths? {
    guard environment[variable, default: ""].isEmpty,
      let own = device.name.firstMatch(of: #/^llvmpipe .*\b([0-9]+) bits/#).flatMap({ Int($0.output.1) })
    else { return nil }
    let folder = temporaryFolder + "bench360-doctor-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    guard (try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)) != nil,
      let clip = try? makeClip(in: folder)
    else { return nil }
    var times: [Int: Double] = [:]
    for width in (widths + widths.reversed()).filter({ $0 <= own }) {
      guard let time = try? draw(clip, width: width) else { return nil }
      times[width] = min(times[width] ?? .infinity, time)
    }
    return DoctorFacts.VectorWidths(own: own, milliseconds: times)
  }

  private static func makeClip(in folder: String) throws -> String {
    var clip = ClipSpecification()
    clip.scene.size = PictureSize(width: 1920, height: 960)
    clip.scene.frames = 8
    let path = folder + "/clip.mp4"
    try generateClip(clip, to: path) { _, _ in !Interrupt.isRequested }
    return path
  }

  private static func draw(_ clip: String, width: Int) throws(Failure) -> Double? {
    var settings = RunSettings()
    (settings.repetition.duration, settings.repetition.timeout) = (1, 10)
    let outcome = try TrialProcess(environment: [variable: "\(width)"]).run(
      TrialRequest(scenario: .render, variant: nil, input: clip, settings: settings))
    let times = (outcome.samples[.renderGPU] ?? []).sorted()
    return times.isEmpty ? nil : times[times.count / 2]
  }
}
