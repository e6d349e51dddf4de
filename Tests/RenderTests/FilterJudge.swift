import Foundation
import Frames
import Render
import Support
import Testing

/// FFmpeg's filters as a judge: views of one frame, all drawn by one process, for a process costs more than a view.
enum FilterJudge {
  /// The first frame of `input` through each of the filters, as packed bytes.
  ///
  /// - Parameter input: arguments of `ffmpeg` that name a file.
  static func views(of input: [String], _ filters: [String], pixels: String) throws -> [[UInt8]] {
    try TestFolders.withTemporary { folder in
      let inputs = filters.indices.map { "[in\($0)]" }.joined()
      let views = filters.enumerated().map { ";[in\($0)]\($1)[out\($0)]" }.joined()
      let outputs = filters.indices.flatMap {
        ["-map", "[out\($0)]", "-frames:v", "1", "-pix_fmt", pixels, "-f", "rawvideo", "\(folder)/\($0)"]
      }
      let result = try CommandOutput.of(
        "ffmpeg", ["-v", "error"] + input + ["-filter_complex", "split=\(filters.count)\(inputs)\(views)"] + outputs)
      try #require(result.status == 0, "\(result.errors)")
      return try filters.indices.map { [UInt8](try Data(contentsOf: URL(filePath: "\(folder)/\($0)"))) }
    }
  }

  /// A frame's own samples through each of the filters.
  static func views(of frame: VideoFrame, _ filters: [String], pixels: String) throws -> [[UInt8]] {
    try TestFolders.withTemporary { folder in
      let samples = frame.picture.planes.reduce(into: Data()) { $0.append(contentsOf: $1.packedBytes()) }
      try samples.write(to: URL(filePath: folder + "/samples"))
      return try views(
        of: ["-f", "rawvideo", "-pix_fmt", frame.format.name, "-s", "\(frame.size)", "-i", folder + "/samples"],
        filters, pixels: pixels)
    }
  }

  /// `v360` for one of our cameras, which looks into an equirectangular picture.
  static func v360(_ camera: Camera, _ target: PictureSize) -> String {
    let aspect = Double(target.width) / Double(target.height)
    let horizontal = 2 * atan(tan(camera.fieldOfView * .pi / 360) * aspect) * 180 / .pi
    return "v360=e:flat:yaw=\(camera.pan):pitch=\(camera.tilt):roll=\(camera.roll):h_fov=\(horizontal)"
      + ":v_fov=\(camera.fieldOfView):w=\(target.width):h=\(target.height):interp=linear"
  }

  /// libswscale's way to full-scale R'G'B': it only converts where the size stays. Exact with top-left siting only: between two rows it rounds
  /// chroma to a quarter.
  static func scale(_ matrix: ColorDescription.Matrix, _ range: ColorDescription.Range) -> String {
    "scale=flags=bilinear+accurate_rnd+bitexact+full_chroma_int+full_chroma_inp:in_h_chr_pos=0:in_v_chr_pos=0"
      + ":in_color_matrix=\(matrix.rawValue):in_range=\(range == .limited ? "tv" : "pc"):out_range=pc"
  }
}
