import Foundation

/// Lavapipe in the shape of a discrete GPU, by a Vulkan layer below the validation layer: `Scripts/simulated-device` builds it and tells
/// its settings.
public enum SimulatedDevice {
  /// What the layer counted in one process.
  public struct Counts: Sendable {
    /// Submissions to both queues.
    public var drawing = 0
    public var transfers = 0
    /// Waits for presents that ended with the picture seen.
    public var seen = 0
    /// Of these, the ones that ended over 2 ms after that.
    public var overslept = 0
    /// Allocations that found their heap full.
    public var refused = 0
  }

  private static let settings = Result { try settings(validation: "0") }
  private static let validatedSettings = Result { try settings(validation: "1") }

  /// Where it must exist, a missing one fails tests instead of skipping them.
  public static let isAvailable =
    ProcessInfo.processInfo.environment["CI"] == "true"
    || ((try? settings.get()) ?? [:])["VK_DRIVER_FILES"] != nil && TestDevice.isAvailable

  /// The environment of a program that is to see it.
  ///
  /// - Parameters:
  ///   - validates: the program turns the validation layer on.
  ///   - settings: of the layer, without their prefix.
  ///   - folder: where its counts go.
  public static func environment(
    validates: Bool, _ settings: [String: String] = [:], countsIn folder: String
  ) throws -> [String: String] {
    var environment = try (validates ? validatedSettings : self.settings).get()
    for (name, value) in settings { environment["SIMULATED_" + name] = value }
    environment["SIMULATED_LOG"] = folder + "/counts"
    return environment
  }

  /// Of the programs that ended so far, in that order.
  public static func counts(in folder: String) throws -> [Counts] {
    try String(contentsOfFile: folder + "/counts", encoding: .utf8).split(separator: "\n").map { line in
      let words = line.split(separator: " ")
      func number(_ name: Substring) -> Int {
        words.firstIndex(of: name).flatMap { Int(words[$0 + 1]) } ?? 0
      }
      return Counts(
        drawing: number("drawing"), transfers: number("transfers"), seen: number("seen"),
        overslept: number("overslept"), refused: number("refused"))
    }
  }

  /// The variables that the script sets; the layer is built first.
  private static func settings(validation: String) throws -> [String: String] {
    let result = try CommandOutput.of(
      TestFolders.repository + "/Scripts/simulated-device", ["env"], environment: ["SIMULATED_VALIDATION": validation])
    guard result.status == 0 else { throw VirtualDisplay.Missing(description: result.errors) }
    let pairs = result.text.split(separator: "\n").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
    return Dictionary(
      pairs.filter { $0.count == 2 && $0[0].hasPrefix("VK_") }.map { ($0[0], $0[1]) }, uniquingKeysWith: { $1 })
  }
}
