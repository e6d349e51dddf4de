import ArgumentParser
import Decode
import Encode
import Frames
import Host
import Media
import Run

struct ThumbnailsCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "thumbnails", abstract: "Write thumbnails along the timeline: a WebVTT track and its images.",
    discussion: """
        bench360 thumbnails clip.mp4 -o clip.vtt --every 1

      Each thumbnail is the sync sample nearest to its time; intervals with the same sync sample share a thumbnail. Beside \
      FILE.vtt lie FILE-1.jpg, FILE-2.jpg and so on, each with rows and columns of thumbnails. Files appear once all are \
      complete.

      Exit codes: 0 fine, 1 failure, 64 usage, 130 interrupted.
      """)

  @Argument(help: "A video file or URL; '-' is standard input.", completion: Completion.clips)
  var input: String

  @Option(
    name: [.short, .long], help: ArgumentHelp("The WebVTT file to write.", valueName: "file.vtt"),
    completion: .file(extensions: ["vtt"]))
  var output: String

  @Option(
    help: ArgumentHelp(
      "Time between thumbnails. (default: a hundredth of the clip)", valueName: "seconds"))
  var every: Double?

  @Option(help: ArgumentHelp("Width of a thumbnail; the height follows from the clip.", valueName: "pixels"))
  var width = 160

  @Option(help: "Columns of thumbnails in an image.")
  var columns = 10

  @Option(help: "Rows of thumbnails in an image, at most.")
  var rows = 10

  @Option(help: "Format of the images: jpeg or png.")
  var format = ThumbnailFormat.jpeg

  @Option(help: "Stereo layout of the picture; the left eye is shown.")
  var stereo = Automatic<StereoLayout>(nil)

  @OptionGroup
  var network: NetworkArguments

  @OptionGroup
  var writing: WritingOptions

  @OptionGroup
  var diagnostics: DiagnosticsOptions

  mutating func validate() throws {
    guard output.lowercased().hasSuffix(".vtt") else {
      throw ValidationError("--output must be a file whose name ends in .vtt.")
    }
    guard every.map({ $0 >= 0.001 && $0 <= 1e9 }) ?? true else {
      throw ValidationError("--every must be a number of seconds, at least 0.001.")
    }
    guard (1...4096).contains(width) else { throw ValidationError("--width must be between 1 and 4096.") }
    guard (1...1000).contains(columns), (1...1000).contains(rows) else {
      throw ValidationError("--columns and --rows must be between 1 and 1000.")
    }
    guard columns * width <= SheetWriter.sideLimit else {
      throw ValidationError("--columns times --width must be at most \(SheetWriter.sideLimit).")
    }
  }

  func run() throws {
    try writing.check(output, .thumbnailTrack)
    let spool = Spool()
    defer {
      spool.remove()
      Console.clearProgress()
    }
    try spool.naming { try write(spool.source(input).path) }
  }

  private func write(_ path: String) throws {
    let network = try network.options(for: path)
    let options = ThumbnailOptions(width: width, stereo: stereo.value, network: network)
    let reader = try KeyFrameReader(of: try ProbedClip(path: path, network: network), options: options)
    let end = try reader.end()
    let spacing = MediaTime(seconds: every ?? max(0.001, end.seconds / 100))
    let count = Self.count(until: end, every: spacing)
    guard count <= 100_000 else {
      throw Failure(
        .usage, "cannot make thumbnails of '\(input)'", cause: "\(count) are too many", remedy: "use a longer --every")
    }
    let times = (0..<count).map { MediaTime(nanoseconds: spacing.nanoseconds * $0) }
    var writer = SheetWriter(output: output, columns: columns, rows: rows, format: format, writing: writing)
    try writer.checkImages(ofThumbnails: Int(count))
    var refused: (count: Int, first: Failure)?
    let bar = ProgressBar()
    for (number, time) in times.enumerated() {
      guard !Interrupt.isRequested else {
        throw Failure(.cancelled, "stopped writing '\(output)'", cause: "cancelled after \(number) thumbnails")
      }
      let stop = number + 1 < times.count ? times[number + 1] : max(end, time + MediaTime(nanoseconds: 1_000_000))
      do throws(Failure) {
        try writer.add(at: time, until: stop, place: reader.places.place(of: time)) { () throws(Failure) in
          try reader.picture(at: time)
        }
      } catch {
        guard error.kind == .media else { throw error }
        refused = ((refused?.count ?? 0) + 1, refused?.first ?? error)
      }
      bar.show("\(number + 1) of \(times.count) thumbnails", number + 1, of: times.count)
    }
    guard writer.thumbnails > 0 else {
      throw refused?.first
        ?? Failure(.media, "cannot make thumbnails of '\(input)'", cause: "no frame could be decoded")
    }
    let summary = writer.summary
    let spacingText = Self.text(
      thumbnails: writer.thumbnails, times: times.count, refused: refused?.count ?? 0, spacing: spacing)
    try writer.finish()
    if let refused { Console.error("\(refused.count) thumbnails are missing: \(refused.first)") }
    Console.note("\(output): \(summary), \(spacingText)")
  }

  /// `one every 0.5 s`, as far as that is true.
  private static func text(thumbnails: Int, times: Int, refused: Int, spacing: MediaTime) -> String {
    if thumbnails == 1, refused == 0 { return "for the whole clip" }
    let seconds = (spacing.seconds * 1000).rounded() / 1000
    return thumbnails + refused < times ? "sync samples are further apart than \(seconds) s" : "one every \(seconds) s"
  }
}

extension ThumbnailsCommand {
  /// The number of stretches of that length up to the duration: at least one. A duration can be any number.
  static func count(until end: MediaTime, every spacing: MediaTime) -> Int64 {
    let (whole, rest) = end.nanoseconds.quotientAndRemainder(dividingBy: max(1, spacing.nanoseconds))
    return max(1, whole + (rest > 0 ? 1 : 0))
  }
}

enum ThumbnailFormat: String, ExpressibleByArgument, CaseIterable {
  case jpeg, png

  var suffix: String { self == .jpeg ? "jpg" : "png" }
  var kind: OutputKind { self == .jpeg ? .jpeg : .png }
}
