import ArgumentParser
import Decode
import Frames
import GPU
import Playback
import Render
import Run
import Session

/// The camera, geometry and device: shared by every verb that draws.
struct ViewOptions: ParsableArguments {
  private static let usualSize = PictureSize(width: 1280, height: 720)
  /// The size of the view was not chosen, or chosen as it is without a choice.
  var isDefaultSize: Bool { size == Self.usualSize }

  @Option(help: ArgumentHelp("Size of the rendered view, WIDTHxHEIGHT in pixels.", valueName: "widthxheight"))
  var size = Self.usualSize

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      Direction of the view, in degrees: PAN + right, TILT + up, FOV vertical (1 to 179), ROLL + clockwise. (default: \
      where the file says to look first, else 0,0,85,0)
      """,
      valueName: "pan,tilt[,fov[,roll]]"))
  var view: ViewArgument?

  @OptionGroup
  var geometry: GeometryOptions

  @OptionGroup
  var device: DeviceOptions

  @OptionGroup
  var decoding: DecodingOptions

  @Option(
    help: """
      Path of frames to the GPU: 'shared' samples a hardware decoder's frames in place, the others upload from the CPU's \
      memory.
      """)
  var upload = Automatic<UploadStrategy>(nil)

  @Option(
    help: """
      Kind of shader: 'fragment' samples chroma for every pixel, 'compute' once for 2x2 pixels of 4:2:0 video; 'auto' is compute on a CPU device, fragment on a GPU and for 'snapshot'.
      """)
  var shading = Automatic<Shading>(nil)

  mutating func validate() throws {
    guard size.width <= 16384, size.height <= 16384, size.width * size.height <= 1 << 27 else {
      throw ValidationError("--size must be at most 16384 either way and 134 million pixels in all.")
    }
  }

  func settings() throws(Failure) -> RunSettings {
    var settings = RunSettings()
    settings.viewing.size = size
    settings.viewing.camera = view?.camera
    settings.geometry = geometry.choice
    settings.drawing.device = device.device
    settings.drawing.requiresGPU = device.requireGpu
    settings.drawing.validates = device.validates
    settings.drawing.upload = upload.value
    settings.drawing.shading = shading.value
    settings.decoder = try decoding.options()
    return settings
  }
}
