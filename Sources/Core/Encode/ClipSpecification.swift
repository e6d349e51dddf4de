import Frames
import TestPicture

/// A synthetic clip: equal specifications give equal decoded frames with the same encoder version.
///
/// `scene` describes its pictures; the scene's properties are also members of the specification.
@dynamicMemberLookup
public struct ClipSpecification: Hashable, Sendable, Codable {
  public typealias Chroma = SceneSpecification.Chroma

  public var scene = SceneSpecification()
  /// One of `codecNames`.
  public var codec = "h264"
  /// Frames from one sync sample to the next.
  public var gop = 60
  /// B-frames between two references; codecs that have none ignore it.
  public var bFrames = 2
  /// Time stamps deviate from the nominal rate by up to 0.3 of a frame period.
  public var isVariableRate = false
  /// A quiet tone that tells its place (`TonePosition`), and a beep with each flash of the picture (`SceneFlash`).
  public var hasAudio = false
  /// Beside it a track whose sound comes from the balloon that `SceneSource` tells; of spheres in MP4 alone.
  public var isAmbisonic = false
  /// Bits per second on average; nil for the codec's constant quality.
  public var bitRate: Int? = nil
  /// Bits that the encoder may spend in any one second; nil leaves that to it. Needs `bitRate`.
  public var peakBitRate: Int? = nil

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

  public subscript<Value>(dynamicMember property: WritableKeyPath<SceneSpecification, Value>) -> Value {
    get { scene[keyPath: property] }
    set { scene[keyPath: property] = newValue }
  }

  public subscript<Value>(dynamicMember property: KeyPath<SceneSpecification, Value>) -> Value {
    scene[keyPath: property]
  }
}

extension ClipSpecification {
  /// FFmpeg's name of the pixel format.
  var pixelFormatName: String { "yuv\(scene.chroma.rawValue)p" + (scene.bitDepth > 8 ? "\(scene.bitDepth)le" : "") }

  /// Ticks of the encoder's clock in a frame period.
  var ticksPerFrame: Int { isVariableRate ? 10 : 1 }

  /// Frame `number`'s time stamp in ticks of 1 ⁄ (rate × `ticksPerFrame`) seconds. The first one is exactly zero.
  func timestamp(of number: Int) -> Int64 {
    guard isVariableRate, number > 0 else { return Int64(number * ticksPerFrame) }
    var random = SplitMix64(seed: scene.seed ^ UInt64(number) &* 0xD1B5_4A32_D192_ED03)
    return Int64(number * ticksPerFrame) + Int64(random.next() % 7) - 3
  }
}

extension ClipSpecification {
  /// Throws `Failure` of kind `.usage` for the first invalid property. Whether an encoder supports the combination is
  /// known only when the clip is generated.
  public func validate() throws {
    try requireForClip(
      Self.codecNames.contains(codec), "no codec is called '\(codec)'", "use one of \(list(Self.codecNames))")
    try scene.validate()
    try requireForClip(
      !isAmbisonic || hasAudio && scene.projection == .equirectangular,
      "ambisonic sound was asked for a picture without directions",
      "use it with audio and an equirectangular picture")
    try requireForClip((1...100_000).contains(gop), "the GOP length is \(gop)", "use 1 to 100000 frames")
    try requireForClip((0...16).contains(bFrames), "\(bFrames) B-frames in a row were asked for", "use 0 to 16")
    if let bitRate {
      try requireForClip(
        (1000...2_000_000_000).contains(bitRate), "the bit rate is \(bitRate) bit/s", "use 1000 to 2000000000")
    }
    if let peakBitRate {
      try requireForClip(
        bitRate.map { $0 <= peakBitRate && peakBitRate <= 2_000_000_000 } ?? false,
        "the peak bit rate is \(peakBitRate) bit/s",
        "use at least the bit rate")
    }
  }
}

/// `a, b, c`
func list(_ names: [String]) -> String {
  names.joined(separator: ", ")
}
