import ArgumentParser

/// The device that draws.
struct DeviceOptions: ParsableArguments {
  @Option(
    help: "Vulkan device: auto, or an index, part of a name, or a UUID from 'bench360 devices'.",
    completion: Completion.devices)
  var device = "auto"

  @Flag(help: "Fail when the device would be one that renders on the CPU.")
  var requireGpu = false

  @Flag(name: .customLong("validate"), help: "Turn the Vulkan validation layer on; its messages become warnings.")
  var validates = false
}
