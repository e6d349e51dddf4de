import ArgumentParser
import Foundation
import Frames
import GPU
import Verdict

struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices", abstract: "List the Vulkan devices, decoders and present sources.",
    discussion: "Exit codes: 0 fine, 1 there is no Vulkan device, 64 usage.")

  @Flag(help: "Print JSON.")
  var json = false

  /// What this machine offers to `--device` and `--decoder`.
  private struct Listing: Encodable {
    var devices: [GPUDeviceInfo]
    var decoders: [String]
    var presentSources: [String]
  }

  func run() throws {
    let devices: [GPUDeviceInfo]
    do throws(Failure) {
      devices = try GPUInstance().devices()
    } catch {
      // No driver at all is an answer, not an accident.
      Console.note("bench360: \(error)")
      devices = []
    }
    let listing = Listing(devices: devices, decoders: ["software"], presentSources: presentSources(devices))
    if json { try printJSON(listing) } else { printTable(listing) }
    if devices.isEmpty { throw ExitStatus.failure }
  }

  /// What display times can come from, here; the first is the best.
  private func presentSources(_ devices: [GPUDeviceInfo]) -> [String] {
    let tells = devices.contains { $0.features.contains(.presentWait) }
    return ((tells ? [PresentSource.presentWait] : []) + [.submitComplete]).map(\.rawValue)
  }

  private func printTable(_ listing: Listing) {
    let preferred = GPUDeviceInfo.select("auto", from: listing.devices).first
    for device in listing.devices {
      Console.print("\(device.index)  \(device.name)\(device == preferred ? "  (auto)" : "")")
      Console.print("   type      \(device.kind.rawValue)\(device.isSoftware ? ", renders on the CPU" : "")")
      Console.print("   driver    \(device.driver)")
      Console.print("   Vulkan    \(device.api)")
      Console.print("   uuid      \(device.uuid)")
      if let address = device.pciAddress { Console.print("   PCI       \(address)") }
      Console.print("   memory    \(device.memoryMebibytes) MiB, images up to \(device.maxImageSize)")
      Console.print("   features  \(device.features.map(\.rawValue).joined(separator: ", "))")
      if let reason = device.unsuitable { Console.print("   unusable  \(reason)") }
    }
    Console.print("decoders         \(listing.decoders.joined(separator: ", "))")
    Console.print("present sources  \(listing.presentSources.joined(separator: ", "))")
  }
}

/// Prints a value for scripts: sorted keys, snake case.
func printJSON(_ value: some Encodable) throws {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  encoder.keyEncodingStrategy = .convertToSnakeCase
  Console.print(String(decoding: try encoder.encode(value), as: UTF8.self))
}
