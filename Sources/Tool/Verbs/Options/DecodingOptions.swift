import ArgumentParser
import Decode
import Frames
import Verdict

/// The decoder and its threads.
struct DecodingOptions: ParsableArguments {
  @Option(.decoder)
  var decoder = Automatic<DecoderChoice>(nil)

  @Option(.threads)
  var threads = 0

  @Flag(.lowDelay)
  var lowDelay = false

  @OptionGroup
  var network: NetworkArguments

  mutating func validate() throws { try Setting.threads.check(threads) }

  func options() throws(Failure) -> DecoderOptions {
    var options = DecoderOptions(threads: threads, isLowDelay: lowDelay)
    options.choice = decoder.value
    options.network = try network.options()
    return options
  }
}
