import ArgumentParser
import Frames
import Media
import Streaming
import Verdict

/// Keys of clips and streams under common encryption: shared by every verb that opens some.
struct KeyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      A key of ClearKey (CENC) and its identifier, hexadecimal; several times for several. Other users of this machine see the options \
      of a command: --key-file hides it.
      """,
      valueName: "kid:key"))
  var key: [KeyText] = []

  @Option(.keyFile)
  var keyFile: String?

  @Option(.licenceUrl)
  var licenceURL: String?

  func validate() throws {
    for key in key { if case .failure(let failure) = key.keys { throw ValidationError("--key: \(failure.cause).") } }
    guard let licenceURL else { return }
    let scheme = licenceURL.prefix { $0 != ":" }.lowercased()
    guard ["http", "https"].contains(scheme), licenceURL.contains("://") else {
      throw ValidationError("--licence-url must be a URL of http or https.")
    }
  }

  func keys() throws(Failure) -> ContentKeys {
    var all = try keyFile.map { path throws(Failure) in try ContentKeys(file: path) } ?? ContentKeys()
    for key in key { all.add(try key.keys.get()) }
    all.licenceURL = licenceURL
    return all
  }
}

/// One key. Text that is none is taken too, so that no message quotes it.
struct KeyText: ExpressibleByArgument {
  let keys: Result<ContentKeys, Failure>

  init(argument: String) { keys = Result { () throws(Failure) in try ContentKeys(argument) } }
}
