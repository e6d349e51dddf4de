import Frames
import GPU
import Synchronization

/// The shaders that make views on one device, compiled when first asked for and kept. Any thread.
///
/// It knows neither clip nor view, so that it can be made, and likely shaders compiled, while the clip is still opened.
public final class ViewPipelines: Sendable {
  public let device: GPUDevice
  public var shading: Shading { interface.shading }
  let interface: ShaderInterface
  private let mixesTexels: Bool
  private let views = Mutex<[Variant: FrameRing.View]>([:])

  /// The key of a compiled shader.
  struct Variant: Hashable {
    var shader: ProjectionShader
    var sphere: SphereShape
    var edge: HorizontalEdge
    var samples: SampleReading
    /// Compute shaders only: see `BlockShortcut.swift`.
    var takesShortcut = false

    init(_ geometry: PictureGeometry, _ samples: SampleReading) {
      let model = geometry.model
      shader = model.shader
      sphere = geometry.sphere
      edge =
        !model.wrapsHorizontally
        ? .stops : geometry.stereo == .sideBySide ? .wraps : .samplers
      self.samples = samples
    }
  }

  /// As `horizontalEdge` in `Shaders/view.glsl` has them.
  enum HorizontalEdge: UInt32 { case samplers, wraps, stops }

  /// - Parameter mixesTexels: four texels become one sample in the shader, not in the device's sampler; nil: where that is quicker, which
  ///   is on CPUs.
  public init(device: GPUDevice, shading: Shading, mixesTexels: Bool? = nil) throws(Failure) {
    self.device = device
    self.mixesTexels = mixesTexels ?? device.info.isSoftware
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

  /// Why a geometry cannot be drawn; nil when it can.
  func obstacle(_ geometry: PictureGeometry) -> Failure? {
    let projection = geometry.projection
    if geometry.bounds != nil, !projection.hasBounds {
      return Failure(
        .usage, "cannot draw a part of the sphere", cause: "the projection is \(projection.rawValue)",
        remedy: "--bounds are for equirectangular pictures")
    }
    guard geometry.sphere == .mesh else { return nil }
    if projection != .equirectangular || geometry.bounds != nil {
      return Failure(
        .usage, "cannot draw on a mesh",
        cause: geometry.bounds == nil
          ? "the projection is \(projection.rawValue)" : "the picture covers a part of the sphere only",
        remedy: "--geometry mesh is for whole equirectangular pictures")
    }
    guard shading == .compute else { return nil }
    return Failure(
      .usage, "cannot draw on a mesh", cause: "compute shaders draw no triangles",
      remedy: "leave --shading out, or name 'fragment'")
  }

  /// Other threads wait for one that compiles: it is often what they want.
  func view(_ variant: Variant) throws(Failure) -> FrameRing.View {
    try views.withLock { views throws(Failure) in
      if let made = views[variant] { return made }
      let made = try compile(variant)
      views[variant] = made
      return made
    }
  }

  /// The specialisation constants 0, 1, … of `Shaders/view.glsl`.
  private func constants(_ variant: Variant) -> [UInt32] {
    let samples = variant.samples
    return [
      samples.chroma.rawValue, variant.edge.rawValue, variant.takesShortcut ? 1 : 0, samples.isChromaPerPixel ? 1 : 0,
      samples.transfer.rawValue, mixesTexels ? 1 : 0,
    ]
  }

  private func compile(_ variant: Variant) throws(Failure) -> FrameRing.View {
    let constants = constants(variant)
    switch shading {
    case .fragment where variant.sphere == .mesh:
      return .draw(
        try DrawPipeline(
          interface: interface, vertex: ViewShaders.sphereMeshVertex, fragment: ViewShaders.meshFragment,
          constants: constants, mesh: SphereMesh.make(on: device)))
    case .fragment:
      return .draw(
        try DrawPipeline(
          interface: interface, vertex: ViewShaders.fullscreenVertex, fragment: variant.shader.fragment,
          constants: constants))
    case .compute:
      // Eight by eight invocations, two by two pixels each: `Shaders/shade_compute.glsl`.
      return .dispatch(
        try DispatchPipeline(
          interface: interface, shader: variant.shader.compute, constants: constants,
          pixelsPerGroup: PictureSize(width: 16, height: 16)))
    }
  }
}
