import Frames
import TestPicture

/// A synthetic presentation at several bit rates: equal specifications give equal files with the same FFmpeg and
/// encoder.
public struct LadderSpecification: Hashable, Sendable {
  /// One video rendition.
  public struct Rung: Hashable, Sendable {
    public var size: PictureSize
    /// Bits per second on average; a second may take half as much again.
    public var bitRate: Int

    public init(size: PictureSize, bitRate: Int) {
      (self.size, self.bitRate) = (size, bitRate)
    }
  }

  public enum Encryption: Hashable, Sendable {
    /// HLS alone: whole segments, a new key after `rotation` of them, or one for all.
    case aes128(rotation: Int?)
    /// DASH alone: `cenc` with a ClearKey licence.
    case clearKey
    /// The same with `cbcs`.
    case clearKeyPattern
  }

  /// Lowest bit rate first, at most as many as a picture can show.
  public var rungs: [Rung]
  /// What all rungs have in common; its size, bit rate, rung and GOP length are not looked at.
  public var clip = ClipSpecification()
  /// Rounded to whole frames; every segment begins with the only sync sample in it.
  public var segmentSeconds = 2.0
  /// Of the alternate audio and of the subtitles, as BCP 47 has them; the first one is the default.
  public var languages = ["en", "de"]
  /// From one thumbnail to the next.
  public var thumbnailSeconds = 1.0
  public var encryption: Encryption?

  /// Five rungs for the projection.
  public init(projection: SyntheticTag.Projection = .equirectangular) {
    clip.projection = projection
    rungs = projection == .flat ? Self.flatRungs : Self.sphereRungs
  }

  /// 16:9 from the lowest that phones are offered to full HD.
  public static let flatRungs = [
    Rung(size: PictureSize(width: 256, height: 144), bitRate: 150_000),
    Rung(size: PictureSize(width: 426, height: 240), bitRate: 400_000),
    Rung(size: PictureSize(width: 640, height: 360), bitRate: 1_000_000),
    Rung(size: PictureSize(width: 1280, height: 720), bitRate: 3_000_000),
    Rung(size: PictureSize(width: 1920, height: 1080), bitRate: 6_000_000),
  ]

  /// 2:1: a view of 90° shows a quarter of the width.
  public static let sphereRungs = [
    Rung(size: PictureSize(width: 640, height: 320), bitRate: 500_000),
    Rung(size: PictureSize(width: 1280, height: 640), bitRate: 1_500_000),
    Rung(size: PictureSize(width: 1920, height: 960), bitRate: 3_500_000),
    Rung(size: PictureSize(width: 2880, height: 1440), bitRate: 7_000_000),
    Rung(size: PictureSize(width: 3840, height: 1920), bitRate: 12_000_000),
  ]
}

extension LadderSpecification {
  var segmentFrames: Int { max(1, Int(saturating: (segmentSeconds * (clip.rate.value ?? 1)).rounded())) }

  /// Seconds of `frames` frames.
  func seconds(_ frames: Int) -> Double {
    Double(frames) * Double(clip.rate.denominator) / Double(clip.rate.numerator)
  }

  var duration: Double { seconds(clip.frames) }

  /// The frames of each segment.
  var segments: [Range<Int>] {
    stride(from: 0, to: clip.frames, by: segmentFrames).map {
      Range(from: $0, to: min($0 + segmentFrames, clip.frames))
    }
  }

  func clip(ofRung index: Int) -> ClipSpecification {
    var clip = clip
    clip.size = rungs[index].size
    clip.bitRate = rungs[index].bitRate
    clip.peakBitRate = rungs[index].bitRate / 2 * 3
    clip.gop = segmentFrames
    clip.rung = index
    return clip
  }

  /// Of the comment in all files, but for the rung.
  var tag: SyntheticTag { clip.tag }

  var hasHLS: Bool { encryption != .clearKey && encryption != .clearKeyPattern }
  var hasDASH: Bool {
    if case .aes128 = encryption { false } else { true }
  }

  /// Throws `Failure` of kind `.usage` for the first property that makes no sense.
  public func validate() throws {
    try requireForLadder(
      ClosedRange(from: 1, through: FrameCode.rungs.count).contains(rungs.count), "it would have \(rungs.count) rungs",
      "use 1 to \(FrameCode.rungs.count)")
    try requireForLadder(clip.codec == "h264", "the codec is \(clip.codec)", "use h264")
    try requireForLadder(
      clip.bitDepth == 8 && clip.chroma == .yuv420, "its samples would not be 8 bits deep in 4:2:0",
      "omit other depths and chroma")
    try requireForLadder(!clip.isVariableRate, "its frame rate would vary", "use a constant frame rate")
    try requireForLadder(
      (0.1...60).contains(segmentSeconds), "a segment would last \(segmentSeconds) s", "use 0.1 to 60 seconds")
    try requireForLadder(
      thumbnailSeconds >= 0.1 && thumbnailSeconds <= 3600, "a thumbnail would stand for \(thumbnailSeconds) s",
      "use 0.1 to 3600 seconds")
    try requireForLadder(
      ClosedRange(from: 1, through: TonePosition.tracks.count).contains(languages.count)
        && Set(languages).count == languages.count,
      "its languages are \(list(languages))", "name 1 to \(TonePosition.tracks.count) different ones")
    for language in languages {
      let isTag = language.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
      try requireForLadder(
        (2...35).contains(language.utf8.count) && isTag, "'\(language)' is no language tag",
        "use tags such as en or pt-BR"
      )
    }
    if case .aes128(let rotation?) = encryption {
      try requireForLadder(rotation >= 1, "a key would last \(rotation) segments", "use at least 1")
    }
    try requireForLadder(
      zip(rungs, rungs.dropFirst()).allSatisfy { $0.bitRate < $1.bitRate }, "the bit rates of its rungs do not ascend",
      "name the lowest rung first")
    for index in rungs.indices {
      let bitRate = rungs[index].bitRate
      try requireForLadder(
        (1000...1_000_000_000).contains(bitRate), "rung \(index) has \(bitRate) bit/s", "use 1000 to 1000000000")
      try clip(ofRung: index).validate()
    }
  }
}

private func isLetterOrDigit(_ byte: UInt8) -> Bool {
  let lower = byte | 0x20
  return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lower)
    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}

/// Throws `Failure` of kind `.usage` unless `isFine`.
func requireForLadder(_ isFine: Bool, _ cause: String, _ remedy: String) throws {
  guard isFine else { throw Failure(.usage, "cannot generate this ladder", cause: cause, remedy: remedy) }
}
