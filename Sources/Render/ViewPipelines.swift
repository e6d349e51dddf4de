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
    var edge: HorizontalEdge
    var isChromaInterleaved: Bool
    /// Compute shaders only: see `BlockShortcut.swift`.
    var takesShortcut = false
  }

  /// As `horizontalEdge` in `Shaders/view.glsl` has them.
  enum HorizontalEdge: UInt32 { case samplers, wraps, stops }

  public init(device: GPUDevice, shading: Shading) throws(Failure) {
    self.device = device
    interface = try ShaderInterface(device: device, shading: shading)
  }

  /// Compiles what pictures of this format need, unless they hold two eyes side by side.
  public func prepare(_ projections: [Projection], format: PictureFormat = .yuv420p) throws(Failure) {
    for projection in projections {
      try prepare(projection, edge: projection.wrapsHorizontally ? .samplers : .stops, format: format)
    }
  }

  func prepare(_ projection: Projection, edge: HorizontalEdge, format: PictureFormat) throws(Failure) {
    var variant = Variant(projection: projection, edge: edge, isChromaInterleaved: format.isChromaInterleaved)
    _ = try view(variant)
    guard shading == .compute, projection.hasBlockShortcut else { return }
    variant.takesShortcut = true
    _ = try view(variant)
  }

  func view(_ variant: Variant) throws(Failure) -> FrameRing.View {
    if let made = views[variant] { return made }
    let made = try compile(variant)
    views[variant] = made
    return made
  }

  private func compile(_ variant: Variant) throws(Failure) -> FrameRing.View {
    let constants: [UInt32] = [variant.isChromaInterleaved ? 1 : 0, variant.edge.rawValue]
    switch shading {
    case .fragment:
      return .draw(
        try DrawPipeline(
          interface: interface, vertex: Shaders.fullscreenVertex, fragment: variant.projection.fragment,
          constants: constants))
    case .compute:
      // Eight by eight invocations, two by two pixels each: `Shaders/shade_compute.glsl`.
      return .dispatch(
        try DispatchPipeline(
          interface: interface, shader: variant.projection.compute,
          constants: constants + [variant.takesShortcut ? 1 : 0], pixelsPerGroup: PictureSize(width: 16, height: 16)))
    }
  }
}
