internal import CFFmpeg
import Frames

/// What FFmpeg signals, with the usual guesses where it is silent; the guesses are named in the result.
func colorDescription(
  matrix: AVColorSpace, range: AVColorRange, siting: AVChromaLocation, primaries: AVColorPrimaries,
  transfer: AVColorTransferCharacteristic, format: AVPixelFormat, size: PictureSize
) -> ColorDescription {
  var guessed: [ColorDescription.Property] = []
  func known<Value>(_ value: Value?, _ property: ColorDescription.Property, else guess: Value) -> Value {
    if let value { return value }
    guessed.append(property)
    return guess
  }
  return ColorDescription(
    matrix: known(signalled(matrix), .matrix, else: ColorDescription.guessedMatrix(for: size)),
    range: known(signalled(range, format), .range, else: .limited),
    siting: known(signalled(siting), .siting, else: .left),
    primaries: known(named(primaries), .primaries, else: "bt709"),
    transfer: known(named(transfer), .transfer, else: "bt709"),
    guessed: guessed)
}

private func signalled(_ matrix: AVColorSpace) -> ColorDescription.Matrix? {
  switch matrix {
  case AVCOL_SPC_BT709: .bt709
  case AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M, AVCOL_SPC_FCC: .bt601
  case AVCOL_SPC_BT2020_NCL: .bt2020
  default: nil
  }
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
func isFullRangeFormat(_ format: AVPixelFormat) -> Bool {
  [AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUVJ440P].contains(format)
}

/// The format that shaders read, when they can read this one as it is.
func directFormat(_ format: AVPixelFormat) -> PictureFormat? {
  switch format {
  case AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVJ420P: .yuv420p
  case AV_PIX_FMT_NV12: .nv12
  default: nil
  }
}

extension ColorDescription {
  /// libswscale's coefficients for this matrix.
  var swscaleCoefficients: UnsafePointer<Int32>? {
    let space =
      switch matrix {
      case .bt601: SWS_CS_ITU601
      case .bt709: SWS_CS_ITU709
      case .bt2020: SWS_CS_BT2020
      }
    return sws_getCoefficients(space)
  }
}
