import ArgumentParser
import Playlists
import Viewer

/// The order of the clips that `view` plays, and what is told of it.
struct ViewPlaylistOptions: ParsableArguments {
  @Flag(help: "Restart a clip at its end: the same as --repeat one.")
  var loop = false

  @Option(
    name: .customLong("repeat"),
    help: ArgumentHelp(
      "Restart a clip at its end (one), or the playlist (all). (default: off)", valueName: "off|one|all"))
  var repeats: PlayQueue.Repeat?

  @Flag(help: "Play the clips in random order, each once before any again.")
  var shuffle = false

  @Option(
    help: ArgumentHelp("Show ads in each clip: a file or URL of VMAP or VAST.", valueName: "file|url"),
    completion: .file(extensions: ["xml", "vmap", "vast"]))
  var ads: String?

  @Option(
    help: ArgumentHelp(
      """
      Write what happens, an event a line (JSON); a name that ends in '.otlp.jsonl' gets OpenTelemetry's traces and metrics, '-' is \
      standard output. No line names a clip, this machine or the user.
      """,
      valueName: "file.jsonl"), completion: .file(extensions: ["jsonl"]))
  var events: String?

  func validate() throws {
    if ads?.isEmpty == true { throw ValidationError("--ads names no file and no URL.") }
    guard loop, let repeats, repeats != .one else { return }
    throw ValidationError("--loop and --repeat \(repeats.rawValue) exclude each other.")
  }

  func apply(to settings: inout ViewerSettings) {
    if loop { settings.repeats = .one }
    if let repeats { settings.repeats = repeats }
    if shuffle { settings.isShuffled = true }
  }
}

extension PlayQueue.Repeat: ExpressibleByArgument {}
