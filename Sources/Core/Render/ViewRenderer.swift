import Frames
import GPU

/// Draws views of decoded frames, offscreen, and in a window where that is asked for. One thread at a time.
public final class ViewRenderer {
  public private(set) var geometry: PictureGeometry
  /// Of views from now on; frames in flight keep theirs.
  public var targetSize: PictureSize {
    get { ring.targetSize }
    set {
      if newValue != ring.targetSize { ring.discardPrepared() }
      ring.targetSize = newValue
    }
  }
  public var device: GPUDevice { pipelines.device }
  public var shading: Shading { pipelines.shading }
  private let ring: FrameRing
  private let pipelines: ViewPipelines
  /// The colour conversion of the last frame, and likely of the next.
  public private(set) var conversion: ColorConversion
  /// Drawn over every view, in order.
  public var overlays: [DrawPipeline] = [] {
    didSet { ring.discardPrepared() }
  }

  /// - Parameters:
  ///   - pipelines: may be other renderers' as well.
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
  /// Throws where it cannot be drawn; the old geometry then stays in use.
  public func change(to geometry: PictureGeometry) throws(Failure) {
    if let obstacle = pipelines.obstacle(geometry) { throw obstacle }
    try pipelines.prepare(geometry)
    ring.discardPrepared()
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
    try ring.submit(
      try makeWork(frame, camera, layer: layer, wantsPixels: wantsPixels, on: swapchain), onFinished: onFinished)
  }

  /// Uploads a frame and draws its view, for `showPrepared` to show later; blocks only while all slots are in flight.
  ///
  /// One at a time: the next that is rendered or prepared discards it, and so does a change of target, geometry or overlays.
  public func prepare(
    _ frame: VideoFrame, camera: Camera, wantsPixels: Bool = false, onFinished: (FrameRing.Finished) -> Void
  ) throws(Failure) {
    try ring.prepare(try makeWork(frame, camera, wantsPixels: wantsPixels), onFinished: onFinished)
  }

  /// A view was prepared, and neither shown nor discarded.
  public var hasPrepared: Bool { ring.hasPrepared }

  public func discardPrepared() { ring.discardPrepared() }

  /// As `FrameRing.showPrepared`: the view that was prepared, which there must be.
  public func showPrepared(layer: QuadLayer? = nil, on swapchain: Swapchain? = nil) throws(Failure) {
    try ring.showPrepared(layer: layer, on: swapchain)
  }

  /// Inlined: a call would copy the kilobyte of `Work` for each frame.
  @inline(__always)
  private func makeWork(
    _ frame: VideoFrame, _ camera: Camera, layer: QuadLayer? = nil, wantsPixels: Bool, on swapchain: Swapchain? = nil
  ) throws(Failure) -> FrameRing.Work {
    if frame.color != conversion.source { conversion = ColorConversion(frame.color) }
    var geometry = geometry
    if let aspect = frame.stream?.sampleAspect { geometry.sampleAspect = aspect }
    let (first, second) = geometry.eyes(in: targetSize)
    var variant = ViewPipelines.Variant(geometry, SampleReading(frame.format, conversion))
    variant.takesShortcut =
      shading == .compute && first.allowsBlockShortcut(camera) && second?.allowsBlockShortcut(camera) != false
    func eye(_ eye: EyeGeometry) -> FrameRing.Eye {
      let uniforms = ViewUniforms(frame: frame, conversion: conversion, eye: eye, camera: camera)
      return FrameRing.Eye(region: eye.region, uniforms: uniforms.values)
    }
    return FrameRing.Work(
      frame: frame, view: try pipelines.view(variant), overlays: overlays, layer: layer, eye: eye(first),
      otherEye: second.map(eye), sampling: variant.edge == .samplers ? .wrappedHorizontally : .clamped,
      wantsPixels: wantsPixels, swapchain: swapchain)
  }

  /// Waits for everything submitted.
  public func drain(onFinished: (FrameRing.Finished) -> Void) throws(Failure) {
    try ring.drain(onFinished: onFinished)
  }

  /// The same for callers that draw a few views: returns the frames finished since the last call.
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
    try DrawPipeline(
      interface: pipelines.interface, vertex: ViewShaders.fullscreenVertex, fragment: fragment, blends: true)
  }
}
