/// What the channels of interleaved samples are for, and their order.
public enum SoundLayout: String, Sendable, Hashable, Codable, CaseIterable {
  case mono
  /// Left, right.
  case stereo
  /// Front left and right, centre, low frequencies, side left and right.
  case surround51 = "5.1"
  /// As `surround51`, then back left and right.
  case surround71 = "7.1"
  /// First-order ambisonics, ambiX: W, Y, Z, X (ACN order), SN3D normalisation. X points ahead, Y to the left, Z up.
  case ambisonic
  /// `ambisonic`, then two channels that do not turn with the view: left, right.
  case ambisonicAndStereo = "ambisonic+stereo"

  public var channelCount: Int {
    switch self {
    case .mono: 1
    case .stereo: 2
    case .surround51: 6
    case .surround71: 8
    case .ambisonic: 4
    case .ambisonicAndStereo: 6
    }
  }

  /// Its first four channels turn with the view.
  public var isAmbisonic: Bool { self == .ambisonic || self == .ambisonicAndStereo }
}

/// How samples are to be read: 32-bit float, interleaved, full scale at ±1.
public struct SoundFormat: Sendable, Hashable, Codable {
  /// Sample frames per second, one sample for each channel in a sample frame.
  public var sampleRate: Int
  public var layout: SoundLayout

  public init(sampleRate: Int, layout: SoundLayout) {
    (self.sampleRate, self.layout) = (sampleRate, layout)
  }

  public var channelCount: Int { layout.channelCount }

  /// The duration of so many sample frames.
  public func duration(of sampleFrames: Int) -> MediaTime {
    MediaTime(ticks: Int64(sampleFrames), timeBase: Ratio(1, Int32(clamping: sampleRate)))
  }

  /// Sample frames in a span of time, rounded to the nearest.
  public func sampleFrames(in time: MediaTime) -> Int {
    Int((time.seconds * Double(sampleRate)).rounded())
  }
}
