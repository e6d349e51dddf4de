import Frames
import GPU

/// The shaders that make views on one device, compiled when first asked for and kept. One thread at a time.
///
/// It knows neither clip nor view, so that it can be made, and what is likely be compiled, while the clip is still opened.
public final class ViewPipelines {
  public let device: GPUDevice
  public var shading: Shading { interface.shading }
  let interface: ShaderInterface
  private var views: [Variant: FrameRing.View] = [:]

  /// What a shader is compiled for.
  struct Variant: Hashable {
    var projection: Projection
    var sphere: SphereShape
    var edge: HorizontalEdge
    var samples: SampleReading
    /// Compute shaders only: see `BlockShortcut.swift`.
    var takesShortcut = false

    init(_ geometry: PictureGeometry, _ samples: SampleReading) {
      projection = geometry.projection
      sphere = geometry.sphere
      edge =
        !geometry.projection.model.wrapsHorizontally
        ? .stops : geometry.stereo == .sideBySide ? .wraps : .samplers
      self.samples = samples
    }
  }

  /// As `horizontalEdge` in `Shaders/view.glsl` has them.
  enum HorizontalEdge: UInt32 { case samplers, wraps, stops }

  public init(device: GPUDevice, shading: Shading) throws(Failure) {
    self.device = device
    interface = try ShaderInterface(device: device, shading: shading)
  }

  /// Compiles what views of the commonest pictures need: 4:2:0 in SDR.
  public func prepare(_ geometry: PictureGeometry) throws(Failure) {
    let color = ColorDescription(matrix: .bt709, range: .limited)
    try prepare(geometry, SampleReading(.yuv420p, ColorConversion(color)))
  }

  func prepare(_ geometry: PictureGeometry, _ samples: SampleReading) throws(Failure) {
    var variant = Variant(geometry, samples)
    _ = try view(variant)
    guard shading == .compute, geometry.hasBlockShortcut else { return }
    variant.takesShortcut = true
    _ = try view(variant)
  }

  /// Why a projection cannot be drawn on a mesh; nil when it can.
  func meshObstacle(_ projection: Projection) -> Failure? {
    if projection != .equirectangular {
      return Failure(
        .usage, "cannot draw on a mesh", cause: "the projection is \(projection.rawValue)",
        remedy: "--geometry mesh is for equirectangular pictures")
    }
    guard shading == .compute else { return nil }
    return Failure(
      .usage, "cannot draw on a mesh", cause: "compute shaders draw no triangles",
      remedy: "leave --shading out, or name 'fragment'")
  }

  func view(_ variant: Variant) throws(Failure) -> FrameRing.View {
    if let made = views[variant] { return made }
    let made = try compile(variant)
    views[variant] = made
    return made
  }

  private func compile(_ variant: Variant) throws(Failure) -> FrameRing.View {
    let samples = variant.samples
    let constants: [UInt32] = [
      samples.chroma.rawValue, variant.edge.rawValue, variant.takesShortcut ? 1 : 0, samples.isChromaPerPixel ? 1 : 0,
      samples.transfer.rawValue,
    ]
    switch shading {
    case .fragment where variant.sphere == .mesh:
      return .draw(
        try DrawPipeline(
          interface: interface, vertex: Shaders.sphereMeshVertex, fragment: Shaders.meshFragment,
          constants: constants, mesh: SphereMesh.make(on: device)))
    case .fragment:
      return .draw(
        try DrawPipeline(
          interface: interface, vertex: Shaders.fullscreenVertex, fragment: variant.projection.model.fragment,
          constants: constants))
    case .compute:
      // Eight by eight invocations, two by two pixels each: `Shaders/shade_compute.glsl`.
      return .dispatch(
        try DispatchPipeline(
          interface: interface, shader: variant.projection.model.compute,
          constants: constants, pixelsPerGroup: PictureSize(width: 16, height: 16)))
    }
  }
}
