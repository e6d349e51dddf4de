import Frames

/// From stored samples to R'G'B', both as fractions of full scale: `rgb = rows · (Y, Cb, Cr) + offset`.
///
/// ITU-R BT.601, BT.709, BT.2020 (non-constant luminance), FCC and SMPTE 240M, Kr and Kb as in ITU-T H.273:
/// R' = Y' + 2(1 − Kr)·Pr, B' = Y' + 2(1 − Kb)·Pb, G' = (Y' − Kr·R' − Kb·B') / (1 − Kr − Kb); limited range has Y' in
/// 16…235 and Cb, Cr in 16…240, scaled by 2^(n−8).
public struct YCbCrMatrix: Sendable, Hashable {
  public var red: Vector3
  public var green: Vector3
  public var blue: Vector3
  /// Added to red, green, blue.
  public var offset: Vector3

  /// - Parameter format: where samples sit in what a texture reads, and whether there is chroma at all.
  public init(_ color: ColorDescription, format: PictureFormat) {
    self.init(color, bitDepth: format.bitDepth, hasChroma: !format.isGrey)
    let scale = 1 / format.fullScale
    (red, green, blue) = (scale * red, scale * green, scale * blue)
  }

  /// From fractions of the greatest sample of `bitDepth` bits.
  public init(_ color: ColorDescription, bitDepth: Int, hasChroma: Bool = true) {
    let (kr, kb) = YCbCrMatrix.weights(color.matrix)
    let kg = 1 - kr - kb
    let full = Double((1 << bitDepth) - 1)
    let step = Double(1 << (bitDepth - 8))
    let isLimited = color.range == .limited
    let lumaScale = isLimited ? full / (219 * step) : 1
    let chromaScale = !hasChroma ? 0 : isLimited ? full / (224 * step) : 1
    let black = isLimited ? 16 * step / full : 0
    let middle = 128 * step / full

    let redOfCr = 2 * (1 - kr) * chromaScale
    let blueOfCb = 2 * (1 - kb) * chromaScale
    let greenOfCb = -2 * kb * (1 - kb) / kg * chromaScale
    let greenOfCr = -2 * kr * (1 - kr) / kg * chromaScale
    red = Vector3(lumaScale, 0, redOfCr)
    green = Vector3(lumaScale, greenOfCb, greenOfCr)
    blue = Vector3(lumaScale, blueOfCb, 0)
    let base = -lumaScale * black
    offset = Vector3(
      base - redOfCr * middle, base - (greenOfCb + greenOfCr) * middle, base - blueOfCb * middle)
  }

  /// Kr and Kb.
  public static func weights(_ matrix: ColorDescription.Matrix) -> (kr: Double, kb: Double) {
    switch matrix {
    case .bt601: (0.299, 0.114)
    case .bt709: (0.2126, 0.0722)
    case .bt2020: (0.2627, 0.0593)
    case .fcc: (0.30, 0.11)
    case .smpte240m: (0.212, 0.087)
    }
  }
}
