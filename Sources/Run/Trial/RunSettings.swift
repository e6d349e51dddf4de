import Decode
import Frames
import GPU
import Host
import Playback
import Render
import Session

/// Everything that can change a number, as it was asked for. Handed whole to every trial's process.
public struct RunSettings: Sendable, Codable {
  public var size = PictureSize(width: 1280, height: 720)
  /// Where the camera starts; nil: where the file says, else straight ahead.
  public var camera: Camera?
  public var motion = CameraMotion.still
  public var geometry = GeometryChoice()
  public var device = "auto"
  public var requiresGPU = false
  public var validates = false
  public var decoder = DecoderOptions()
  /// Nil is `auto`.
  public var upload: UploadStrategy?
  /// Nil is `auto`.
  public var shading: Shading?
  /// Media seconds per trial; clips loop.
  public var duration = 10.0
  public var seed: UInt64 = 1
  /// What a hand did, for `interaction/recorded`.
  public var input: LookRecording?
  /// A trial without progress for this long is hung.
  public var timeout = 60.0
  public var present = Presentation.offscreen
  /// Refreshes per second of the display that is played on.
  public var refresh = Ratio(60, 1)
  /// Frames that are decoded ahead of the display.
  public var lookAhead = LoadControl().frames
  /// What else is done at the same time.
  public var stress = Stress.Kind.none
  /// The processors that trials are kept on; nil: all.
  public var pin: CPUSet?

  public init() {}

  /// Straight ahead unless a camera was asked for, or taken from the file.
  var startingCamera: Camera { camera ?? Camera() }

  public func sessionOptions() -> RenderSession.Options {
    var options = RenderSession.Options()
    options.decoder = decoder
    options.upload = upload
    options.shading = shading
    options.device = device
    options.requiresGPU = requiresGPU
    options.validates = validates
    options.geometry = geometry
    options.targetSize = size
    return options
  }
}
