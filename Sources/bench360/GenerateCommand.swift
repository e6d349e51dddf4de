import ArgumentParser
import Encode
import Frames
import Glibc
import Host
import Run
import TestPicture

struct GenerateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate", abstract: "Make a synthetic clip whose frames show their own number.",
    discussion: """
      Without options it makes the built-in clip. The same options make the same frames.

      Exit codes: 0 fine, 1 failure, 64 usage, 130 interrupted.
      """)

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("The file to write; its extension chooses the container.", valueName: "file"),
    completion: Completion.clips)
  var output: String

  @Option(
    help: "One of \(ClipSpecification.codecNames.joined(separator: ", ")).",
    completion: .list(ClipSpecification.codecNames))
  var codec = ClipSpecification.builtIn.codec

  @Option(help: ArgumentHelp("Size of the picture, WIDTHxHEIGHT in pixels.", valueName: "widthxheight"))
  var size = ClipSpecification.builtIn.size

  @Option(help: "Frames per second: 30, 29.97 or 30000/1001.")
  var rate = ClipSpecification.builtIn.rate

  @Option(help: "Length in seconds.")
  var duration = ClipSpecification.builtIn.duration

  @Option(help: "Frames from one sync sample to the next.")
  var gop = ClipSpecification.builtIn.gop

  @Option(name: .customLong("bframes"), help: "B-frames between two others.")
  var bFrames: Int?

  @Option(help: "Bits per sample: 8, 10 or 12.", completion: .list(["8", "10", "12"]))
  var bitDepth = ClipSpecification.builtIn.bitDepth

  @Option(help: "Chroma subsampling: 420, 422 or 444.", completion: .list(["420", "422", "444"]))
  var chroma = ChromaArgument()

  @Flag(help: "Vary the time from frame to frame.")
  var vfr = false

  @Option(help: "Amplitude of the noise that makes a clip cost what a real one costs.")
  var noise = ClipSpecification.builtIn.noise

  @Option(help: "Colour matrix: 601, 709 or 2020.", completion: .list(["601", "709", "2020"]))
  var color = MatrixArgument()

  @Option(help: "Range of code values: limited or full.")
  var range = ColorDescription.Range.limited

  @Option(help: "What the picture covers: equirectangular or flat.")
  var projection = SyntheticTag.Projection.equirectangular

  @Option(help: "How two eyes share the picture: mono, tb or sbs.")
  var stereo = StereoLayout.mono

  @Flag(help: "Add a quiet tone.")
  var audio = false

  @Option(
    help: ArgumentHelp(
      "Show the clip so many times, one after the other, by copying its packets; frames repeat their numbers.",
      valueName: "times"))
  var `repeat` = 1

  @Option(help: "Seed of scene and noise.")
  var seed = ClipSpecification.builtIn.seed

  @OptionGroup
  var writing: WritingOptions

  func run() throws {
    try writing.check(output, .syntheticClip)
    var clip = ClipSpecification.builtIn
    guard duration > 0, let frames = SceneSpecification.frameCount(seconds: duration, rate: rate) else {
      throw ValidationError("--duration must be a positive number of seconds.")
    }
    clip.codec = codec
    clip.size = size
    clip.rate = rate
    clip.frames = frames
    clip.gop = gop
    if let bFrames { clip.bFrames = bFrames } else if !["h264", "hevc"].contains(codec) { clip.bFrames = 0 }
    clip.bitDepth = bitDepth
    clip.chroma = chroma.chroma
    clip.isVariableRate = vfr
    clip.noise = noise
    clip.matrix = color.matrix
    clip.range = range
    clip.projection = projection
    clip.stereo = stereo
    clip.hasAudio = audio
    clip.seed = seed
    // The built-in clip's bit rate belongs to its size.
    if clip != .builtIn { clip.bitRate = nil }
    defer { Console.clearProgress() }
    let once = `repeat` == 1 ? output : onceName
    defer { if `repeat` > 1 { unlink(once) } }
    try generateClip(clip, to: once) { done, total in
      Console.progress("\(done) of \(total) frames", Double(done) / Double(max(total, 1)))
      return !Interrupt.isRequested
    }
    if `repeat` > 1 {
      try repeatClip(once, times: `repeat`, to: output) { done, total in
        Console.progress("\(done) of \(total) times", Double(done) / Double(max(total, 1)))
        return !Interrupt.isRequested
      }
    }
    Console.note("\(output): \(frames * `repeat`) frames of \(size), \(codec)")
  }

  mutating func validate() throws {
    guard (1...10_000).contains(`repeat`) else { throw ValidationError("--repeat must be between 1 and 10000.") }
    guard `repeat` == 1 || !audio else { throw ValidationError("--repeat keeps the video alone: omit --audio.") }
  }

  /// The clip before it is repeated: beside the output, of the same container.
  private var onceName: String {
    let dot = output.lastIndex(of: ".") ?? output.endIndex
    return "\(output[..<dot]).once-\(getpid())\(output[dot...])"
  }
}

struct ChromaArgument: ExpressibleByArgument {
  var chroma = ClipSpecification.builtIn.chroma

  init() {}

  init?(argument: String) {
    guard let chroma = ClipSpecification.Chroma.allCases.first(where: { $0.rawValue.hasSuffix(argument) }),
      argument.count == 3
    else { return nil }
    self.chroma = chroma
  }

  var defaultValueDescription: String { "420" }
}

struct MatrixArgument: ExpressibleByArgument {
  var matrix = ClipSpecification.builtIn.matrix

  init() {}

  init?(argument: String) {
    guard let matrix = ColorDescription.Matrix(rawValue: argument.hasPrefix("bt") ? argument : "bt" + argument) else {
      return nil
    }
    self.matrix = matrix
  }

  var defaultValueDescription: String { "709" }
}

extension ColorDescription.Range: ExpressibleByArgument {}
extension SyntheticTag.Projection: ExpressibleByArgument {}
