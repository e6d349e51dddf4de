import Glibc

/// HDR to SDR by ITU-R BT.2446-1, method A (section 4): light of a mastering display to that of a display of 100 cd/m².
public struct ToneMapping: Sendable, Hashable {
  /// L_HDR in cd/m².
  public let peakNits: Double
  /// ρ_HDR and ρ_SDR: 1 + 32 · (L / 10,000)^(1/2.4).
  public let hdrBase: Double
  public static let sdrBase = base(100)

  public init(peakNits: Double) {
    self.peakNits = peakNits
    hdrBase = ToneMapping.base(peakNits)
  }

  private static func base(_ nits: Double) -> Double { 1 + 32 * pow(nits / 10_000, 1 / 2.4) }

  /// Linear R, G, B of BT.2020, 1 being the peak of either display.
  public func map(_ light: Vector3) -> Vector3 {
    let root = Vector3(pow(light.x, 1 / 2.4), pow(light.y, 1 / 2.4), pow(light.z, 1 / 2.4))
    let luma = ToneMapping.weights.dot(root)
    guard luma > 1e-5 else { return Vector3(0, 0, 0) }
    let mapped = self.luma(luma)
    let share = mapped / (1.1 * luma)
    let blue = share * (root.z - luma) / 1.8814
    let red = share * (root.x - luma) / 1.4746
    let corrected = mapped - max(0.1 * red, 0)
    let (r, b) = (corrected + 1.4746 * red, corrected + 1.8814 * blue)
    let g = (corrected - ToneMapping.weights.x * r - ToneMapping.weights.z * b) / ToneMapping.weights.y
    func linear(_ value: Double) -> Double { pow(min(max(value, 0), 1), 2.4) }
    return Vector3(linear(r), linear(g), linear(b))
  }

  /// Y'_SDR of Y'_HDR: to a perceptual scale, along the curve with its knee, and back.
  public func luma(_ luma: Double) -> Double {
    let perceptual = log(1 + (hdrBase - 1) * luma) / log(hdrBase)
    return (pow(ToneMapping.sdrBase, ToneMapping.curve(perceptual)) - 1) / (ToneMapping.sdrBase - 1)
  }

  /// Y'_c of Y'_p.
  public static func curve(_ value: Double) -> Double {
    if value <= 0.7399 { return 1.0770 * value }
    if value < 0.9909 { return -1.1510 * value * value + 2.7811 * value - 0.6302 }
    return 0.5 * value + 0.5
  }

  /// Luma of BT.2020.
  static let weights = Vector3(0.2627, 0.6780, 0.0593)
}
