import Frames
import GPU

/// Draws views of decoded frames, offscreen, and in a window where that is asked for. One thread at a time.
public final class ViewRenderer {
  public private(set) var geometry: PictureGeometry
  /// Of views from now on; frames in flight keep theirs.
  public var targetSize: PictureSize {
    get { ring.targetSize }
    set { ring.targetSize = newValue }
  }
  public var device: GPUDevice { pipelines.device }
  public var shading: Shading { pipelines.shading }
  private let ring: FrameRing
  private let pipelines: ViewPipelines
  /// What is done to the colours of the last frame, and likely to those of the next.
  public private(set) var conversion: ColorConversion
  /// Drawn over every view, in order.
  public var overlays: [DrawPipeline] = []

  /// - Parameters:
  ///   - pipelines: used by nobody else at the same time.
  ///   - format: compile the shaders for pictures of this format and colour before the first frame; others are compiled
  ///     when they come.
  public init(
    pipelines: ViewPipelines, geometry: PictureGeometry, targetSize: PictureSize, framesInFlight: Int = 3,
    format: PictureFormat = .yuv420p, color: ColorDescription = ColorDescription(matrix: .bt709, range: .limited)
  ) throws(Failure) {
    if let obstacle = pipelines.obstacle(geometry) { throw obstacle }
    self.pipelines = pipelines
    conversion = ColorConversion(color)
    self.geometry = geometry
    ring = try FrameRing(
      device: pipelines.device, interface: pipelines.interface, targetSize: targetSize, framesInFlight: framesInFlight)
    try pipelines.prepare(geometry, SampleReading(format, conversion))
  }

  public convenience init(
    device: GPUDevice, geometry: PictureGeometry, targetSize: PictureSize, shading: Shading = .fragment,
    framesInFlight: Int = 3
  ) throws(Failure) {
    try self.init(
      pipelines: try ViewPipelines(device: device, shading: shading), geometry: geometry, targetSize: targetSize,
      framesInFlight: framesInFlight)
  }

  public var framesInFlight: Int { ring.framesInFlight }

  /// Draws views of another geometry from now on; frames in flight keep theirs. Compiles its shaders where they are new.
  ///
  /// Throws what of it cannot be drawn, and goes on with the old one.
  public func change(to geometry: PictureGeometry) throws(Failure) {
    if let obstacle = pipelines.obstacle(geometry) { throw obstacle }
    try pipelines.prepare(geometry)
    self.geometry = geometry
  }

  /// As `FrameRing.tellsInstants`.
  public var tellsInstants: Bool {
    get { ring.tellsInstants }
    set { ring.tellsInstants = newValue }
  }

  /// Submits a view of `frame`; blocks only while all slots are in flight.
  ///
  /// - Parameters:
  ///   - layer: drawn over the view and its overlays, in pixels of the target.
  ///   - swapchain: of the window that shows it too; nil: none does.
  ///   - onFinished: is told the views finished since the last call, in the order they were submitted.
  public func render(
    _ frame: VideoFrame, camera: Camera, layer: QuadLayer? = nil, wantsPixels: Bool = false,
    on swapchain: Swapchain? = nil, onFinished: (FrameRing.Finished) -> Void
  ) throws(Failure) {
    if frame.color != conversion.source { conversion = ColorConversion(frame.color) }
    let (first, second) = geometry.eyes(in: targetSize)
    var variant = ViewPipelines.Variant(geometry, SampleReading(frame.format, conversion))
    variant.takesShortcut =
      shading == .compute && first.allowsBlockShortcut(camera) && second?.allowsBlockShortcut(camera) != false
    func eye(_ eye: EyeGeometry) -> FrameRing.Eye {
      let uniforms = ViewUniforms(frame: frame, conversion: conversion, eye: eye, camera: camera)
      return FrameRing.Eye(region: eye.region, uniforms: uniforms.values)
    }
    try ring.submit(
      FrameRing.Work(
        frame: frame, view: try pipelines.view(variant), overlays: overlays, layer: layer,
        eye: eye(first), otherEye: second.map(eye),
        sampling: variant.edge == .samplers ? .wrappedHorizontally : .clamped,
        wantsPixels: wantsPixels, swapchain: swapchain), onFinished: onFinished)
  }

  /// Waits for everything submitted.
  public func drain(onFinished: (FrameRing.Finished) -> Void) throws(Failure) {
    try ring.drain(onFinished: onFinished)
  }

  /// The same for whoever draws a few views only: gives those finished since the last call.
  public func render(
    _ frame: VideoFrame, camera: Camera, layer: QuadLayer? = nil, wantsPixels: Bool = false
  ) throws(Failure) -> [FrameRing.Finished] {
    var finished: [FrameRing.Finished] = []
    try render(frame, camera: camera, layer: layer, wantsPixels: wantsPixels) { finished.append($0) }
    return finished
  }

  /// Waits for everything submitted, and gives what finished since the last call.
  public func drain() throws(Failure) -> [FrameRing.Finished] {
    var finished: [FrameRing.Finished] = []
    try drain { finished.append($0) }
    return finished
  }

  /// A full-screen draw over the view with its own fragment shader, which sees the same uniforms and textures.
  public func makeOverlay(fragment: [UInt32]) throws(Failure) -> DrawPipeline {
    try DrawPipeline(interface: pipelines.interface, vertex: Shaders.fullscreenVertex, fragment: fragment, blends: true)
  }
}
