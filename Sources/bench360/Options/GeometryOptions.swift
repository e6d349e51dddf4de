import ArgumentParser
import Frames
import Render
import Session

/// The mapping of the picture to the sphere, and the part to show.
struct GeometryOptions: ParsableArguments {
  @Option(
    help: """
      How the picture covers the sphere; cubemaps and 'eac' have their faces where FFmpeg's v360 has them, and \
      'little-planet' shows an equirectangular picture from outside of its middle.
      """)
  var projection = Automatic<Projection>(nil)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The part of the sphere that one eye's picture covers, as fractions of the whole. (default: the file's)",
      valueName: "left,top,width,height"))
  var bounds: SphereBounds?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How the content is turned, in degrees: YAW and PITCH + counter-clockwise, ROLL + clockwise. (default: the file's)",
      valueName: "yaw,pitch,roll"))
  var pose: Pose?

  @Option(help: "How two eyes share the picture.")
  var stereo = Automatic<StereoLayout>(nil)

  @Option(help: "Which eye is shown; 'both' side by side, as VR goggles want it.")
  var eye = PictureGeometry.Eye.left

  @Option(
    help:
      "What a sphere is drawn on: 'ray' is exact for every pixel, 'mesh' is HTY360Player's 200 slices x 100 parallels.")
  var geometry = SphereShape.ray

  @Option(
    help: ArgumentHelp(
      "Angle across the circle of a fisheye picture, in degrees (1 to 360).", valueName: "degrees"))
  var lensFov = 180.0

  mutating func validate() throws {
    guard (1...360).contains(lensFov) else { throw ValidationError("--lens-fov must be between 1 and 360.") }
  }

  var choice: GeometryChoice {
    GeometryChoice(
      projection: projection.value, stereo: stereo.value, eye: eye, sphere: geometry,
      bounds: bounds, pose: pose, lensFieldOfView: lensFov)
  }
}
