import Glibc

/// From R'G'B' code values to light and back. The raw values are those of `colorCurve` in `Shaders/view.glsl`.
public enum TransferFunction: UInt32, Sendable, Hashable, CaseIterable {
  /// Not known, or of no interest: values are shown as they are.
  case unknown
  /// A power: 2.4 for a display of ITU-R BT.1886, and what the name says for `bt470m` (2.2) and `bt470bg` (2.8).
  case power
  /// IEC 61966-2-1.
  case sRGB
  case linear
  /// SMPTE ST 2084, ITU-R BT.2100 table 4: absolute light.
  case perceptualQuantizer
  /// ARIB STD-B67, ITU-R BT.2100 table 5: light in front of the camera.
  case hybridLogGamma

  /// By FFmpeg's name, with the exponent of a power.
  ///
  /// Cameras' curves of BT.709, BT.601 and BT.2020 are meant for a display of BT.1886, which is what counts here.
  public static func named(_ name: String) -> (transfer: TransferFunction, gamma: Double) {
    switch name {
    case "bt709", "smpte170m", "smpte240m", "bt2020-10", "bt2020-12", "iec61966-2-4", "bt1361e": (.power, displayGamma)
    case "bt470m": (.power, 2.2)
    case "bt470bg": (.power, 2.8)
    case "smpte428": (.power, 2.6)
    case "iec61966-2-1": (.sRGB, displayGamma)
    case "linear": (.linear, displayGamma)
    case "smpte2084": (.perceptualQuantizer, displayGamma)
    case "arib-std-b67": (.hybridLogGamma, displayGamma)
    default: (.unknown, displayGamma)
    }
  }

  /// ITU-R BT.1886.
  public static let displayGamma = 2.4

  public var isHDR: Bool { self == .perceptualQuantizer || self == .hybridLogGamma }

  /// Light of a value in 0 … 1. For PQ in units of 10,000 cd/m², for HLG of the scene; else 1 is white.
  public func decode(_ value: Double, gamma: Double = displayGamma) -> Double {
    switch self {
    case .unknown, .linear: return value
    case .power: return pow(value, gamma)
    case .sRGB: return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    case .perceptualQuantizer:
      let root = pow(value, 1 / PQ.m2)
      return pow(max(root - PQ.c1, 0) / (PQ.c2 - PQ.c3 * root), 1 / PQ.m1)
    case .hybridLogGamma: return value <= 0.5 ? value * value / 3 : (exp((value - HLG.c) / HLG.a) + HLG.b) / 12
    }
  }

  /// The value for light in 0 … 1, as the display wants it: of SDR what `decode` was given. Not for HDR.
  public func encode(_ light: Double, gamma: Double = displayGamma) -> Double {
    switch self {
    case .unknown: light
    case .sRGB: light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
    case .power: pow(light, 1 / gamma)
    case .linear, .perceptualQuantizer, .hybridLogGamma: pow(light, 1 / TransferFunction.displayGamma)
    }
  }

  private enum PQ {
    static let m1 = 2610.0 / 16384
    static let m2 = 2523.0 / 4096 * 128
    static let c1 = 3424.0 / 4096
    static let c2 = 2413.0 / 4096 * 32
    static let c3 = 2392.0 / 4096 * 32
  }

  private enum HLG {
    static let a = 0.17883277
    static let b = 1 - 4 * a
    static let c = 0.5 - a * log(4 * a)
  }
}
