import ArgumentParser
import Encode
import Frames
import TestPicture

/// How a synthetic clip's video is coded.
struct ClipVideoOptions: ParsableArguments {
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

  @Option(name: .customLong("bframes"), help: "B-frames between two other frames.")
  var bFrames: Int?

  @Option(help: "Bits per sample: 8, 10 or 12.", completion: .list(["8", "10", "12"]))
  var bitDepth = ClipSpecification.builtIn.bitDepth

  @Option(help: "Chroma subsampling: 420, 422 or 444.", completion: .list(["420", "422", "444"]))
  var chroma = ChromaArgument()

  @Flag(help: "Vary the time from frame to frame.")
  var vfr = false

  /// Throws a usage error if the clip would have no frame.
  func apply(to clip: inout ClipSpecification) throws {
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
  }
}

/// The content of a synthetic clip, and its tags.
struct ClipSceneOptions: ParsableArguments {
  @Option(help: "Amplitude of noise, which makes the clip as costly to decode as a real one.")
  var noise = ClipSpecification.builtIn.noise

  @Option(help: "Colour matrix: 601, 709 or 2020.", completion: .list(["601", "709", "2020"]))
  var color = MatrixArgument()

  @Option(help: "Range of code values: limited or full.")
  var range = ColorDescription.Range.limited

  @Option(help: "Projection: equirectangular or flat.")
  var projection = SyntheticTag.Projection.equirectangular

  @Option(help: "Stereo layout: mono, tb or sbs.")
  var stereo = StereoLayout.mono

  func apply(to clip: inout ClipSpecification) {
    clip.noise = noise
    clip.matrix = color.matrix
    clip.range = range
    clip.projection = projection
    clip.stereo = stereo
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
