import Frames

/// What the boxes of one track of an MP4 say about how its picture covers the sphere.
///
/// V2 (`st3d`, `sv3d` in the sample entry) after <https://github.com/google/spatial-media>'s
/// `spherical-video-v2-rfc.md`, V1 (a `uuid` in the track) after `spherical-video-rfc.md` beside it. `lhvC`,
/// the configuration of HEVC's further layers (ISO/IEC 14496-15), is the mark of MV-HEVC; Apple's `vexu` beside it is not:
/// FFmpeg 7.1 writes one for every sphere.
struct SphericalBoxes {
  /// `sv3d`.
  struct V2 {
    enum Projection {
      /// Nil bounds: all of the sphere.
      case equirectangular(SphereBounds?)
      case cubemap(layout: Int, padding: Int)
      case mesh
      case unknown
    }
    var projection = Projection.unknown
    var pose = Pose.none
  }

  var v2: V2?
  var v1: SphericalXML?
  /// `st3d`: 0 mono, 1 top-bottom, 2 left-right, anything else is not a layout of ours.
  var stereoMode: UInt8?
  var isMultiview = false

  /// Nil when the bytes cannot be read or hold no such track.
  ///
  /// - Parameter interruption: ends waiting for bytes.
  init?(_ bytes: any RandomAccessBytes, track: Int, unless interruption: Interruption? = nil) {
    guard var file = BoxFile(bytes, unless: interruption), let movie = file.first("moov", in: file.whole) else {
      return nil
    }
    for box in file.boxes(in: movie.payload) where box.has("trak") {
      let parts = file.boxes(in: box.payload)
      guard let header = parts.first(where: { $0.has("tkhd") }), trackNumber(header, file) == track else { continue }
      if let media = parts.first(where: { $0.has("mdia") }) { readSampleEntry(media, &file) }
      v1 = parts.lazy.filter { $0.has("uuid") }.compactMap { Self.globalMetadata($0, file) }.first
      return
    }
    return nil
  }

  private static let globalMetadataID: [UInt8] = [
    0xff, 0xcc, 0x82, 0x63, 0xf8, 0x55, 0x4a, 0x93, 0x88, 0x14, 0x58, 0x7a, 0x02, 0x52, 0x1f, 0xdd,
  ]

  private static func globalMetadata(_ box: BoxFile.Box, _ file: borrowing BoxFile) -> SphericalXML? {
    guard file.bytes(box.payload, limit: 16) == globalMetadataID else { return nil }
    return SphericalXML(file.bytes(box.payload.dropFirst(16), limit: SphericalXML.byteLimit))
  }

  /// The boxes that follow the fixed fields of the first visual sample entry.
  private mutating func readSampleEntry(_ media: BoxFile.Box, _ file: inout BoxFile) {
    let information = file.first("minf", in: media.payload)
    let table = file.first("stbl", in: information?.payload)
    guard let descriptions = file.first("stsd", in: table?.payload), descriptions.payload.count > 8 else { return }
    let entries = descriptions.payload.dropFirst(8)
    guard let entry = file.boxes(in: entries).first, entry.payload.count > 78 else { return }
    for box in file.boxes(in: entry.payload.dropFirst(78)) {
      if box.has("st3d") { stereoMode = file.bytes(box.payload, limit: 5).dropFirst(4).first }
      if box.has("sv3d") { v2 = Self.sphere(box, &file) }
      if box.has("lhvC") { isMultiview = true }
    }
  }

  private static func sphere(_ box: BoxFile.Box, _ file: inout BoxFile) -> V2? {
    guard let projection = file.first("proj", in: box.payload) else { return nil }
    var sphere = V2()
    for box in file.boxes(in: projection.payload) {
      // Each begins with a version and flags.
      let bytes = file.bytes(box.payload, limit: 20)
      if box.has("prhd"), bytes.count >= 16 {
        func degrees(_ offset: Int) -> Double { Double(Int32(bitPattern: bytes.bigEndian(at: offset))) / 65536 }
        sphere.pose = Pose(yaw: degrees(4), pitch: degrees(8), roll: degrees(12))
      }
      if box.has("equi"), bytes.count >= 20 { sphere.projection = equirectangular(bytes) }
      if box.has("cbmp"), bytes.count >= 12 {
        sphere.projection = .cubemap(layout: Int(bytes.bigEndian(at: 4)), padding: Int(bytes.bigEndian(at: 8)))
      }
      if box.has("mshp") { sphere.projection = .mesh }
    }
    return sphere
  }

  /// What is cropped from the top, bottom, left and right of the sphere, as 0.32 fixed point.
  private static func equirectangular(_ bytes: [UInt8]) -> V2.Projection {
    func crop(_ offset: Int) -> Double { Double(bytes.bigEndian(at: offset)) / 4_294_967_296 }
    guard let bounds = SphereBounds(top: crop(4), bottom: crop(8), left: crop(12), right: crop(16)) else {
      return .unknown
    }
    return .equirectangular(bounds.isWhole ? nil : bounds)
  }
}

extension SphereBounds {
  /// From what is missing at each edge, as fractions.
  init?(top: Double, bottom: Double, left: Double, right: Double) {
    self.init(left: left, top: top, width: 1 - left - right, height: 1 - top - bottom)
  }
}
