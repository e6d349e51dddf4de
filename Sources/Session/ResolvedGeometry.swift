import Decode
import Frames
import Media
import Render

/// The user's choice of a picture's geometry; nil is `auto`.
public struct GeometryChoice: Sendable, Hashable, Codable {
  public var projection: Projection?
  public var stereo: StereoLayout?
  public var eye: PictureGeometry.Eye
  public var sphere: SphereShape
  public var bounds: SphereBounds?
  public var pose: Pose?
  /// As in `PictureGeometry`.
  public var lensFieldOfView: Double

  public init(
    projection: Projection? = nil, stereo: StereoLayout? = nil, eye: PictureGeometry.Eye = .left,
    sphere: SphereShape = .ray, bounds: SphereBounds? = nil, pose: Pose? = nil, lensFieldOfView: Double = 180
  ) {
    self.projection = projection
    self.stereo = stereo
    self.eye = eye
    self.sphere = sphere
    self.bounds = bounds
    self.pose = pose
    self.lensFieldOfView = lensFieldOfView
  }

  /// The geometry for a clip, with the reason for each automatic choice.
  ///
  /// A flat picture has neither bounds nor pose. Bounds belong to the file's own projection: naming another one leaves
  /// them out.
  public func resolve(_ info: MediaInfo) -> (geometry: PictureGeometry, reasons: [OpenChoice: String]) {
    var reasons: [OpenChoice: String] = [:]
    var geometry = PictureGeometry(
      projection: projection ?? automaticProjection(info, &reasons),
      stereo: stereo ?? automaticStereo(info, &reasons), eye: eye, sphere: sphere,
      sampleAspect: info.video.sampleAspect.value ?? 1, rotation: info.video.rotation,
      isMirrored: info.video.isMirrored, lensFieldOfView: lensFieldOfView)
    guard geometry.projection.usesCamera else { return (geometry, reasons) }
    let spherical = info.video.spherical
    let isAsTheFileSays = spherical.flatMap { Projection(metadata: $0.projection) } == geometry.projection
    geometry.bounds = bounds ?? (isAsTheFileSays ? spherical?.bounds : nil)
    if geometry.bounds?.isWhole == true { geometry.bounds = nil }
    geometry.pose = pose ?? spherical?.pose ?? .none
    if bounds == nil, geometry.bounds != nil { reasons[.bounds] = "the file says so" }
    if pose == nil, geometry.pose != .none { reasons[.pose] = "the file says so" }
    return (geometry, reasons)
  }

  private func automaticProjection(_ info: MediaInfo, _ reasons: inout [OpenChoice: String]) -> Projection {
    guard let spherical = info.video.spherical else {
      reasons[.projection] = "the file has no spherical metadata"
      return .flat
    }
    guard let projection = Projection(metadata: spherical.projection), spherical.layout ?? 0 == 0 else {
      reasons[.projection] = spherical.refusal
      return .flat
    }
    let instead = spherical.insteadOf.map { "; its V2 boxes name '\($0)', which is not read" } ?? ""
    let padding =
      spherical.padding.flatMap {
        $0 > 0 ? "; the \($0) pixels around its faces are drawn as if they belonged to them" : nil
      } ?? ""
    reasons[.projection] =
      (instead.isEmpty ? "the file says so" : "the file's V1 metadata says so") + instead + padding
    return projection
  }

  private func automaticStereo(_ info: MediaInfo, _ reasons: inout [OpenChoice: String]) -> StereoLayout {
    reasons[.stereo] = info.video.stereo == nil ? "the file has no stereo metadata" : "the file says so"
    return info.video.stereo ?? .mono
  }
}

extension SphericalInfo {
  /// Why an unsupported projection is not drawn, and the remedy.
  fileprivate var refusal: String {
    switch projection {
    case "mesh": "the file maps its picture by a mesh (mshp), which is not read: name a --projection"
    case "unstitched": "the file says that its lenses' pictures are not stitched: name a --projection"
    case "cubemap": "the file says 'cubemap' in layout \(layout ?? 0), which is not known: name a --projection"
    default: "the file says '\(projection)', which is not drawn yet"
    }
  }
}

extension MediaInfo {
  /// The file's initial view; nil where it has none.
  public var firstView: Camera? {
    guard let view = video.spherical?.initialView else { return nil }
    func turn(_ degrees: Double) -> Double { degrees.remainder(dividingBy: 360) }
    return Camera(pan: turn(view.heading), tilt: max(-90, min(90, view.pitch)), roll: turn(view.roll))
  }

  /// Twice as wide as high without spherical metadata: possibly an untagged 360° picture.
  public var looksSpherical: Bool {
    video.spherical == nil && video.size.width == 2 * video.size.height && video.size.height > 0
  }
}
