import ArgumentParser
import Verdict

/// The device that draws.
struct DeviceOptions: ParsableArguments {
  @Option(.device, completion: Completion.devices)
  var device = "auto"

  @Flag(.requireGpu)
  var requireGpu = false

  @Flag(.validate)
  var validates = false
}
