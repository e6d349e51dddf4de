import ArgumentParser
import Decode
import Frames

/// The decoder and its threads.
struct DecodingOptions: ParsableArguments {
  @Option(
    help: """
      Decoder: 'cuda', 'vaapi' and 'vulkan' are hardware decoders; 'auto' takes one whose frames can be drawn without \
      passing through the CPU's memory, else software. 'bench360 devices' lists them.
      """)
  var decoder = Automatic<DecoderChoice>(nil)

  @Option(help: "Decoder threads; with 0 libavcodec chooses.")
  var threads = 0

  @Flag(help: "Decode without frame threads and their delay.")
  var lowDelay = false

  @OptionGroup
  var network: NetworkArguments

  mutating func validate() throws {
    guard (0...1024).contains(threads) else { throw ValidationError("--threads must be between 0 and 1024.") }
  }

  func options() throws(Failure) -> DecoderOptions {
    var options = DecoderOptions(threads: threads, isLowDelay: lowDelay)
    options.choice = decoder.value
    options.network = try network.options()
    return options
  }
}
