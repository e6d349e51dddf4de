import Frames

/// What a trial of `observe` saw on a screen, and how exactly it could see it.
public struct WatchedScreen: Hashable, Sendable, Codable {
  /// The frames that were complete on screen, in the order in which they were.
  public var frames: [Frame]
  /// Samples of the screen, and the usual time from one to the next.
  public var samples: Int
  @Nullable public var samplePeriodMs: Double?
  /// Processor time of the sampler, in percent of one processor.
  @Nullable public var samplerCpuPct: Double?
  /// Tiles of the code that counted, of nine: others were covered, or not part of the picture. 0 for a clip without numbers.
  public var legibleTiles: Int
  /// How the program ended: `ended with status 0`, or why it was ended.
  public var ending: String

  public init(
    frames: [Frame], samples: Int, samplePeriodMs: Double?, samplerCpuPct: Double?, legibleTiles: Int, ending: String
  ) {
    (self.frames, self.samples) = (frames, samples)
    (self.legibleTiles, self.ending) = (legibleTiles, ending)
    self.samplePeriodMs = samplePeriodMs.map(roundedForRecord)
    self.samplerCpuPct = samplerCpuPct.map(roundedForRecord)
  }

  /// The time on screen from which a frame is frozen, in ms: three times the mean, and the mean and 150 ms, as WebRTC's statistics define a
  /// freeze (`freezeCount`), with the clip's period for the mean.
  package static func freezeLimit(period: Double) -> Double { max(3 * period, period + 150) }

  /// One frame on screen. Times are milliseconds since just before the program was started, or since the first frame of a recording.
  public struct Frame: Hashable, Sendable, Codable {
    /// The frame's own number; of a clip without numbers, pictures are counted from 0.
    public var number: Int
    /// The middle of the interval in which all of it came to the screen, and the interval's width.
    public var shownMs: Double
    public var widthMs: Double
    /// From the first tile that showed it to the last.
    public var paintMs: Double

    public init(number: Int, shownMs: Double, widthMs: Double, paintMs: Double) {
      self.number = number
      (self.shownMs, self.widthMs) = (roundedForRecord(shownMs), roundedForRecord(widthMs))
      self.paintMs = roundedForRecord(paintMs)
    }
  }

  /// Of a trial: an hour at 60 frames a second is below it.
  private static let frameLimit = 1 << 18

  /// Why values that were read cannot be a trial's, as a sentence; nil where they can.
  var flaw: String? {
    if frames.count > Self.frameLimit { return "there are more than \(Self.frameLimit) frames on screen" }
    return frames.contains { $0.number < 0 } ? "the number of a frame on screen is negative" : nil
  }
}

extension Record.Settings {
  /// The players that were watched, and the screen.
  public struct Observation: Hashable, Sendable, Codable {
    /// The origin of the pixels: `xvfb` or `recording`.
    public var source: String
    /// What the time stamp of a sample means, as a sentence.
    public var timing: String
    public var screen: PictureSize
    /// In the order of the record's variants.
    public var players: [Player]

    public init(source: String, timing: String, screen: PictureSize, players: [Player]) {
      (self.source, self.timing, self.screen, self.players) = (source, timing, screen, players)
    }
  }

  /// A program that played.
  public struct Player: Hashable, Sendable, Codable {
    /// The record's variant.
    public var name: String
    /// As a shell would take it; `{}` is the input.
    public var command: String
    /// What it says about its version; nil where it was not asked.
    @Nullable public var version: String?

    public init(name: String, command: String, version: String?) {
      (self.name, self.command) = (name, command)
      self.version = version
    }
  }
}
