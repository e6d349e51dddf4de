import Frames
import GPU
import Glibc

/// The sphere that HTY360Player draws on: 200 slices × 100 parallels around the camera, triangles between the points where
/// meridians and parallels cross. Places in the picture are exact at those points and linear on the triangles, which are
/// chords of the sphere.
enum SphereMesh {
  static let slices = 200
  static let parallels = 100

  static func make(on device: GPUDevice) throws(Failure) -> Mesh {
    var vertices: [Mesh.Vertex] = []
    for parallel in Range(from: 0, to: parallels + 1) {
      for slice in Range(from: 0, to: slices + 1) {
        let (position, place) = vertex(parallel, slice)
        vertices.append(
          Mesh.Vertex(
            x: Float(position.x), y: Float(position.y), z: Float(position.z), u: Float(place.u), v: Float(place.v)))
      }
    }
    var indices: [UInt32] = []
    for parallel in 0..<parallels {
      for slice in 0..<slices {
        for triangle in triangles(parallel, slice) {
          indices += triangle.map { UInt32($0.parallel * (slices + 1) + $0.slice) }
        }
      }
    }
    return try Mesh(device: device, vertices: vertices, indices: indices)
  }

  /// On the unit sphere, and in the picture.
  private static func vertex(_ parallel: Int, _ slice: Int) -> (position: Vector3, place: Place) {
    let place = Place(u: Double(slice) / Double(slices), v: Double(parallel) / Double(parallels))
    let polar = .pi * place.v
    let around = 2 * .pi * place.u - .pi
    return (Vector3(sin(polar) * sin(around), cos(polar), sin(polar) * cos(around)), place)
  }

  private typealias Corner = (parallel: Int, slice: Int)

  /// The two triangles between two meridians and two parallels.
  private static func triangles(_ parallel: Int, _ slice: Int) -> [[Corner]] {
    let (here, right) = ((parallel, slice), (parallel, slice + 1))
    let (below, belowRight) = ((parallel + 1, slice), (parallel + 1, slice + 1))
    return [[here, below, belowRight], [here, belowRight, right]]
  }
}

extension SphereMesh {
  /// Where in the picture a direction is shown, by the triangle that it meets.
  ///
  /// A chord's middle lies deeper in the sphere than its ends but in the same plane through the centre as the meridian
  /// it spans; parallels are not such planes, so a direction may meet a triangle of the row next to its own.
  static func place(of direction: Vector3) -> Place {
    let exact = EquirectangularProjection().place(of: direction, Lens()).at
    let slice = min(max(Int(exact.u * Double(slices)), 0), slices - 1)
    let parallel = min(max(Int(exact.v * Double(parallels)), 0), parallels - 1)
    var best = (place: exact, inside: -Double.infinity)
    for row in Range(from: max(0, parallel - 1), to: min(parallels - 1, parallel + 1) + 1) {
      for column in Range(from: slice - 1, to: slice + 2) {
        for corners in triangles(row, (column + slices) % slices) {
          if let met = meet(direction, corners), met.inside > best.inside { best = met }
        }
        // Most directions meet a triangle of their own cell, and a sphere's are nowhere behind each other.
        if best.inside >= 0 { return best.place }
      }
    }
    return best.place
  }

  /// Where on a triangle's plane a direction meets it, told as a place, and how far inside of the triangle that is: the
  /// least of its barycentric coordinates.
  private static func meet(
    _ direction: Vector3, _ corners: [Corner]
  ) -> (place: Place, inside: Double)? {
    let a = vertex(corners[0].parallel, corners[0].slice)
    let b = vertex(corners[1].parallel, corners[1].slice)
    let c = vertex(corners[2].parallel, corners[2].slice)
    // direction · t = wa·a + wb·b + wc·c with weights that add up to 1: Cramer's rule, up to a common factor.
    let wa = direction.dot(b.position.cross(c.position))
    let wb = direction.dot(c.position.cross(a.position))
    let wc = direction.dot(a.position.cross(b.position))
    let sum = wa + wb + wc
    let volume = a.position.dot(b.position.cross(c.position))
    guard sum * volume > 1e-18 else { return nil }
    let (ta, tb, tc) = (wa / sum, wb / sum, wc / sum)
    let place = Place(
      u: ta * a.place.u + tb * b.place.u + tc * c.place.u, v: ta * a.place.v + tb * b.place.v + tc * c.place.v)
    return (place, min(ta, tb, tc))
  }
}
