import Decode
import Frames
import GPU
import Host
import Playback
import Render
import Session

/// Everything that can affect a number, as requested. Passed whole to every trial's process.
public struct RunSettings: Sendable, Codable {
  public var repetition = Repetition()
  public var viewing = Viewing()
  public var geometry = GeometryChoice()
  public var drawing = Drawing()
  public var decoder = DecoderOptions()
  public var pacing = Pacing()
  public var sound = Sound()
  public var streaming = StreamSettings()
  public var density = DensitySettings()
  /// The schedule of `ads`: a path or URL of VMAP or VAST; nil: the clip itself stands for each ad.
  public var ads: String?
  /// What the clip's frames must be; nil: not known. Checked after a measurement, which it does not affect.
  public var expected: ExpectedFrames?
  /// Other work at the same time.
  public var stress = Stress.Kind.none
  /// The processors that trials are pinned to; nil: all.
  public var pin: CPUSet?

  public init() {}

  /// Settings that make trials alike.
  public struct Repetition: Sendable, Codable {
    /// Media seconds per trial; clips loop.
    public var duration = 10.0
    /// A trial without progress for this many seconds is hung.
    public var timeout = 60.0
    public var seed: UInt64 = 1
  }

  /// What the camera sees and what moves it.
  public struct Viewing: Sendable, Codable {
    /// Of the rendered view, in pixels.
    public var size = PictureSize(width: 1280, height: 720)
    /// The initial camera; nil: the file's, else straight ahead.
    public var camera: Camera?
    public var motion = CameraMotion.still
    /// Input events for `interaction/recorded`.
    public var inputEvents: LookRecording?

    /// Straight ahead unless the user or the file gives a camera.
    var startingCamera: Camera { camera ?? Camera() }
  }

  /// The device that draws, and the upload strategy.
  public struct Drawing: Sendable, Codable {
    public var device = "auto"
    public var requiresGPU = false
    public var validates = false
    /// Nil is `auto`.
    public var upload: UploadStrategy?
    /// Nil is `auto`.
    public var shading: Shading?
  }

  /// The display to play on, and how far decoding runs ahead of it.
  public struct Pacing: Sendable, Codable {
    public var present = PresentMode.offscreen
    /// Refreshes per second.
    public var refresh = Ratio(60, 1)
    /// Frames decoded ahead of the display.
    public var lookAhead = LoadControl().frames
  }

  /// How the clip's sound is played.
  public struct Sound: Sendable, Codable {
    /// As `AudioOutputChoice` reads it; nil: a null device, and for streams none.
    public var output: String?
    /// As `AudioWish` reads it.
    public var track = "auto"
    /// Milliseconds that it is heard later; negative: earlier.
    public var delay = 0.0
  }

  public func sessionOptions() -> RenderSession.Options {
    var options = RenderSession.Options()
    options.decoder = decoder
    options.upload = drawing.upload
    options.shading = drawing.shading
    options.device = drawing.device
    options.requiresGPU = drawing.requiresGPU
    options.validates = drawing.validates
    options.geometry = geometry
    options.targetSize = viewing.size
    return options
  }
}
