import ArgumentParser
import Decode
import Frames
import GPU
import Playback
import Render
import Run
import Session

/// What is looked at, and with what: shared by every verb that draws.
struct ViewOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Size of the rendered view, WIDTHxHEIGHT in pixels.", valueName: "widthxheight"))
  var size = PictureSize(width: 1280, height: 720)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      Where the camera looks, in degrees: PAN + right, TILT + up, FOV vertical (1 to 179), ROLL + clockwise. (default: \
      where the file says to look first, else 0,0,85,0)
      """,
      valueName: "pan,tilt[,fov[,roll]]"))
  var view: ViewArgument?

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

  @Option(
    help: "Vulkan device: auto, or an index, part of a name, or a UUID from 'bench360 devices'.",
    completion: Completion.devices)
  var device = "auto"

  @Flag(help: "Fail when the device would be one that renders on the CPU.")
  var requireGpu = false

  @Flag(name: .customLong("validate"), help: "Turn the Vulkan validation layer on; its messages become warnings.")
  var validates = false

  @Option(
    help: """
      Who decodes: 'cuda', 'vaapi' and 'vulkan' are hardware decoders; 'auto' takes one whose frames can be drawn without \
      passing through the CPU's memory, else software. 'bench360 devices' tells what there is.
      """)
  var decoder = Automatic<DecoderChoice>(nil)

  @Option(help: "Decoder threads; 0 leaves it to libavcodec.")
  var threads = 0

  @Flag(help: "Decode without frame threads and their delay.")
  var lowDelay = false

  @OptionGroup
  var network: NetworkArguments

  @Option(
    help: """
      How frames reach the GPU: 'shared' leaves a hardware decoder's frames on it, the others bring them from the CPU's \
      memory.
      """)
  var upload = Automatic<UploadStrategy>(nil)

  @Option(
    help: """
      Which kind of shader draws: 'fragment' gives every pixel its own colour, 'compute' reads chroma once for 2x2 \
      pixels of 4:2:0 video; 'auto' is compute on a CPU device, fragment on a GPU and for 'snapshot'.
      """)
  var shading = Automatic<Shading>(nil)

  mutating func validate() throws {
    guard (0...1024).contains(threads) else { throw ValidationError("--threads must be between 0 and 1024.") }
    guard (1...360).contains(lensFov) else { throw ValidationError("--lens-fov must be between 1 and 360.") }
    guard size.width <= 16384, size.height <= 16384, size.width * size.height <= 1 << 27 else {
      throw ValidationError("--size must be at most 16384 either way and 134 million pixels in all.")
    }
  }

  func settings() -> RunSettings {
    var settings = RunSettings()
    settings.size = size
    settings.camera = view?.camera
    settings.geometry = GeometryChoice(
      projection: projection.value, stereo: stereo.value, eye: eye, sphere: geometry,
      bounds: bounds, pose: pose, lensFieldOfView: lensFov)
    settings.device = device
    settings.requiresGPU = requireGpu
    settings.validates = validates
    settings.decoder = DecoderOptions(threads: threads, isLowDelay: lowDelay)
    settings.decoder.choice = decoder.value
    settings.decoder.network = network.options
    settings.upload = upload.value
    settings.shading = shading.value
    return settings
  }
}
