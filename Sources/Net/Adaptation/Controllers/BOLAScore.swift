import FoundationEssentials
import Glibc

/// Utilities of rungs and BOLA's control parameters.
///
/// Spiteri, Urgaonkar and Sitaraman, "BOLA: Near-Optimal Bitrate Adaptation for Online Videos", INFOCOM 2016: each segment takes the rung
/// with the highest (V (υ + γp) − Q) ÷ S, with the utility υ = ln(S ÷ S of the lowest). Here V and Q are in media time instead of
/// segments, and S is the rung's bitrate, as in sabre.
///
/// Times are in ms and bitrates in kbit/s, unlike elsewhere: BOLA-E cuts its placeholder to the buffer where two scores are equal, and
/// rounding decides between them. In sabre's units it decides as in sabre.
package struct BOLAScore: Sendable {
  /// kbit/s
  let bitrates: [Double]
  let utilities: [Double]
  /// γp: how much rebuffering costs against utility.
  var gammaP: Double
  /// V, ms.
  var control: Double

  /// - Parameters:
  ///   - lowestUtility: of rung 0.
  ///   - control: ms
  package init(_ table: RungTable, lowestUtility: Double, gammaP: Double, control: Double) {
    bitrates = table.bitrates.map { $0 / 1000 }
    utilities = Self.utilities(table, lowest: lowestUtility)
    (self.gammaP, self.control) = (gammaP, control)
  }

  static func utilities(_ table: RungTable, lowest: Double) -> [Double] {
    let offset = lowest - log(table.bitrates[0] / 1000)
    return table.bitrates.map { log($0 / 1000) + offset }
  }

  /// The rung with the highest score at a buffer of `level` ms; of several, the lowest.
  package func rung(at level: Double) -> Int {
    var (best, highest) = (0, -Double.infinity)
    for rung in bitrates.indices {
      let score = surplus(rung, at: level) / bitrates[rung]
      if score > highest { (best, highest) = (rung, score) }
    }
    return best
  }

  /// V (υ + γp) − Q, ms: negative where waiting is better than loading.
  func surplus(_ rung: Int, at level: Double) -> Double { highestBuffer(of: rung) - level }

  /// Above this buffer the rung is worth no download, ms.
  package func highestBuffer(of rung: Int) -> Double { control * (gammaP + utilities[rung]) }

  /// From this buffer on the rung beats all lower ones, ms: where its score equals another's.
  package func lowestBuffer(of rung: Int) -> Double {
    (0..<rung).reduce(0) { level, lower in
      guard utilities[lower] < utilities[rung] else { return level }
      let (rate, lowerRate) = (bitrates[rung], bitrates[lower])
      let crossing = (rate * utilities[lower] - lowerRate * utilities[rung]) / (rate - lowerRate)
      return max(level, control * (gammaP + crossing))
    }
  }
}
