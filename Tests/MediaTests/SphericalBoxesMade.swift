import Foundation
import Frames
import Support

/// Boxes of Google's Spherical Video V1 and V2, as their RFCs have them, and clips that hold them.
enum Made {
  /// A small flat clip without any such box, changed by `change` and written to a file of that name.
  static func clip(
    _ name: String, from source: String? = nil, _ change: (inout BoxEditor) throws -> Void
  ) throws -> String {
    let plain = try [UInt8](Data(contentsOf: URL(filePath: source ?? SharedClips.many("mp4"))))
    return try SharedClips.file(name) { path in
      var editor = BoxEditor(plain)
      try change(&editor)
      try Data(editor.bytes).write(to: URL(filePath: path))
    }
  }

  static func st3d(_ mode: UInt8) -> [UInt8] { BoxEditor.box("st3d", [0, 0, 0, 0, mode]) }

  static func sv3d(_ projection: [UInt8], pose: Pose = .none) -> [UInt8] {
    let angles = [pose.yaw, pose.pitch, pose.roll].flatMap { fixed($0) }
    let header = BoxEditor.box("svhd", [0, 0, 0, 0] + Array("a test".utf8) + [0])
    let turned = BoxEditor.box("prhd", [0, 0, 0, 0] + angles)
    return BoxEditor.box("sv3d", header + BoxEditor.box("proj", turned + projection))
  }

  /// What is missing at each edge, as fractions.
  static func equi(top: Double = 0, bottom: Double = 0, left: Double = 0, right: Double = 0) -> [UInt8] {
    BoxEditor.box("equi", [0, 0, 0, 0] + [top, bottom, left, right].flatMap { BoxEditor.number(UInt32($0 * 0x1p32)) })
  }

  static func cbmp(layout: UInt32 = 0, padding: UInt32) -> [UInt8] {
    BoxEditor.box("cbmp", [0, 0, 0, 0] + BoxEditor.number(layout) + BoxEditor.number(padding))
  }

  /// One array of one parameter set (VPS) of the second layer: FFmpeg 7.1 appends arrays to those of `hvcC`, and refuses a file
  /// without.
  static let lhvC = BoxEditor.box("lhvC", [1, 0xF0, 0, 0xFC, 0xCB, 1, 0xA0, 0, 1, 0, 4, 0x40, 0x09, 0x0C, 0x01])

  static let mshp = BoxEditor.box("mshp", [0, 0, 0, 0, 1, 2, 3, 4] + Array("raw ".utf8))

  static let globalMetadataID: [UInt8] = [
    0xff, 0xcc, 0x82, 0x63, 0xf8, 0x55, 0x4a, 0x93, 0x88, 0x14, 0x58, 0x7a, 0x02, 0x52, 0x1f, 0xdd,
  ]

  static func uuid(_ text: String) -> [UInt8] { BoxEditor.box("uuid", globalMetadataID + Array(text.utf8)) }

  /// V1's XML around these elements, after the required ones.
  static func xml(_ elements: KeyValuePairs<String, String>, projection: String = "equirectangular") -> String {
    let demanded: KeyValuePairs = [
      "Spherical": "true", "Stitched": "true", "StitchingSoftware": "a test", "ProjectionType": projection,
    ]
    let lines = (Array(demanded) + Array(elements)).map { "<GSpherical:\($0.key)>\($0.value)</GSpherical:\($0.key)>" }
    return """
      <?xml version="1.0"?><rdf:SphericalVideo xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" \
      xmlns:GSpherical="http://ns.google.com/videos/1.0/spherical/">\(lines.joined(separator: "\n"))</rdf:SphericalVideo>
      """
  }

  private static func fixed(_ degrees: Double) -> [UInt8] {
    BoxEditor.number(UInt32(bitPattern: Int32(degrees * 65536)))
  }
}
