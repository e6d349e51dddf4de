import Frames

/// All that decides the pictures of a synthetic clip: equal specifications draw equal frames on every machine.
public struct SceneSpecification: Hashable, Sendable, Codable {
  /// Chroma subsampling, as `generate --chroma` names it.
  public enum Chroma: String, Sendable, Codable, CaseIterable {
    case yuv420 = "420"
    case yuv422 = "422"
    case yuv444 = "444"
  }

  /// Of the whole picture; with stereo both eyes share it.
  public var size = PictureSize(width: 3840, height: 1920)
  /// Nominal frames per second.
  public var rate = Ratio(30, 1)
  public var frames = 300
  /// 8, 10 or 12.
  public var bitDepth = 8
  public var chroma = Chroma.yuv420
  /// Largest change of a luma sample by noise, in 8-bit code values, 0 … 64.
  public var noise = 4
  public var matrix = ColorDescription.Matrix.bt709
  public var range = ColorDescription.Range.limited
  public var projection = SyntheticTag.Projection.equirectangular
  public var stereo = StereoLayout.mono
  /// Of the scene's noise and stray time stamps.
  public var seed: UInt64 = 360
  /// The rung of a ladder, one of `FrameCode.rungs`, that each frame shows beside its number; nil shows the number alone.
  public var rung: Int?
  /// Frames from one flash to the next, the first of which is frame 0 (see `SceneFlash`); nil: the picture does not flash.
  public var flashPeriod: Int?

  /// The built-in clip's pictures.
  public init() {}

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
    SyntheticTag(rate: rate, frames: frames, seed: seed, projection: projection, stereo: stereo, rung: rung)
  }
}

extension SceneSpecification {
  var eyeCount: Int { stereo == .mono ? 1 : 2 }

  var eyeSize: PictureSize {
    PictureSize(
      width: stereo == .sideBySide ? size.width / 2 : size.width,
      height: stereo == .topBottom ? size.height / 2 : size.height)
  }

  /// How many halvings lie between luma and chroma.
  package var chromaShift: (horizontal: Int, vertical: Int) {
    switch chroma {
    case .yuv420: (1, 1)
    case .yuv422: (1, 0)
    case .yuv444: (0, 0)
    }
  }
}

extension SceneSpecification {
  /// Throws `Failure` of kind `.usage` for the first property that makes no sense.
  public func validate() throws {
    try validateSize()
    try requireForClip(
      rate.value.map { (1...1000).contains($0) } ?? false && rate.numerator <= 1_000_000,
      "the frame rate is \(rate)", "use 1 to 1000 frames per second")
    let capacity = rung == nil ? FrameCode.capacity : FrameCode.ladderCapacity
    try requireForClip(
      ClosedRange(from: 1, through: capacity).contains(frames), "it would have \(frames) frames", "use 1 to \(capacity)"
    )
    try requireForClip(
      rung.map(FrameCode.rungs.contains) ?? true, "the rung is \(rung ?? 0)",
      "use \(FrameCode.rungs.lowerBound) to \(FrameCode.rungs.upperBound - 1)")
    try requireForClip(
      flashPeriod.map { $0 >= 1 } ?? true, "it would flash every \(flashPeriod ?? 0) frames", "use 1 or more")
    try requireForClip([8, 10, 12].contains(bitDepth), "the bit depth is \(bitDepth)", "use 8, 10 or 12")
    try requireForClip((0...64).contains(noise), "the noise amplitude is \(noise)", "use 0 to 64 code values")
  }

  private func validateSize() throws {
    let sides = 16...16384
    try requireForClip(
      sides.contains(size.width) && sides.contains(size.height), "the picture size is \(size)",
      "use 16 to 16384 on each side")
    let eye = eyeSize
    let multiple = PictureSize(
      width: (stereo == .sideBySide ? 2 : 1) << chromaShift.horizontal,
      height: (stereo == .topBottom ? 2 : 1) << chromaShift.vertical)
    try requireForClip(
      size.width % multiple.width == 0 && size.height % multiple.height == 0,
      "\(size) with 4:\(chroma.rawValue.dropFirst().map(String.init).joined(separator: ":"))"
        + " chroma and \(stereo.rawValue) stereo does not divide evenly",
      "use a multiple of \(multiple)")
    try requireForClip(eye.width >= 8 && eye.height >= 8, "an eye's picture would be \(eye)", "use a larger size")
  }
}

/// Throws `Failure` of kind `.usage` unless `isFine`.
package func requireForClip(_ isFine: Bool, _ cause: String, _ remedy: String) throws {
  guard isFine else { throw Failure(.usage, "cannot generate this clip", cause: cause, remedy: remedy) }
}
