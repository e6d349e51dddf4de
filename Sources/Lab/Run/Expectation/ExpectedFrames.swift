import FoundationEssentials
import Frames
import Media
import Verdict

/// What a clip's frames must be: the checksums of a framehash or framemd5 file, in output order, or nothing but what the
/// software decoder makes of the clip.
public struct ExpectedFrames: Hashable, Sendable, Codable {
  /// A frame's line of the file.
  struct Sum: Hashable, Sendable, Codable {
    /// In lower-case hexadecimal.
    var checksum: String
    /// The size of the picture that the checksum was made of.
    var byteCount: Int
  }

  /// `software`, or the file's name.
  let name: String
  /// FFmpeg's name of the checksum.
  let hash: String
  /// One a frame; nil: the software decoder's.
  let sums: [Sum]?

  private static let byteLimit = 64 << 20
  private static let remedy =
    "make it by 'ffmpeg -noautorotate -i CLIP -map 0:v:0 -fps_mode passthrough -autoscale 0 -f framehash FILE', or give 'software'"

  /// The software decoder's frames.
  public static let software = ExpectedFrames(name: "software", hash: "MD5", sums: nil)

  private init(name: String, hash: String, sums: [Sum]?) {
    self.name = name
    self.hash = hash
    self.sums = sums
  }

  /// Reads a file of FFmpeg's. Throws `.input` with one sentence that names the file and the error in it.
  public init(path: String) throws(Failure) {
    func refusal(_ cause: String) -> Failure {
      Failure(.input, "cannot use frame hashes '\(path)'", cause: cause, remedy: Self.remedy)
    }
    let data = try CheckedJSON.read(
      path, called: "frame hashes", limit: Self.byteLimit, remedy: Self.remedy, refusal: refusal)
    try self.init(
      name: URL(filePath: path).lastPathComponent, text: String(decoding: data, as: UTF8.self), refusal: refusal)
  }

  /// - Parameter refusal: made of a cause.
  init(name: String, text: String, refusal: (String) -> Failure) throws(Failure) {
    // Version 1 of framemd5 does not name its checksum.
    var (hash, stream, sums) = ("MD5", Substring?.none, [Sum]())
    for (index, line) in text.split(whereSeparator: \.isNewline).enumerated() {
      if line.hasPrefix("#") {
        if let name = line.firstMatch(of: /^#hash:\s*(\S+)/)?.output.1 { hash = String(name) }
        continue
      }
      let cells = line.split(separator: ",").map { $0.trimmed[...] }
      guard cells.count >= 6, let byteCount = Int(cells[4]), cells[5].allSatisfy(\.isHexDigit) else {
        throw refusal("line \(index + 1) is no line of a framehash file")
      }
      stream = stream ?? cells[0]
      guard cells[0] == stream else { throw refusal("it has more than one stream") }
      sums.append(Sum(checksum: cells[5].lowercased(), byteCount: byteCount))
    }
    guard !sums.isEmpty else { throw refusal("it has no frame") }
    guard FrameDigest(hash) != nil else { throw refusal("FFmpeg's checksum '\(hash)' is unknown here") }
    self.init(name: name, hash: hash, sums: sums)
  }
}
