import ArgumentParser
import Decode
import Encode
import Frames
import Media
import Overlay
import Playback
import Render
import Run
import Session

struct SnapshotCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "snapshot", abstract: "Render one picture to a PNG file.",
    discussion: """
        bench360 snapshot clip.mp4 -o view.png --time 2 --view 20,10

      Exit codes: 0 fine, 1 failure, 64 usage, 130 interrupted.
      """)

  @Argument(help: "A video file or URL; '-' is standard input.", completion: Completion.clips)
  var input: String

  @Option(
    name: [.short, .long], help: ArgumentHelp("The PNG file to write.", valueName: "file.png"),
    completion: .file(extensions: ["png"]))
  var output: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Time in the clip; before it the first frame is drawn, behind it the last.", valueName: "seconds"))
  var time = 0.0

  @Option(
    help: ArgumentHelp(
      "Seconds before and after --time within which the frame may lie; 'inf' is unlimited.", valueName: "before,after"))
  var tolerance = ToleranceArgument()

  @Flag(help: "Draw meridians and parallels every 15° over a spherical view.")
  var grid = false

  @OptionGroup(title: "View and device options")
  var view: ViewOptions

  @OptionGroup
  var writing: WritingOptions

  @OptionGroup
  var diagnostics: DiagnosticsOptions

  mutating func validate() throws {
    guard output.lowercased().hasSuffix(".png") else {
      throw ValidationError("--output must be a file whose name ends in .png.")
    }
    guard time.isFinite, abs(time) <= 1e9 else { throw ValidationError("--time must be a number of seconds.") }
  }

  func run() throws {
    try writing.check(output, .png)
    let spool = Spool()
    defer { spool.remove() }
    try spool.naming { try draw(spool.source(input).path) }
  }

  private func draw(_ path: String) throws {
    let interruption = Interruption()
    var options = try view.settings().sessionOptions()
    // Nothing is timed here: use the exact shader, unless the user chose another one.
    options.shading = options.shading ?? .fragment
    let session = try RenderSession(path: path, options: options, interruption: interruption)
    if grid { try Graticule.add(to: session.renderer) }
    let request = SeekRequest(
      target: MediaTime(seconds: time), toleranceBefore: MediaTime(seconds: tolerance.before),
      toleranceAfter: MediaTime(seconds: tolerance.after))
    guard let frame = try session.reader.seek(request) else {
      throw Failure(.media, "cannot show '\(input)'", cause: "no frame could be decoded")
    }
    // Outside the clip the nearest frame is the answer.
    let isOutside = request.target < .zero || session.reader.info.durationSeconds.map { time >= $0 } ?? true
    guard request.accepts(frame) || isOutside else {
      let found = (frame.presentationTime.seconds * 1000).rounded() / 1000
      throw Failure(
        .media, "cannot show '\(input)' at \(time) s", cause: "the nearest frame that can be reached is at \(found) s",
        remedy: "give that as --time, or a wider --tolerance")
    }
    let camera = view.view?.camera ?? session.reader.info.firstView ?? Camera()
    _ = try session.renderer.render(frame, camera: camera, wantsPixels: true)
    guard let pixels = try session.renderer.drain().last?.pixels else {
      throw Failure(.device, "cannot show '\(input)'", cause: "the device returned no pixels")
    }
    try writePNG(rgba: pixels, size: view.size, to: output)
    for message in session.device.instance.validation.messages {
      Console.error("validation: \(oneLine(message, limit: 2000))")
    }
    if view.view != nil, !session.renderer.geometry.projection.usesCamera {
      Console.error("--view is ignored: '\(input)' is drawn flat, add --projection if it is spherical")
    }
    if !request.accepts(frame) {
      Console.error("'\(input)' has no frame at \(time) s: the nearest one is shown")
    }
    let seconds = frame.presentationTime.seconds
    Console.note("\(output): frame at \((seconds * 1000).rounded() / 1000) s, \(view.size)")
  }
}

/// `BEFORE,AFTER` in seconds.
struct ToleranceArgument: ExpressibleByArgument {
  var before = 0.0
  var after = 0.0

  init() {}

  init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard parts.count == 2, let before = parts[0], let after = parts[1], before >= 0, after >= 0 else { return nil }
    (self.before, self.after) = (before, after)
  }

  var defaultValueDescription: String { "0,0" }
}
