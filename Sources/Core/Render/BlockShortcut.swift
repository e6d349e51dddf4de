import Frames

/// Compute shaders give the four pixels of a block their longitudes and latitudes by small angles from the block's
/// middle. Close to a pole those angles are large.
extension PictureGeometry {
  /// There is a shorter way than to place every pixel of a block for itself.
  var hasBlockShortcut: Bool { model.shader == .equirectangular && sphere == .ray }

  /// Whether no block of the view is so close to a pole that the shortcut would show.
  ///
  /// Half a block's diagonal must be at most 1/16 of how far the block's middle lies from the vertical axis: the
  /// tangents of the angles inside the block are then at most about that, and `smallAngle` of
  /// `Shaders/projection_equirectangular.glsl` errs by less than 2e-7 rad, a thousandth of a texel of the largest
  /// pictures there are.
  package func allowsBlockShortcut(_ camera: Camera, target: PictureSize) -> Bool {
    guard hasBlockShortcut else { return false }
    let rays = rays(camera, size: target)
    let halfDiagonal = (rays.perX.dot(rays.perX) / 2 + rays.perY.dot(rays.perY) / 2).squareRoot()
    return rays.leastDistanceFromVertical(width: target.width + 1, height: target.height + 1) >= 17 * halfDiagonal
  }
}

extension EyeGeometry {
  func allowsBlockShortcut(_ camera: Camera) -> Bool { geometry.allowsBlockShortcut(camera, target: region.size) }
}

extension Rays {
  /// How close the rays of a target, as long as they are, come to the vertical axis; 0 when the axis goes through it.
  ///
  /// The square of the distance is a convex quadratic of x and y, so it is least on the target's edge or where it is 0.
  func leastDistanceFromVertical(width: Int, height: Int) -> Double {
    let (w, h) = (Double(width), Double(height))
    let determinant = perX.x * perY.z - perX.z * perY.x
    if determinant != 0 {
      let x = (origin.z * perY.x - origin.x * perY.z) / determinant
      let y = (origin.x * perX.z - origin.z * perX.x) / determinant
      if x >= 0, x <= w, y >= 0, y <= h { return 0 }
    }
    return min(
      min(leastDistance(from: origin, along: w * perX), leastDistance(from: origin + h * perY, along: w * perX)),
      min(leastDistance(from: origin, along: h * perY), leastDistance(from: origin + w * perX, along: h * perY)))
  }

  private func leastDistance(from start: Vector3, along edge: Vector3) -> Double {
    let square = edge.x * edge.x + edge.z * edge.z
    let share = square == 0 ? 0 : min(max(-(start.x * edge.x + start.z * edge.z) / square, 0), 1)
    let (x, z) = (start.x + share * edge.x, start.z + share * edge.z)
    return (x * x + z * z).squareRoot()
  }
}
