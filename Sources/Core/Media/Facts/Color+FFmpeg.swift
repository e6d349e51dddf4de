package import CFFmpeg
import Frames

/// What FFmpeg signals, with the usual guesses where it is silent; the guesses are named in the result, and so is what
/// is signalled but cannot be done.
package func colorDescription(
  matrix: AVColorSpace, range: AVColorRange, siting: AVChromaLocation, primaries: AVColorPrimaries,
  transfer: AVColorTransferCharacteristic, format: AVPixelFormat, size: PictureSize
) -> ColorDescription {
  let samples = SampleKind(format)
  var guessed: [ColorDescription.Property] = []
  var ignored: [String] = []
  func known<Value>(_ value: Value?, _ property: ColorDescription.Property, else guess: Value, said: String? = nil)
    -> Value
  {
    if let value { return value }
    guessed.append(property)
    if let said { ignored.append("\(property.rawValue) \(said)") }
    return guess
  }
  // R'G'B' is brought to full-range BT.709: that is no guess.
  let color = ColorDescription(
    matrix: known(
      samples.isRGB ? .bt709 : signalled(matrix), .matrix, else: ColorDescription.guessedMatrix(for: size),
      said: unusable(matrix)),
    range: known(samples.isRGB ? .full : signalled(range, format), .range, else: .limited),
    siting: known(
      samples.isSubsampled ? signalled(siting) : .left, .siting, else: .left,
      said: siting == AVCHROMA_LOC_UNSPECIFIED ? nil : string(av_chroma_location_name(siting))),
    primaries: known(named(primaries), .primaries, else: "bt709"),
    transfer: known(named(transfer), .transfer, else: "bt709"))
  guard !guessed.isEmpty else { return color }
  var result = color
  result.guessed = guessed
  result.ignored = ignored.isEmpty ? nil : ignored
  return result
}

/// What matters of a pixel format for its colours.
private struct SampleKind {
  var isRGB = false
  var isSubsampled = true

  init(_ format: AVPixelFormat) {
    guard let descriptor = av_pix_fmt_desc_get(format)?.pointee else { return }
    isRGB = isRGBFormat(descriptor)
    isSubsampled = !isRGB && descriptor.nb_components > 2 && descriptor.log2_chroma_w + descriptor.log2_chroma_h > 0
  }
}

private func signalled(_ matrix: AVColorSpace) -> ColorDescription.Matrix? {
  switch matrix {
  case AVCOL_SPC_BT709: .bt709
  case AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M: .bt601
  case AVCOL_SPC_BT2020_NCL: .bt2020
  case AVCOL_SPC_FCC: .fcc
  case AVCOL_SPC_SMPTE240M: .smpte240m
  default: nil
  }
}

/// The name of a matrix that is signalled but none of those above.
private func unusable(_ matrix: AVColorSpace) -> String? {
  matrix == AVCOL_SPC_UNSPECIFIED || matrix == AVCOL_SPC_RESERVED ? nil : string(av_color_space_name(matrix))
}

private func signalled(_ range: AVColorRange, _ format: AVPixelFormat) -> ColorDescription.Range? {
  if isFullRangeFormat(format) { return .full }
  return switch range {
  case AVCOL_RANGE_MPEG: .limited
  case AVCOL_RANGE_JPEG: .full
  default: nil
  }
}

private func signalled(_ siting: AVChromaLocation) -> ColorDescription.ChromaSiting? {
  switch siting {
  case AVCHROMA_LOC_LEFT: .left
  case AVCHROMA_LOC_CENTER: .center
  case AVCHROMA_LOC_TOPLEFT: .topLeft
  default: nil
  }
}

private func named(_ primaries: AVColorPrimaries) -> String? {
  primaries == AVCOL_PRI_UNSPECIFIED ? nil : string(av_color_primaries_name(primaries))
}

private func named(_ transfer: AVColorTransferCharacteristic) -> String? {
  transfer == AVCOL_TRC_UNSPECIFIED ? nil : string(av_color_transfer_name(transfer))
}

/// FFmpeg's deprecated `yuvj` formats: plain formats that mean full range.
private func isFullRangeFormat(_ format: AVPixelFormat) -> Bool {
  [AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUVJ440P].contains(format)
}

/// Palettes, Bayer patterns and X'Y'Z', too, become R'G'B' inside libswscale.
package func isRGBFormat(_ descriptor: AVPixFmtDescriptor) -> Bool {
  let flags = UInt64(AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BAYER)
  return descriptor.flags & flags != 0 || string(descriptor.name)?.hasPrefix("xyz") ?? false
}
