import Frames
import Media

extension ThumbnailTrack {
  /// A cue that was left out, or a reference that cannot be used.
  public struct Problem: Sendable, Hashable, CustomStringConvertible {
    /// Counted from one.
    public var line: Int
    public var cause: String
    public var description: String { "line \(line): \(cause)" }
  }

  /// The largest file accepted.
  public static let byteLimit = 16 << 20
  /// The longest reference accepted.
  static let referenceLimit = 4096
  /// The most problems reported.
  static let problemLimit = 100

  /// Reads a track. A malformed cue is left out and reported with its line; notes, styles and regions are skipped.
  ///
  /// Throws `.media` where the text is no WebVTT at all.
  ///
  /// - Parameter path: for the message.
  public static func read(
    _ bytes: [UInt8], path: String
  ) throws(Failure) -> (track: ThumbnailTrack, problems: [Problem]) {
    let attempt = "cannot read '\(path)'"
    guard bytes.count <= byteLimit else {
      throw Failure(.media, attempt, cause: "it is longer than \(byteLimit >> 20) MiB", remedy: "split the track")
    }
    let lines = WebVTT.lines(bytes)
    guard let first = lines.first, WebVTT.isSignature(first) else {
      throw Failure(
        .media, attempt, cause: "its first line is not 'WEBVTT'", remedy: "name a WebVTT file of thumbnails")
    }
    var cues: [Cue] = []
    var problems: [Problem] = []
    WebVTT.eachBlock(lines) { block in
      guard let line = block.line else { return true }
      switch cue(block) {
      case .success(let cue): cues.append(cue)
      case .failure(let refusal):
        if problems.count < problemLimit { problems.append(Problem(line: line, cause: refusal.cause)) }
      }
      return true
    }
    return (ThumbnailTrack(cues), problems)
  }

  private struct Refusal: Error { var cause: String }

  private static func cue(_ block: WebVTT.Block) -> Result<Cue, Refusal> {
    guard let timings = block.timings else { return .failure(Refusal(cause: "its times are malformed")) }
    guard timings.end > timings.start else { return .failure(Refusal(cause: "it ends before it starts")) }
    guard let line = block.payload.first(where: { !$0.allSatisfy(WebVTT.isSpace) }) else {
      return .failure(Refusal(cause: "it names no image"))
    }
    guard line.count <= referenceLimit else { return .failure(Refusal(cause: "its image's URL is too long")) }
    let trimmed = line.drop(while: WebVTT.isSpace).reversed().drop(while: WebVTT.isSpace).reversed()
    let url = String(decoding: trimmed, as: UTF8.self)
    let parts = url.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    guard let image = parts.first, !image.isEmpty else { return .failure(Refusal(cause: "it names no image")) }
    var cue = Cue(start: timings.start, end: timings.end, image: String(image))
    if parts.count > 1 {
      let values = spatialValues(String(parts[1]))
      cue.region = values.compactMap { ImageRegion($0) }.last
      if let bad = values.last, cue.region == nil {
        return .failure(Refusal(cause: "its part of the image is malformed: '\(bad.prefix(40))'"))
      }
    }
    return .success(cue)
  }

  /// What a fragment says of `xywh`; of several valid ones the last counts (Media Fragments, 5.1.1).
  private static func spatialValues(_ fragment: String) -> [String] {
    fragment.split(separator: "&").compactMap { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, String(parts[0]).withoutPercentEncoding == "xywh" else { return nil }
      return String(parts[1]).withoutPercentEncoding
    }
  }
}
