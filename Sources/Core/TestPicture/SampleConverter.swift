import Frames

/// R'G'B' to the code values of one specification (ITU-R BT.601, BT.709, BT.2020 non-constant luminance, FCC, SMPTE 240M).
struct SampleConverter: Sendable {
  private let kr: Float
  private let kb: Float
  private let lumaScale: Float
  private let lumaOffset: Float
  private let chromaScale: Float
  /// Code value of no colour.
  let neutral: Int
  /// Largest code value.
  let maximum: Int
  private let bitDepth: Int

  init(matrix: ColorDescription.Matrix, range: ColorDescription.Range, bitDepth: Int) {
    (kr, kb) =
      switch matrix {
      case .bt601: (0.299, 0.114)
      case .bt709: (0.2126, 0.0722)
      case .bt2020: (0.2627, 0.0593)
      case .fcc: (0.30, 0.11)
      case .smpte240m: (0.212, 0.087)
      }
    let step = Float(1 << (bitDepth - 8))
    maximum = 1 << bitDepth - 1
    neutral = 128 << (bitDepth - 8)
    lumaScale = range == .limited ? 219 * step : Float(maximum)
    lumaOffset = range == .limited ? 16 * step : 0
    chromaScale = range == .limited ? 224 * step : Float(maximum)
    self.bitDepth = bitDepth
  }

  func luma(_ color: Color) -> Int {
    code(lumaOffset + lumaScale * brightness(color))
  }

  func chroma(_ color: Color) -> (blue: Int, red: Int) {
    let y = brightness(color)
    return (
      code(Float(neutral) + chromaScale * (color.z - y) / (2 - 2 * kb)),
      code(Float(neutral) + chromaScale * (color.x - y) / (2 - 2 * kr))
    )
  }

  /// An 8-bit code value at this depth.
  func deepened(_ value: UInt8) -> Int { Int(value) << (bitDepth - 8) }

  private func brightness(_ color: Color) -> Float {
    kr * color.x + (1 - kr - kb) * color.y + kb * color.z
  }

  private func code(_ value: Float) -> Int { min(max(Int(value + 0.5), 0), maximum) }
}
