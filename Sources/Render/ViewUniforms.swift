import Frames

/// The uniform block of `Shaders/view.glsl`: twelve vectors of four floats.
struct ViewUniforms {
  let values: [Float]

  init(frame: VideoFrame, geometry: PictureGeometry, camera: Camera, target: PictureSize) {
    let rays = camera.rays(size: target)
    let flat = geometry.flatMapping(picture: frame.size, target: target)
    let part = geometry.part
    let chroma = ChromaMap(format: frame.format, size: frame.size, siting: frame.color.siting)
    let matrix = YCbCrMatrix(frame.color, bitDepth: frame.format.bitDepth)
    let chromaSize = frame.format.planes[min(1, frame.format.planes.count - 1)].size(of: frame.size)
    var rows: [(Double, Double, Double, Double)] = [
      (rays.origin.x, rays.origin.y, rays.origin.z, 0),
      (rays.perX.x, rays.perX.y, rays.perX.z, 0),
      (rays.perY.x, rays.perY.y, rays.perY.z, 0),
      (flat.u.x, flat.u.y, flat.u.z, 0),
      (flat.v.x, flat.v.y, flat.v.z, 0),
      (part.u, part.v, part.width, part.height),
      ViewUniforms.edge(part, frame.size),
      ViewUniforms.edge(part, chromaSize),
    ]
    rows.append((chroma.scale.u, chroma.scale.v, chroma.offset.u, chroma.offset.v))
    rows.append((matrix.red.x, matrix.red.y, matrix.red.z, matrix.offset.x))
    rows.append((matrix.green.x, matrix.green.y, matrix.green.z, matrix.offset.y))
    rows.append((matrix.blue.x, matrix.blue.y, matrix.blue.z, matrix.offset.z))
    values = rows.flatMap { [Float($0.0), Float($0.1), Float($0.2), Float($0.3)] }
  }

  /// Centres of the outermost texels of a part of a plane.
  private static func edge(
    _ part: (u: Double, v: Double, width: Double, height: Double), _ plane: PictureSize
  ) -> (Double, Double, Double, Double) {
    let (du, dv) = (0.5 / Double(plane.width), 0.5 / Double(plane.height))
    return (part.u + du, part.v + dv, part.u + part.width - du, part.v + part.height - dv)
  }
}

/// Where in the chroma planes a place in the luma plane lies, both normalised: `chroma = luma · scale + offset`.
///
/// Left siting puts a chroma sample on its left luma sample, top-left on its top-left one; a chroma sample's texel
/// centre then lies half a luma sample beside where the sample belongs.
public struct ChromaMap: Sendable, Hashable {
  public var scale: (u: Double, v: Double)
  public var offset: (u: Double, v: Double)

  public init(format: PictureFormat, size: PictureSize, siting: ColorDescription.ChromaSiting) {
    guard format.planes.count > 1 else {
      scale = (1, 1)
      offset = (0, 0)
      return
    }
    let plane = format.planes[1]
    let chroma = plane.size(of: size)
    func map(_ luma: Int, _ chroma: Int, _ shift: Int, _ isCosited: Bool) -> (Double, Double) {
      let ratio = Double(1 << shift)
      // Luma texel position x sits at chroma position x / ratio when co-sited, (x - (ratio-1)/2) / ratio when centred.
      let scale = Double(luma) / (ratio * Double(chroma))
      let offset = isCosited ? (0.5 - 0.5 / ratio) / Double(chroma) : 0
      return (scale, offset)
    }
    let horizontal = map(size.width, chroma.width, plane.horizontalShift, siting != .center)
    let vertical = map(size.height, chroma.height, plane.verticalShift, siting == .topLeft)
    scale = (horizontal.0, vertical.0)
    offset = (horizontal.1, vertical.1)
  }

  public static func == (a: ChromaMap, b: ChromaMap) -> Bool { a.scale == b.scale && a.offset == b.offset }
  public func hash(into hasher: inout Hasher) {
    for value in [scale.u, scale.v, offset.u, offset.v] { hasher.combine(value) }
  }
}
