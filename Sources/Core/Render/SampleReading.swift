import Frames

/// The properties of a picture's samples and colours that a shader is compiled for.
struct SampleReading: Hashable, Sendable {
  /// Where Cb and Cr are, as `Shaders/view.glsl` has it.
  enum ChromaLayout: UInt32 { case planar, interleaved, missing }

  var chroma: ChromaLayout
  /// Compute shaders read chroma once for a block of 2 × 2 pixels, unless the picture has more of it.
  var isChromaPerPixel: Bool
  var transfer: TransferFunction

  init(_ format: PictureFormat, _ conversion: ColorConversion) {
    chroma = format.isGrey ? .missing : format.isChromaInterleaved ? .interleaved : .planar
    isChromaPerPixel = !format.isSubsampledBothWays
    transfer = conversion.transfer
  }
}

extension PictureFormat {
  /// Pixels of a view, in both directions, that compute shading gives one and the same chroma.
  public var computeChromaBlock: Int { isSubsampledBothWays ? 2 : 1 }
}
