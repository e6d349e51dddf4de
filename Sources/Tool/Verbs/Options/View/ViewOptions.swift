import ArgumentParser
import Decode
import Frames
import GPU
import Playback
import Render
import Run
import Session
import Verdict

/// The camera, geometry and device: shared by every verb that draws.
struct ViewOptions: ParsableArguments {
  private static let usualSize = PictureSize(width: 1280, height: 720)
  /// The size of the view was not chosen, or chosen as it is without a choice.
  var isDefaultSize: Bool { size == Self.usualSize }

  @Option(.size)
  var size = Self.usualSize

  @Option(.view)
  var view: ViewArgument?

  @OptionGroup
  var geometry: GeometryOptions

  @OptionGroup
  var device: DeviceOptions

  @OptionGroup
  var decoding: DecodingOptions

  @Option(.upload)
  var upload = Automatic<UploadStrategy>(nil)

  @Option(.shading)
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
