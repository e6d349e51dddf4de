import Frames
import Glibc

/// The conversion of R'G'B' after the matrix for a display of BT.709 primaries, BT.1886 gamma and 100 cd/m².
///
/// - SDR of BT.709 primaries: nothing. Other SDR transfers are shown as they are, too: every player does that, and grey
///   steps then look the same in all. Only `linear`, which no display expects, is encoded for one.
/// - SDR of other primaries: to light by the signalled transfer, to BT.709 by a matrix, clipped, and back by the same
///   transfer: greys keep their values.
/// - PQ and HLG: to light, HLG through its OOTF for 1000 cd/m² (BT.2100, gamma 1.2), clipped at the peak, tone-mapped in
///   BT.2020 by `ToneMapping`, to BT.709, clipped, encoded with gamma 2.4.
public struct ColorConversion: Sendable, Hashable {
  public let transfer: TransferFunction
  let gamma: Double
  let toneMapping: ToneMapping
  /// Linear light of the source to the primaries in which tones are mapped.
  let toWorking: Matrix3
  /// From there to the display's primaries.
  let toDisplay: Matrix3
  /// What the conversion is for.
  public let source: ColorDescription

  /// Mastering displays mostly reach this; HLG's own reference display does.
  static let usualPeak = 1000.0

  public init(_ color: ColorDescription) {
    source = color
    let (signalled, gamma) = TransferFunction.named(color.transfer)
    let primaries = Primaries.named(color.primaries) ?? .bt709
    let isNeeded = signalled.isHDR || signalled == .linear || signalled != .unknown && primaries != .bt709
    transfer = isNeeded ? signalled : .unknown
    self.gamma = gamma
    let isAbsolute = signalled == .perceptualQuantizer
    toneMapping = ToneMapping(peakNits: isAbsolute ? color.peakNits ?? Self.usualPeak : Self.usualPeak)
    toWorking = signalled.isHDR ? primaries.matrix(to: .bt2020) : .identity
    toDisplay = signalled.isHDR ? Primaries.bt2020.matrix(to: .bt709) : primaries.matrix(to: .bt709)
  }

  /// Values are shown as the matrix gives them.
  public var isIdentity: Bool { transfer == .unknown }

  /// R'G'B' for the display, in 0 … 1, of R'G'B' as the matrix gives it.
  public func apply(_ color: Vector3) -> Vector3 {
    if isIdentity { return color.clipped }
    let light = color.clipped.map { transfer.decode($0, gamma: gamma) }
    return (toDisplay * displayed(light)).clipped.map { transfer.encode($0, gamma: gamma) }
  }

  /// Light of the source to light of the display, both linear, in the primaries before `toDisplay`.
  private func displayed(_ light: Vector3) -> Vector3 {
    switch transfer {
    case .perceptualQuantizer:
      toneMapping.map((toWorking * (10_000 / toneMapping.peakNits * light)).clipped)
    case .hybridLogGamma: toneMapping.map(Self.sceneToDisplay(toWorking * light).clipped)
    default: light
    }
  }

  /// HLG's OOTF, 1 being 1000 cd/m² (ITU-R BT.2100-2, table 5).
  static func sceneToDisplay(_ scene: Vector3) -> Vector3 {
    let luminance = max(ToneMapping.weights.dot(scene), 0)
    return pow(luminance, 0.2) * scene
  }
}

extension ColorConversion: CustomStringConvertible {
  /// The conversion as text: `PQ (1000 cd/m²) tone-mapped by BT.2446 A, primaries bt2020 converted to bt709`.
  public var description: String {
    let isConverted = !isIdentity && Primaries.named(source.primaries) != nil
    let fate = isConverted ? "converted to" : "shown as"
    let primaries = source.primaries == "bt709" ? nil : "primaries \(source.primaries) \(fate) bt709"
    return [tones, primaries].compactMap { $0 }.joined(separator: ", ")
  }

  private var tones: String {
    switch transfer {
    case .perceptualQuantizer: "PQ (\(Int(toneMapping.peakNits.rounded())) cd/m²) tone-mapped by BT.2446 A"
    case .hybridLogGamma: "HLG (\(Int(toneMapping.peakNits)) cd/m²) tone-mapped by BT.2446 A"
    case .linear: "linear light encoded with gamma 2.4"
    case .unknown, .power, .sRGB: "transfer \(source.transfer) shown as it is"
    }
  }
}

extension Vector3 {
  /// Each in 0 … 1.
  var clipped: Vector3 { map { min(max($0, 0), 1) } }

  func map(_ change: (Double) -> Double) -> Vector3 { Vector3(change(x), change(y), change(z)) }
}
