import Frames

extension ClipSpecification {
  /// Throws `Failure` of kind `.usage` for the first property that makes no sense. Whether an encoder can do the rest is
  /// known only when the clip is made.
  public func validate() throws {
    try require(Self.codecNames.contains(codec), "no codec is called '\(codec)'", "use one of \(list(Self.codecNames))")
    try validateSize()
    try require(
      rate.value.map { (1...1000).contains($0) } ?? false && rate.numerator <= 1_000_000,
      "the frame rate is \(rate)", "use 1 to 1000 frames per second")
    try require(
      (1...FrameCode.capacity).contains(frames), "it would have \(frames) frames", "use 1 to \(FrameCode.capacity)")
    try require((1...100_000).contains(gop), "the GOP length is \(gop)", "use 1 to 100000 frames")
    try require((0...16).contains(bFrames), "\(bFrames) B-frames in a row were asked for", "use 0 to 16")
    try require([8, 10, 12].contains(bitDepth), "the bit depth is \(bitDepth)", "use 8, 10 or 12")
    try require((0...64).contains(noise), "the noise amplitude is \(noise)", "use 0 to 64 code values")
    if let bitRate {
      try require(
        (1000...2_000_000_000).contains(bitRate), "the bit rate is \(bitRate) bit/s", "use 1000 to 2000000000")
    }
  }

  private func validateSize() throws {
    let sides = 16...16384
    try require(
      sides.contains(size.width) && sides.contains(size.height), "the picture size is \(size)",
      "use 16 to 16384 on each side")
    let eye = eyeSize
    let multiple = PictureSize(
      width: (stereo == .sideBySide ? 2 : 1) << chromaShift.horizontal,
      height: (stereo == .topBottom ? 2 : 1) << chromaShift.vertical)
    try require(
      size.width % multiple.width == 0 && size.height % multiple.height == 0,
      "\(size) with 4:\(chroma.rawValue.dropFirst().map(String.init).joined(separator: ":"))"
        + " chroma and \(stereo.rawValue) stereo does not divide evenly",
      "use a multiple of \(multiple)")
    try require(eye.width >= 8 && eye.height >= 8, "an eye's picture would be \(eye)", "use a larger size")
  }

  private func require(_ isFine: Bool, _ cause: String, _ remedy: String) throws {
    guard isFine else { throw Failure(.usage, "cannot generate this clip", cause: cause, remedy: remedy) }
  }
}

/// `a, b, c`
func list(_ names: [String]) -> String {
  names.joined(separator: ", ")
}
