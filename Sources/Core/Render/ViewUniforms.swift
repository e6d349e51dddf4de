import Frames
import GPU

/// The uniform block of `Shaders/view.glsl`: 22 vectors of four floats.
struct ViewUniforms {
  private(set) var values = UniformBlock(repeating: 0)

  init(frame: VideoFrame, conversion: ColorConversion, eye: EyeGeometry, camera: Camera) {
    let (geometry, region) = (eye.geometry, eye.region)
    let rays = geometry.rays(camera, size: region.size)
    let flat = geometry.flatMapping(picture: frame.size, target: region.size)
    let lens = geometry.model.lens(geometry, eye: geometry.eyeSize(of: frame.size))
    let part = geometry.part
    let chroma = ChromaMap(format: frame.format, size: frame.size, siting: frame.color.siting)
    let matrix = YCbCrMatrix(frame.color, format: frame.format)
    let chromaSize = frame.format.planes[min(1, frame.format.planes.count - 1)].size(of: frame.size)
    set(0, rays.origin, 0)
    set(1, rays.perX, 0)
    set(2, rays.perY, 0)
    set(3, flat.u, 0)
    set(4, flat.v, 0)
    set(5, (part.u, part.v, part.width, part.height))
    set(6, ViewUniforms.edge(part, frame.size))
    set(7, ViewUniforms.edge(part, chromaSize))
    set(8, (chroma.scale.u, chroma.scale.v, chroma.offset.u, chroma.offset.v))
    set(9, matrix.red, matrix.offset.x)
    set(10, matrix.green, matrix.offset.y)
    set(11, matrix.blue, matrix.offset.z)
    set(12, (Double(region.left), Double(region.top), Double(region.size.width), Double(region.size.height)))
    set(13, rays.forward, 0)
    set(14, (lens.x, lens.y, lens.z, lens.w))
    set(conversion)
  }

  private mutating func set(_ conversion: ColorConversion) {
    let (working, display, tones) = (conversion.toWorking.rows, conversion.toDisplay.rows, conversion.toneMapping)
    set(15, working.0, 0)
    set(16, working.1, 0)
    set(17, working.2, 0)
    set(18, display.0, 0)
    set(19, display.1, 0)
    set(20, display.2, 0)
    set(21, (10_000 / tones.peakNits, tones.hdrBase, ToneMapping.sdrBase, conversion.gamma))
  }

  private mutating func set(_ row: Int, _ vector: Vector3, _ last: Double) {
    set(row, (vector.x, vector.y, vector.z, last))
  }

  private mutating func set(_ row: Int, _ vector: (Double, Double, Double, Double)) {
    values[4 * row] = Float(vector.0)
    values[4 * row + 1] = Float(vector.1)
    values[4 * row + 2] = Float(vector.2)
    values[4 * row + 3] = Float(vector.3)
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
