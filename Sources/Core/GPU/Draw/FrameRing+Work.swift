import Frames

// A ring's input and output.
extension FrameRing {
  /// What makes the view before anything is drawn over it.
  public enum View: Sendable {
    case draw(DrawPipeline)
    case dispatch(DispatchPipeline)
  }

  /// One eye's share of the target, and its uniforms.
  public struct Eye {
    public var region: TargetRegion
    public var uniforms: UniformBlock

    public init(region: TargetRegion, uniforms: UniformBlock) {
      self.region = region
      self.uniforms = uniforms
    }
  }

  /// The work of one frame.
  public struct Work {
    public var frame: VideoFrame
    public var view: View
    /// Drawn over it in order, all with the same uniforms and textures.
    public var overlays: [DrawPipeline]
    /// Drawn over all of the target, after everything else; nil: nothing is, at no cost.
    public var layer: QuadLayer?
    /// Together they cover the target.
    public var eye: Eye
    public var otherEye: Eye?
    public var sampling: GPUDevice.Sampling
    public var wantsPixels: Bool
    /// Where it is shown; nil: nowhere. Used by no other ring.
    public var swapchain: Swapchain?

    public init(
      frame: VideoFrame, view: View, overlays: [DrawPipeline] = [], layer: QuadLayer? = nil, eye: Eye,
      otherEye: Eye? = nil, sampling: GPUDevice.Sampling, wantsPixels: Bool = false, swapchain: Swapchain? = nil
    ) {
      self.frame = frame
      self.view = view
      self.overlays = overlays
      self.layer = layer
      self.eye = eye
      self.otherEye = otherEye
      self.sampling = sampling
      self.wantsPixels = wantsPixels
      self.swapchain = swapchain
    }
  }

  /// A frame that the GPU has finished.
  public struct Finished {
    public var frame: VideoFrame
    public var submitted: MonotonicTime
    /// When its completion was noticed.
    public var completed: MonotonicTime
    /// CPU time moving rows; 0 when nothing was moved.
    public var uploadMilliseconds: Double
    /// From GPU timestamps; nil where the device has none, or nothing was copied.
    public var uploadGPUMilliseconds: Double?
    public var renderGPUMilliseconds: Double?
    /// When moving rows began.
    public var uploadStarted: MonotonicTime
    /// Nil unless asked for, and where the device has no timestamps.
    public var instants: Instants?
    /// How its samples got into textures.
    public var upload: UploadStrategy
    /// RGBA, 8 bits each, top row first, without padding; nil unless asked for. A prepared view's are without the layer.
    public var pixels: [UInt8]?
    /// Its way to the display; nil when it was not shown, as in a window that is minimised.
    public var present: Present?
  }

  /// When the GPU worked on a frame.
  public struct Instants {
    /// Nil when nothing was copied.
    public var upload: TimeSpan?
    public var render: TimeSpan
    /// The draws over a prepared view when it was shown; nil where there were none.
    public var overlay: TimeSpan?
    /// False: the driver does not say how its clock and the CPU's agree, and the end of the last stage was taken
    /// for the instant at which completion was noticed: of a prepared view, when it was shown at the earliest.
    public var isCalibrated: Bool

    /// When the picture was ready: the copy to a window's image, which waits for the display, is no part of it.
    public var end: MonotonicTime { max(render.end, overlay?.end ?? render.end) }
  }
}
