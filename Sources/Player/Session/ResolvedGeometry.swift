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
  /// Show an untagged picture as what it probably is; else the guess is only reported.
  public var acceptsGuess = false
  /// Nil: there is none, or none was made yet.
  public var guess: GeometryGuess?

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
    let guess = acceptedGuess(info)
    var geometry = PictureGeometry(
      projection: projection ?? automaticProjection(info, guess, &reasons),
      stereo: stereo ?? automaticStereo(info, guess, &reasons), eye: eye, sphere: sphere,
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

  /// The projection that a clip is drawn in where the user names none.
  public func automaticProjection(_ info: MediaInfo) -> Projection {
    var choice = self
    choice.projection = nil
    return choice.resolve(info).geometry.projection
  }

  /// The guess that stands in for metadata; nil: the file has some, the user chose, or no guess is sure enough.
  private func acceptedGuess(_ info: MediaInfo) -> GeometryGuess? {
    guard acceptsGuess, projection == nil, info.video.spherical == nil, let guess, guess.isLikely else { return nil }
    return guess
  }

  private func automaticProjection(
    _ info: MediaInfo, _ guess: GeometryGuess?, _ reasons: inout [OpenChoice: String]
  ) -> Projection {
    guard let spherical = info.video.spherical else {
      if let guess {
        reasons[.projection] = "the file has no spherical metadata; guessed: \(guess.explanation)"
        return guess.projection
      }
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

  private func automaticStereo(
    _ info: MediaInfo, _ guess: GeometryGuess?, _ reasons: inout [OpenChoice: String]
  ) -> StereoLayout {
    if let guess, info.video.stereo == nil {
      reasons[.stereo] = "the file has no stereo metadata; guessed with the projection"
      return guess.stereo
    }
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
}
