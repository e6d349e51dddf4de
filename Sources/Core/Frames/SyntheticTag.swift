/// The description of a synthetic clip in its container's `comment`, from which a reader knows what its pixels must
/// show.
///
/// Frame numbers follow from time stamps by one rule, `frameNumber(at:)`; clips of variable rate move every time stamp
/// by less than 0.4 of a frame period so that the rule holds for them too.
public struct SyntheticTag: Hashable, Sendable, Codable {
  /// How the picture covers the directions around the viewer.
  public enum Projection: String, Sendable, Codable, CaseIterable { case equirectangular, flat }

  /// The version of the test picture that this build draws and reads.
  public static let currentVersion = 1

  public var version: Int
  /// Nominal frames per second.
  public var rate: Ratio
  public var frames: Int
  public var seed: UInt64
  public var projection: Projection
  public var stereo: StereoLayout
  /// How often the `frames` are repeated; each repetition shows the same numbers.
  public var repetitions: Int
  /// The rung, 0 … 15, that each frame shows beside its number, in clips that belong to a ladder.
  public var rung: Int?

  public init(
    version: Int = SyntheticTag.currentVersion, rate: Ratio, frames: Int, seed: UInt64, projection: Projection,
    stereo: StereoLayout, repetitions: Int = 1, rung: Int? = nil
  ) {
    self.version = version
    self.rate = rate
    self.frames = frames
    self.seed = seed
    self.projection = projection
    self.stereo = stereo
    self.repetitions = repetitions
    self.rung = rung
  }

  /// The number that the frame of this time stamp shows. Frames are counted from the first one at zero, and from zero
  /// again with each repetition. Nil without a rate or beyond the clip.
  public func frameNumber(at time: MediaTime) -> Int? {
    guard let framesPerSecond = rate.value else { return nil }
    let number = (time.seconds * framesPerSecond).rounded()
    return number >= 0 && number < Double(frames) * Double(repetitions) ? Int(saturating: number) % frames : nil
  }
}

extension SyntheticTag {
  /// The prefix of the comment in every version.
  static let prefix = "bench360-synthetic/"

  /// `bench360-synthetic/1 rate=30/1 frames=300 seed=7 projection=equirectangular stereo=mono`
  public var comment: String {
    "\(Self.prefix)\(version) rate=\(rate) frames=\(frames) seed=\(seed)"
      + " projection=\(projection.rawValue) stereo=\(stereo.rawValue)"
      + (repetitions == 1 ? "" : " repetitions=\(repetitions)") + (rung.map { " rung=\($0)" } ?? "")
  }

  /// Nil unless all fields are present and valid; unknown fields are ignored.
  public init?(comment: String) {
    let words = comment.split(separator: " ")
    guard let first = words.first, first.hasPrefix(Self.prefix),
      let version = Int(first.dropFirst(Self.prefix.count)), version >= 1
    else { return nil }
    var fields: [Substring: Substring] = [:]
    for word in words.dropFirst() {
      guard let equals = word.firstIndex(of: "=") else { return nil }
      fields[word[..<equals]] = word[word.index(after: equals)...]
    }
    guard let rate = fields["rate"].flatMap(Self.ratio), rate.value != nil,
      let frames = fields["frames"].flatMap({ Int($0) }), frames >= 1,
      let seed = fields["seed"].flatMap({ UInt64($0) }),
      let projection = fields["projection"].flatMap({ Projection(rawValue: String($0)) }),
      let stereo = fields["stereo"].flatMap({ StereoLayout(rawValue: String($0)) })
    else { return nil }
    let repetitions = fields["repetitions"].map { Int($0) } ?? 1
    guard let repetitions, (1...1_000_000).contains(repetitions) else { return nil }
    let rung = fields["rung"].map { Int($0) ?? -1 }
    guard rung.map((0...15).contains) ?? true else { return nil }
    self.init(
      version: version, rate: rate, frames: frames, seed: seed, projection: projection, stereo: stereo,
      repetitions: repetitions, rung: rung)
  }

  private static func ratio(_ text: Substring) -> Ratio? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let numerator = Int32(parts[0]), let denominator = Int32(parts[1]) else { return nil }
    return Ratio(numerator, denominator)
  }
}
