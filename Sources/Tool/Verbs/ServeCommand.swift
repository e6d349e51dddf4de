import ArgumentParser
import Frames
import Host
import Origin

struct ServeCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve a folder, a clip or a ladder by HTTP, over a shaped link, with faults, and log it.",
    discussion: """
        bench360 serve tour --network Benchmarks/traces/steps.json --log requests.jsonl
        bench360 serve clip.mp4
        bench360 serve tour --live --live-parts 0.5

      A folder is served as it is. A clip in MP4, MOV, Matroska or WebM is first packaged as HLS and DASH without encoding it, \
      with its audio tracks and without subtitles: one rung, segments of two seconds or more that begin at sync samples, in a \
      temporary folder. 'ladder', as no argument, is the built-in ladder, three rungs of 20 s, which is made once.

      The first line on standard output is 'listening on' and a URL: that of the folder, or of a clip's or the built-in ladder's \
      first playlist; a line with the URL of the DASH manifest follows, and one for each other playlist. It serves until Ctrl-C \
      or SIGTERM. All connections share one link, whose \
      time begins with the first request. A new connection waits one round trip more. --log writes a line of JSON for each \
      request: when, what, which range, status, bytes of the body, first and last byte, faults, CMCD keys. --faults reads \
      rules as results/faults.schema.json describes them. Only this machine can connect, unless --address says otherwise: \
      then all who reach it can read what is served.

      With --live a ladder that 'generate --ladder' made, or the built-in one, is a live stream: its pictures come over and over, \
      each at its time of day, in sliding windows of HLS and in a dynamic manifest of DASH. Each round begins with a \
      discontinuity and a period. HLS tells the time of day, answers delta updates and blocking reloads, and with --live-parts \
      has parts, hints and reports; DASH then sends segments in chunks while they are made.

      Exit codes: 0 ended by --duration, Ctrl-C or SIGTERM, 1 failure, 64 usage, 130 interrupted before it serves; the log is \
      complete for each.
      """)

  @Argument(help: "The folder or clip to serve, or 'ladder'. (default: the built-in ladder)", completion: .file())
  var path: String?

  @Option(help: "The address to listen on, such as 0.0.0.0 for all of this machine's.")
  var address = "127.0.0.1"

  @Option(help: "The port to listen on; 0 is a free one.")
  var port = 0

  @OptionGroup
  var link: LinkOptions

  @OptionGroup
  var live: LiveServeOptions

  @Option(help: "Seed that chooses the lost packets.")
  var seed: UInt64 = 0

  @Option(
    help: ArgumentHelp("A file with rules of faults.", valueName: "file.json"), completion: .file(extensions: ["json"]))
  var faults: String?

  @Option(
    help: ArgumentHelp("Write a line of JSON for each request.", valueName: "file"),
    completion: .file(extensions: ["jsonl"]))
  var log: String?

  @Option(help: ArgumentHelp("Stop after so long. (default: until interrupted)", valueName: "seconds"))
  var duration: Double?

  @OptionGroup
  var writing: WritingOptions

  @OptionGroup
  var diagnostics: DiagnosticsOptions

  mutating func validate() throws {
    try link.requireCapacity()
    guard (0...65_535).contains(port) else { throw ValidationError("--port must be between 0 and 65535.") }
    guard duration.map({ $0 > 0 && $0 <= 1e7 }) ?? true else {
      throw ValidationError("--duration must be more than 0 and at most 10000000 seconds.")
    }
    if log == "" || log == "-" { throw ValidationError("--log must be a file; standard output tells the URL.") }
  }

  func run() throws {
    try writing.check(log, .requestLog)
    let options = try options()
    let place = try ServedPlace(path)
    if options.live != nil, place.isPackaged {
      throw Failure(
        .unsupported, "cannot serve '\(path ?? "")' live", cause: "only ladders are served live",
        remedy: "name a folder that 'generate --ladder' made")
    }
    let origin = try Origin.start(place.path, options: options)
    Console.print("listening on " + place.addresses(below: origin.url).joined(separator: "\n"))
    let end = duration.map { MonotonicTime.now.advanced(byMilliseconds: $0 * 1000) }
    let interruption = Interruption()
    // A signal ends the pause.
    while end.map({ MonotonicTime.now < $0 }) ?? true, interruption.pause(seconds: end?.seconds(since: .now) ?? 86_400)
    {}
    let lost = origin.lostSeconds
    try origin.stop()
    if lost > 0 {
      let seconds = (lost * 1000).rounded() / 1000
      Console.note("bench360: this machine was too slow for the link: \(seconds) s of its capacity were not used")
    }
  }

  private func options() throws(Failure) -> OriginOptions {
    var options = OriginOptions()
    (options.address, options.port, options.seed) = (address, port, seed)
    (options.logFile, options.keepsLog) = (log, false)
    if let link = link.settings { options.shape = try link.shape() }
    if let faults { options.faults = try FaultFile.read(faults) }
    options.live = live.options
    return options
  }
}
