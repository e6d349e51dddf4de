/// The linear quality of experience of Pensieve (Mao, Netravali and Alizadeh, SIGCOMM 2017), `qoe_lin`: what a controller plans for, and
/// what a session is judged by.
public enum LinearQuality {
  /// What a second of rebuffering costs, in Mbit/s of a segment.
  public static let rebufferPenalty = 4.3

  /// Σ Mbit/s − 4.3 × rebuffering in s − Σ |change in Mbit/s|, over the segments.
  ///
  /// - Parameter bitrates: of the segments as they are shown, bit/s.
  public static func value(of bitrates: [Double], rebufferSeconds: Double) -> Double {
    let sum = bitrates.reduce(0) { $0 + $1 / 1e6 }
    let changes = zip(bitrates, bitrates.dropFirst()).reduce(0) { $0 + abs($1.1 - $1.0) / 1e6 }
    return sum - rebufferPenalty * rebufferSeconds - changes
  }
}
