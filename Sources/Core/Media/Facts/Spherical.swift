internal import CFFmpeg
import Frames

/// What a stream says of the sphere, of two eyes, and of a second view beside the one that is decoded.
struct SphericalDescription {
  var spherical: SphericalInfo?
  var stereo: StereoLayout?
  var isMultiview = false

  /// Boxes of our own reading where the bytes of an MP4 are at hand, else what FFmpeg exposes, and Matroska's tag of V1.
  ///
  /// V2 wins over V1. Where V2 is a projection that cannot be read here, such as a mesh, and V1 describes an
  /// equirectangular picture, V1 is used: the RFC wants both to mean the same.
  init(_ file: Demuxer, _ stream: UnsafeMutablePointer<AVStream>) {
    let container = string(file.context.pointee.iformat.pointee.name) ?? ""
    let bytes = container.contains("mov") ? file.source.bytes : nil
    let boxes = bytes.flatMap {
      SphericalBoxes($0, track: Int(stream.pointee.id), unless: file.boxInterruption())
    }
    // Matroska has no box for V1 but a tag.
    let v1 = boxes?.v1 ?? metadata(stream.pointee.metadata, "SPHERICAL-VIDEO").flatMap { SphericalXML(Array($0.utf8)) }
    // Boxes that were read are all there is: FFmpeg's search for words in V1 finds some that are not there.
    spherical = Self.choose(
      v2: boxes.map { $0.v2.map { SphericalInfo($0) } } ?? Self.exposed(stream, container),
      v1: v1.flatMap { SphericalInfo($0, frame: Self.frameSize(stream)) })
    stereo =
      boxes?.stereoMode.flatMap(StereoLayout.init(stereoMode:)) ?? v1.flatMap(StereoLayout.init)
      ?? Self.stereoLayout(stream)
    isMultiview = boxes?.isMultiview ?? false
  }

  private static func choose(v2: SphericalInfo?, v1: SphericalInfo?) -> SphericalInfo? {
    guard let v2, let v1, v2.projection == "mesh" || v2.projection == "unknown", v1.projection == "equirectangular"
    else { return v2 ?? v1 }
    var chosen = v1
    chosen.pose = v2.pose
    chosen.insteadOf = v2.projection
    return chosen
  }

  private static func frameSize(_ stream: UnsafeMutablePointer<AVStream>) -> PictureSize {
    let parameters = stream.pointee.codecpar.pointee
    return PictureSize(width: Int(parameters.width), height: Int(parameters.height))
  }

  /// FFmpeg's side data. Its pose is V2's: FFmpeg 5.1 takes none from V1.
  private static func exposed(_ stream: UnsafeMutablePointer<AVStream>, _ container: String) -> SphericalInfo? {
    guard let data = bench_stream_side_data(stream, AV_PKT_DATA_SPHERICAL, nil) else { return nil }
    var info = SphericalInfo(projection: "unknown", source: container.contains("matroska") ? .v2 : nil)
    info.pose = Pose(
      yaw: bench_spherical_yaw(data), pitch: bench_spherical_pitch(data), roll: bench_spherical_roll(data))
    switch AVSphericalProjection(rawValue: UInt32(bench_spherical_projection(data))) {
    case AV_SPHERICAL_EQUIRECTANGULAR: info.projection = "equirectangular"
    case AV_SPHERICAL_EQUIRECTANGULAR_TILE:
      let bounds = SphereBounds(
        top: bench_spherical_bound_top(data), bottom: bench_spherical_bound_bottom(data),
        left: bench_spherical_bound_left(data), right: bench_spherical_bound_right(data))
      guard let bounds else { break }
      info.projection = "equirectangular"
      info.bounds = bounds.isWhole ? nil : bounds
    case AV_SPHERICAL_CUBEMAP:
      info.projection = "cubemap"
      info.padding = Int(bench_spherical_padding(data))
    default: break
    }
    return info
  }

  private static func stereoLayout(_ stream: UnsafeMutablePointer<AVStream>) -> StereoLayout? {
    guard let data = bench_stream_side_data(stream, AV_PKT_DATA_STEREO3D, nil) else { return nil }
    return switch AVStereo3DType(rawValue: UInt32(bench_stereo3d_type(data))) {
    case AV_STEREO3D_2D: .mono
    case AV_STEREO3D_TOPBOTTOM: .topBottom
    case AV_STEREO3D_SIDEBYSIDE: .sideBySide
    default: nil
    }
  }
}

extension StereoLayout {
  /// `stereo_mode` of V2's `st3d`.
  fileprivate init?(stereoMode: UInt8) {
    switch stereoMode {
    case 0: self = .mono
    case 1: self = .topBottom
    case 2: self = .sideBySide
    default: return nil
    }
  }

  /// `StereoMode` of V1.
  fileprivate init?(_ v1: SphericalXML) {
    switch v1.values[.stereo]?.lowercased() {
    case "mono": self = .mono
    case "top-bottom": self = .topBottom
    case "left-right": self = .sideBySide
    default: return nil
    }
  }
}

extension SphericalInfo {
  fileprivate init(_ boxes: SphericalBoxes.V2) {
    self.init(projection: "unknown", pose: boxes.pose, source: .v2)
    switch boxes.projection {
    case .equirectangular(let bounds): (projection, self.bounds) = ("equirectangular", bounds)
    case .cubemap(let layout, let padding): (projection, self.layout, self.padding) = ("cubemap", layout, padding)
    case .mesh: projection = "mesh"
    case .unknown: break
    }
  }

  /// Nil when V1 does not call the video spherical. `frame` stands in for sizes that are not there, as the RFC says.
  fileprivate init?(_ v1: SphericalXML, frame: PictureSize) {
    guard v1.truth(.spherical) == true else { return nil }
    self.init(projection: "unknown", source: .v1)
    let name = v1.values[.projection]?.lowercased() ?? ""
    // A word of the file's own ends in messages: only what looks like one.
    if !name.isEmpty, name.utf8.allSatisfy({ (97...122).contains($0) || $0 == 45 }) { projection = name }
    if v1.truth(.stitched) == false { projection = "unstitched" }
    bounds = SphereBounds(v1, frame: frame)
    let turns = [SphericalXML.Field.heading, .pitch, .roll].map { v1.number($0) }
    if turns.contains(where: { $0 != nil }) {
      initialView = InitialView(heading: turns[0] ?? 0, pitch: turns[1] ?? 0, roll: turns[2] ?? 0)
    }
  }
}

extension SphereBounds {
  /// V1's cropping, which is in pixels of one eye's full panorama; nil for all of it, and where it makes no sense.
  fileprivate init?(_ v1: SphericalXML, frame: PictureSize) {
    let width = v1.number(.croppedWidth) ?? Double(frame.width)
    let height = v1.number(.croppedHeight) ?? Double(frame.height)
    guard let fullWidth = v1.number(.fullWidth), let fullHeight = v1.number(.fullHeight), fullWidth > 0, fullHeight > 0
    else { return nil }
    self.init(
      left: (v1.number(.left) ?? 0) / fullWidth, top: (v1.number(.top) ?? 0) / fullHeight, width: width / fullWidth,
      height: height / fullHeight)
    if isWhole { return nil }
  }
}
