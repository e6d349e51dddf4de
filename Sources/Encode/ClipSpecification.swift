import Frames

/// All that decides a synthetic clip: equal specifications give equal decoded frames with the same encoder version.
public struct ClipSpecification: Hashable, Sendable, Codable {
  /// Chroma subsampling, as `generate --chroma` names it.
  public enum Chroma: String, Sendable, Codable, CaseIterable {
    case yuv420 = "420"
    case yuv422 = "422"
    case yuv444 = "444"
  }

  /// One of `codecNames`.
  public var codec = "h264"
  /// Of the whole picture; with stereo both eyes share it.
  public var size = PictureSize(width: 3840, height: 1920)
  /// Nominal frames per second.
  public var rate = Ratio(30, 1)
  public var frames = 300
  /// Frames from one sync sample to the next.
  public var gop = 60
  /// B-frames between two references; codecs that have none ignore it.
  public var bFrames = 2
  /// 8, 10 or 12.
  public var bitDepth = 8
  public var chroma = Chroma.yuv420
  /// Time stamps stray from the nominal rate by up to 0.3 of a period.
  public var isVariableRate = false
  /// Largest change of a luma sample by noise, in 8-bit code values, 0 … 64.
  public var noise = 4
  public var matrix = ColorDescription.Matrix.bt709
  public var range = ColorDescription.Range.limited
  public var projection = SyntheticTag.Projection.equirectangular
  public var stereo = StereoLayout.mono
  /// A quiet tone of 440 Hz.
  public var hasAudio = false
  /// Of the scene's noise and stray time stamps.
  public var seed: UInt64 = 360
  /// Bits per second on average; nil for the codec's constant quality.
  public var bitRate: Int? = nil

  /// The built-in clip's properties at constant quality.
  public init() {}

  /// The built-in clip: ten seconds of 360° video as a phone plays it.
  public static let builtIn: ClipSpecification = {
    var specification = ClipSpecification()
    specification.bitRate = 30_000_000
    return specification
  }()

  /// The names that `codec` takes, in the table's order.
  public static var codecNames: [String] { CodecRow.all.map(\.name) }

  /// How many frames fill `seconds` at `rate`: at least one. Nil when that is not a number or too many for the code.
  public static func frameCount(seconds: Double, rate: Ratio) -> Int? {
    guard let framesPerSecond = rate.value else { return nil }
    let count = max(1, (seconds * framesPerSecond).rounded())
    return seconds > 0 && count <= Double(FrameCode.capacity) ? Int(count) : nil
  }

  /// Nominal duration in seconds; zero without a valid rate.
  public var duration: Double { rate.value.map { Double(frames) / $0 } ?? 0 }

  /// What the clip's container will say of it.
  public var tag: SyntheticTag {
    SyntheticTag(rate: rate, frames: frames, seed: seed, projection: projection, stereo: stereo)
  }
}

extension ClipSpecification {
  /// FFmpeg's name of the pixel format.
  var pixelFormatName: String { "yuv\(chroma.rawValue)p" + (bitDepth > 8 ? "\(bitDepth)le" : "") }

  var eyeCount: Int { stereo == .mono ? 1 : 2 }

  var eyeSize: PictureSize {
    PictureSize(
      width: stereo == .sideBySide ? size.width / 2 : size.width,
      height: stereo == .topBottom ? size.height / 2 : size.height)
  }

  /// How many halvings lie between luma and chroma.
  var chromaShift: (horizontal: Int, vertical: Int) {
    switch chroma {
    case .yuv420: (1, 1)
    case .yuv422: (1, 0)
    case .yuv444: (0, 0)
    }
  }

  /// Ticks of the encoder's clock in a frame period.
  var ticksPerFrame: Int { isVariableRate ? 10 : 1 }

  /// Frame `number`'s time stamp in ticks of 1 ⁄ (rate × `ticksPerFrame`) seconds. The first one is exactly zero.
  func timestamp(of number: Int) -> Int64 {
    guard isVariableRate, number > 0 else { return Int64(number * ticksPerFrame) }
    var random = SplitMix64(seed: seed ^ UInt64(number) &* 0xD1B5_4A32_D192_ED03)
    return Int64(number * ticksPerFrame) + Int64(random.next() % 7) - 3
  }
}
