import ArgumentParser
import Decode
import Frames
import Media
import Streaming
import Verdict

/// How clips are fetched and opened: shared by every verb that takes URLs.
struct NetworkArguments: ParsableArguments {
  @Flag(.insecure)
  var insecure = false

  @OptionGroup
  var keys: KeyOptions

  /// Reads the file of keys.
  func options() throws(Failure) -> NetworkOptions {
    var options = NetworkOptions()
    options.verifiesCertificates = !insecure
    options.keys = try keys.keys()
    return options
  }

  /// With the keys of a clip that the licence server has.
  func options(for path: String) throws(Failure) -> NetworkOptions { try options().withKeys(of: path) }
}
