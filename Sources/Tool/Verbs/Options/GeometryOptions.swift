import ArgumentParser
import Frames
import Render
import Session

/// The mapping of the picture to the sphere, and the part to show.
struct GeometryOptions: ParsableArguments {
  @Option(
    help: """
      Projection of the picture; cubemaps and 'eac' have FFmpeg v360's order of faces, 'little-planet' shows an \
      equirectangular picture in stereographic projection. 'auto' follows the file's metadata; 'guess' takes, for a file \
      without it, what 'probe' guesses from name, shape and pixels.
      """)
  var projection = ProjectionArgument.automatic

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The part of the sphere that one eye's picture covers, as fractions of the whole. (default: the file's)",
      valueName: "left,top,width,height"))
  var bounds: SphereBounds?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Rotation of the content, in degrees: YAW and PITCH + counter-clockwise, ROLL + clockwise. (default: the file's)",
      valueName: "yaw,pitch,roll"))
  var pose: Pose?

  @Option(help: "Stereo layout of the picture.")
  var stereo = Automatic<StereoLayout>(nil)

  @Option(help: "The eye to show; 'both' shows them side by side, for VR goggles.")
  var eye = PictureGeometry.Eye.left

  @Option(
    help:
      "Geometry of the sphere: 'ray' is exact for every pixel, 'mesh' is HTY360Player's 200 slices x 100 parallels.")
  var geometry = SphereShape.ray

  @Option(
    help: ArgumentHelp(
      "Angle across the circle of a fisheye picture, in degrees (1 to 360).", valueName: "degrees"))
  var lensFov = 180.0

  mutating func validate() throws {
    guard (1...360).contains(lensFov) else { throw ValidationError("--lens-fov must be between 1 and 360.") }
  }

  var choice: GeometryChoice {
    var choice = GeometryChoice(
      projection: projection.named, stereo: stereo.value, eye: eye, sphere: geometry,
      bounds: bounds, pose: pose, lensFieldOfView: lensFov)
    choice.acceptsGuess = projection == .guessed
    return choice
  }
}

/// `auto`, `guess`, or a projection's name.
enum ProjectionArgument: ExpressibleByArgument, Sendable, Hashable {
  case automatic, guessed
  case named(Projection)

  init?(argument: String) {
    switch argument {
    case "auto": self = .automatic
    case "guess": self = .guessed
    default:
      guard let projection = Projection(rawValue: argument) else { return nil }
      self = .named(projection)
    }
  }

  /// Nil: the file's, or a guess.
  var named: Projection? { if case .named(let projection) = self { projection } else { nil } }

  static var allValueStrings: [String] { ["auto", "guess"] + Projection.allCases.map(\.rawValue) }
  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
  var defaultValueDescription: String { self == .guessed ? "guess" : named?.rawValue ?? "auto" }
}
