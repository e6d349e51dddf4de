import ArgumentParser
import Decode
import FoundationEssentials
import Frames
import GPU
import Sound
import Verdict

struct DevicesCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "devices", abstract: "List the Vulkan devices, decoders, present sources and sound devices.",
    discussion: """
        bench360 devices

      Exit codes: 0 fine, 1 there is no Vulkan device, 64 usage.
      """)

  @Flag(help: "Print JSON.")
  var json = false

  /// The values that this machine offers for `--device` and `--decoder`.
  private struct Listing: Encodable {
    var devices: [GPUDeviceInfo]
    /// Decoders that work on the default device.
    var decoders: [String]
    /// For each device all decoders, and why one cannot be used.
    var deviceDecoders: [DeviceDecoders]
    var presentSources: [String]
    /// The values that this machine offers for `--audio`, the default device first.
    var soundDevices: [String]
    /// Why there are none.
    var soundObstacle: String?
  }

  private struct DeviceDecoders: Encodable {
    var device: Int
    var decoders: [DecoderReport]
  }

  @OptionGroup
  var diagnostics: DiagnosticsOptions

  func run() throws {
    let devices: [GPUDeviceInfo]
    do throws(Failure) {
      devices = try GPUInstance().devices()
    } catch {
      // No driver at all is an answer, not an error.
      Console.note("bench360: \(error)")
      devices = []
    }
    let decoders = devices.map { device in
      DeviceDecoders(
        device: device.index,
        decoders: DecoderReport.all(
          on: device.isSoftware ? nil : device.identity, sharing: device.isSoftware ? nil : device.sharing))
    }
    let preferred = GPUDeviceInfo.select("auto", from: devices).first
    let usable =
      decoders.first { $0.device == preferred?.index }?.decoders ?? DecoderReport.all(on: nil, sharing: nil)
    let sound = soundDevices()
    let listing = Listing(
      devices: devices, decoders: usable.filter { $0.obstacle == nil }.map(\.name.rawValue), deviceDecoders: decoders,
      presentSources: presentSources(devices), soundDevices: sound.names, soundObstacle: sound.obstacle)
    if json { try printJSON(listing) } else { printTable(listing) }
    if devices.isEmpty { throw ExitStatus.failure }
  }

  private func soundDevices() -> (names: [String], obstacle: String?) {
    do throws(Failure) {
      let names = try SoundDevices.list().map(\.name)
      return (names, names.isEmpty ? "this machine has none" : nil)
    } catch {
      return ([], error.cause)
    }
  }

  /// The available sources of display times; the first is the best.
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
      if let address = device.identity.pci { Console.print("   PCI       \(address)") }
      Console.print("   memory    \(device.memoryMebibytes) MiB, images up to \(device.maxImageSize)")
      Console.print("   features  \(device.features.map(\.rawValue).joined(separator: ", "))")
      if let reason = device.unsuitable { Console.print("   unusable  \(reason)") }
      let decoders = listing.deviceDecoders.first { $0.device == device.index }?.decoders ?? []
      for decoder in decoders where decoder.name != .software { printDecoder(decoder) }
    }
    Console.print("decoders         \(listing.decoders.joined(separator: ", "))")
    Console.print("present sources  \(listing.presentSources.joined(separator: ", "))")
    let sound =
      listing.soundDevices.isEmpty
      ? "none: \(listing.soundObstacle ?? "")" : listing.soundDevices.joined(separator: ", ")
    Console.print("sound devices    \(sound)")
  }
}

/// One hardware decoder: its codecs, and how its frames reach the GPU; or why it cannot be used.
private func printDecoder(_ decoder: DecoderReport) {
  let name = decoder.name.rawValue.filled(to: 8)
  if let obstacle = decoder.obstacle { return Console.print("   \(name)  no: \(obstacle)") }
  let codecs = (decoder.codecs ?? []).joined(separator: ", ")
  Console.print("   \(name)  \(decoder.sharesMemory ? "frames are shared" : "frames are copied back"): \(codecs)")
}

/// Prints a value for scripts: sorted keys, snake case.
func printJSON(_ value: some Encodable) throws {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  encoder.keyEncodingStrategy = .convertToSnakeCase
  Console.print(printableJSON(String(decoding: try encoder.encode(value), as: UTF8.self)))
}
