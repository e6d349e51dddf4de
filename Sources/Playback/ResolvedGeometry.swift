import Decode
import Frames
import Render

/// What the user wants of a picture's geometry; nil is `auto`.
public struct GeometryChoice: Sendable, Hashable, Codable {
  public var projection: Projection?
  public var stereo: StereoLayout?
  public var eye: PictureGeometry.Eye
  public var sphere: SphereShape

  public init(
    projection: Projection? = nil, stereo: StereoLayout? = nil, eye: PictureGeometry.Eye = .left,
    sphere: SphereShape = .ray
  ) {
    self.projection = projection
    self.stereo = stereo
    self.eye = eye
    self.sphere = sphere
  }

  /// The geometry for a clip, and why each part that was left to us is what it is.
  public func resolve(_ info: MediaInfo) -> (geometry: PictureGeometry, reasons: [String: String]) {
    var reasons: [String: String] = [:]
    let geometry = PictureGeometry(
      projection: projection ?? automaticProjection(info, &reasons),
      stereo: stereo ?? automaticStereo(info, &reasons), eye: eye, sphere: sphere,
      sampleAspect: info.video.sampleAspect.value ?? 1, rotation: info.video.rotation,
      isMirrored: info.video.isMirrored)
    return (geometry, reasons)
  }

  private func automaticProjection(_ info: MediaInfo, _ reasons: inout [String: String]) -> Projection {
    guard let spherical = info.video.spherical else {
      reasons["projection"] = "the file has no spherical metadata"
      return .flat
    }
    guard let projection = Projection(metadata: spherical.projection) else {
      reasons["projection"] = "the file says '\(spherical.projection)', which is not drawn yet"
      return .flat
    }
    reasons["projection"] = "the file says so"
    return projection
  }

  private func automaticStereo(_ info: MediaInfo, _ reasons: inout [String: String]) -> StereoLayout {
    reasons["stereo"] = info.video.stereo == nil ? "the file has no stereo metadata" : "the file says so"
    return info.video.stereo ?? .mono
  }
}

extension MediaInfo {
  /// Twice as wide as high and untagged: perhaps a sphere that lost its metadata.
  public var looksSpherical: Bool {
    video.spherical == nil && video.size.width == 2 * video.size.height && video.size.height > 0
  }
}
