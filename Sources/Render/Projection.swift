import Frames
import GPU
import Glibc

/// How a picture covers what is around the viewer. One row each; `--projection` names them.
///
/// A new one is a shader that defines `pictureAt`, a case here, and its inverse.
public enum Projection: String, Sendable, Codable, CaseIterable {
  case flat, equirectangular

  /// SPIR-V words of the fragment shader.
  var fragment: [UInt32] {
    switch self {
    case .flat: Shaders.flatFragment
    case .equirectangular: Shaders.equirectangularFragment
    }
  }

  /// SPIR-V words of the compute shader.
  var compute: [UInt32] {
    switch self {
    case .flat: Shaders.flatCompute
    case .equirectangular: Shaders.equirectangularCompute
    }
  }

  /// Longitude goes round; a flat picture ends at its edge.
  var wrapsHorizontally: Bool { self == .equirectangular }

  /// Whether the camera has any effect.
  public var usesCamera: Bool { self != .flat }

  /// What FFmpeg's metadata calls it; nil when it is none of ours.
  public init?(metadata: String) {
    guard metadata == "equirectangular" else { return nil }
    self = .equirectangular
  }
}

extension Projection {
  /// The world direction that a place in one eye's picture shows; u to the right, v down, both in [0, 1].
  static func equirectangularDirection(u: Double, v: Double) -> Vector3 {
    let longitude = (u - 0.5) * 2 * .pi
    let latitude = (0.5 - v) * .pi
    return Vector3(cos(latitude) * sin(longitude), sin(latitude), cos(latitude) * cos(longitude))
  }
}
