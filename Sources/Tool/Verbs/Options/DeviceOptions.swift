import ArgumentParser

/// The device that draws.
struct DeviceOptions: ParsableArguments {
  @Option(
    help: "Vulkan device: auto, or an index, part of a name, or a UUID from 'bench360 devices'.",
    completion: Completion.devices)
  var device = "auto"

  @Flag(help: "Fail if the device renders on the CPU.")
  var requireGpu = false

  @Flag(name: .customLong("validate"), help: "Enable the Vulkan validation layer; its messages become warnings.")
  var validates = false
}
