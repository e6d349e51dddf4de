import ArgumentParser
import Frames
import Render
import Session
import Verdict

/// The mapping of the picture to the sphere, and the part to show.
struct GeometryOptions: ParsableArguments {
  @Option(.projection)
  var projection = ProjectionArgument.automatic

  @Option(.bounds)
  var bounds: SphereBounds?

  @Option(.pose)
  var pose: Pose?

  @Option(.stereo)
  var stereo = Automatic<StereoLayout>(nil)

  @Option(.eye)
  var eye = PictureGeometry.Eye.left

  @Option(.geometry)
  var geometry = SphereShape.ray

  @Option(.lensFov)
  var lensFov = 180.0

  mutating func validate() throws { try Setting.lensFov.check(lensFov) }

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
