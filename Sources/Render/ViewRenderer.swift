import Frames
import GPU

/// Draws views of decoded frames offscreen. One thread at a time.
public final class ViewRenderer {
  public let geometry: PictureGeometry
  public let targetSize: PictureSize
  public let device: GPUDevice
  public var shading: Shading { interface.shading }
  private let ring: FrameRing
  private let interface: ShaderInterface
  /// By whether chroma is interleaved.
  private var fragments: [Bool: DrawPipeline] = [:]
  private var computes: [ComputeVariant: DispatchPipeline] = [:]
  /// Drawn over every view, in order.
  public var overlays: [DrawPipeline] = []

  /// - Parameter formats: compile the shaders for these before the first frame; others are compiled when they come.
  public init(
    device: GPUDevice, geometry: PictureGeometry, targetSize: PictureSize, shading: Shading = .fragment,
    framesInFlight: Int = 3, formats: [PictureFormat] = [.yuv420p]
  ) throws(Failure) {
    self.device = device
    self.geometry = geometry
    self.targetSize = targetSize
    interface = try ShaderInterface(device: device, shading: shading)
    ring = try FrameRing(
      device: device, interface: interface, targetSize: targetSize, framesInFlight: framesInFlight)
    for format in formats { try prepare(for: format) }
  }

  public var framesInFlight: Int { ring.framesInFlight }

  /// As `FrameRing.tellsInstants`.
  public var tellsInstants: Bool {
    get { ring.tellsInstants }
    set { ring.tellsInstants = newValue }
  }

  /// Submits a view of `frame`; blocks only while all slots are in flight.
  ///
  /// - Parameter onFinished: is told the views finished since the last call, in the order they were submitted.
  public func render(
    _ frame: VideoFrame, camera: Camera, wantsPixels: Bool = false, onFinished: (FrameRing.Finished) -> Void
  ) throws(Failure) {
    let uniforms = ViewUniforms(frame: frame, geometry: geometry, camera: camera, target: targetSize)
    let view: FrameRing.View =
      switch shading {
      case .fragment: .draw(try fragment(for: frame.format))
      case .compute:
        .dispatch(
          try compute(
            ComputeVariant(
              isChromaInterleaved: frame.format.isChromaInterleaved,
              takesShortcut: geometry.projection.allowsBlockShortcut(camera, target: targetSize))))
      }
    try ring.submit(
      FrameRing.Work(
        frame: frame, view: view, overlays: overlays, uniforms: uniforms.values, sampling: sampling,
        wantsPixels: wantsPixels), onFinished: onFinished)
  }

  /// Waits for everything submitted.
  public func drain(onFinished: (FrameRing.Finished) -> Void) throws(Failure) {
    try ring.drain(onFinished: onFinished)
  }

  /// The same for whoever draws a few views only: gives those finished since the last call.
  public func render(_ frame: VideoFrame, camera: Camera, wantsPixels: Bool = false) throws(Failure)
    -> [FrameRing.Finished]
  {
    var finished: [FrameRing.Finished] = []
    try render(frame, camera: camera, wantsPixels: wantsPixels) { finished.append($0) }
    return finished
  }

  public func drain() throws(Failure) -> [FrameRing.Finished] {
    var finished: [FrameRing.Finished] = []
    try drain { finished.append($0) }
    return finished
  }

  /// A full-screen draw over the view with its own fragment shader, which sees the same uniforms and textures.
  public func makeOverlay(fragment: [UInt32]) throws(Failure) -> DrawPipeline {
    try DrawPipeline(interface: interface, vertex: Shaders.fullscreenVertex, fragment: fragment, blends: true)
  }

  /// As `horizontalEdge` in `Shaders/view.glsl` has them.
  private enum HorizontalEdge: UInt32 { case samplers, wraps, stops }

  private var horizontalEdge: HorizontalEdge {
    guard geometry.projection.wrapsHorizontally else { return .stops }
    return geometry.stereo == .sideBySide ? .wraps : .samplers
  }

  private var sampling: GPUDevice.Sampling { horizontalEdge == .samplers ? .wrappedHorizontally : .clamped }

  private func prepare(for format: PictureFormat) throws(Failure) {
    switch shading {
    case .fragment: _ = try fragment(for: format)
    case .compute:
      for takesShortcut in geometry.projection.hasBlockShortcut ? [false, true] : [false] {
        _ = try compute(
          ComputeVariant(isChromaInterleaved: format.isChromaInterleaved, takesShortcut: takesShortcut))
      }
    }
  }

  private func fragment(for format: PictureFormat) throws(Failure) -> DrawPipeline {
    let isInterleaved = format.isChromaInterleaved
    if let made = fragments[isInterleaved] { return made }
    let made = try DrawPipeline(
      interface: interface, vertex: Shaders.fullscreenVertex, fragment: geometry.projection.fragment,
      constants: [isInterleaved ? 1 : 0, horizontalEdge.rawValue])
    fragments[isInterleaved] = made
    return made
  }

  private struct ComputeVariant: Hashable {
    var isChromaInterleaved: Bool
    var takesShortcut: Bool
  }

  private func compute(_ variant: ComputeVariant) throws(Failure) -> DispatchPipeline {
    if let made = computes[variant] { return made }
    // Eight by eight invocations, two by two pixels each: `Shaders/shade_compute.glsl`.
    let made = try DispatchPipeline(
      interface: interface, shader: geometry.projection.compute,
      constants: [variant.isChromaInterleaved ? 1 : 0, horizontalEdge.rawValue, variant.takesShortcut ? 1 : 0],
      pixelsPerGroup: PictureSize(width: 16, height: 16))
    computes[variant] = made
    return made
  }
}
