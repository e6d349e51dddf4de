import Foundation
import Frames
import Render

/// Pictures of a world that is known in every direction.
extension TestPictures {
  /// Y', Cb, Cr as full-range code values: each follows one axis of the direction, so that no two directions look the same.
  public static func worldCode(_ direction: Vector3) -> Vector3 {
    let perLength = 1 / direction.dot(direction).squareRoot()
    return Vector3(128, 128, 128) + 36 * perLength * direction
  }

  /// The same as R'G'B' of BT.709, in code values.
  public static func worldColor(_ direction: Vector3) -> Vector3 {
    let code = worldCode(direction)
    let (luma, cb, cr) = (code.x, code.y - 128, code.z - 128)
    return Vector3(luma + 1.5748 * cr, luma - 0.1873 * cb - 0.4681 * cr, luma + 1.8556 * cb)
  }

  /// The world as a projection has it, full range BT.709. Both eyes see the same, but in a picture whose `eye` is given the
  /// other one's part is the world's negative.
  public static func world(
    _ geometry: PictureGeometry, size: PictureSize, only eye: PictureGeometry.Eye? = nil
  ) -> VideoFrame {
    let color = ColorDescription(matrix: .bt709, range: .full, siting: .left)
    return picture(geometry, size: size, color: color) { component, direction, shown in
      let code = worldCode(direction)
      let value = [code.x, code.y, code.z][component]
      return eye == nil || geometry.stereo == .mono || eye == shown ? value : 255 - value
    }
  }

  /// An equirectangular frame brought into another projection.
  public static func projected(_ frame: VideoFrame, _ geometry: PictureGeometry, size: PictureSize) -> VideoFrame {
    let sphere = PictureGeometry(projection: .equirectangular)
    let planes = TwinPlane.planes(of: frame)
    return picture(geometry, size: size, color: frame.color) { component, direction, _ in
      planes[component].onSphere(sphere.place(of: direction, picture: frame.size).at) * 255
    }
  }

  /// Calls `sample` with what each sample of each plane shows, in code values; what shows nothing is black.
  private static func picture(
    _ geometry: PictureGeometry, size: PictureSize, color: ColorDescription,
    sample: (_ component: Int, _ direction: Vector3, _ eye: PictureGeometry.Eye) -> Double
  ) -> VideoFrame {
    let picture = HostPicture(format: .yuv420p, size: size)
    let chroma = ChromaMap(format: .yuv420p, size: size, siting: color.siting)
    for (component, plane) in picture.planes.enumerated() {
      for row in 0..<plane.rows {
        for column in 0..<plane.rowBytes {
          var u = (Double(column) + 0.5) / Double(plane.rowBytes)
          var v = (Double(row) + 0.5) / Double(plane.rows)
          if component > 0 { (u, v) = ((u - chroma.offset.u) / chroma.scale.u, (v - chroma.offset.v) / chroma.scale.v) }
          let (shown, place) = eyeAndPlace(u, v, geometry)
          let value = shown.direction(at: place, picture: size).map { sample(component, $0, shown.eye) }
          plane.base.storeBytes(
            of: UInt8((value ?? (component == 0 ? 16 : 128)).rounded()),
            toByteOffset: row * plane.bytesPerRow + column, as: UInt8.self)
        }
      }
    }
    return TestPictures.frame(picture, format: .yuv420p, size: size, color: color)
  }

  /// The eye in whose part a place in the whole picture lies, and where in it.
  private static func eyeAndPlace(
    _ u: Double, _ v: Double, _ geometry: PictureGeometry
  ) -> (PictureGeometry, Place) {
    var shown = geometry
    let isSecond = geometry.stereo == .topBottom ? v >= 0.5 : geometry.stereo == .sideBySide && u >= 0.5
    shown.eye = isSecond ? .right : .left
    let part = shown.part
    return (shown, Place(u: (u - part.u) / part.width, v: (v - part.v) / part.height))
  }
}
