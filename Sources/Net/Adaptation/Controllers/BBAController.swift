extension ControllerRow {
  static let bba = ControllerRow(
    name: "bba", summary: "BBA-0: the buffer alone, mapped linearly to the bitrate", takesNumber: false
  ) { BBAController($0.table, maximumBuffer: $0.maximumBuffer) }
}

/// BBA-0: the buffer alone decides, through a linear map from buffer to bitrate; a rung is kept until the map passes the next one.
///
/// Huang, Johari, McKeown, Trunnell and Watson, "A Buffer-Based Approach to Rate Adaptation", SIGCOMM 2014, Algorithm 1. The paper's buffer of
/// 240 s has a reservoir of 90 s, and the map ends at 90 %. Here both are the same shares of the longest buffer that a decision
/// can find: a segment less than the player's maximum.
public struct BBAController: AdaptationController {
  static let reservoirShare = 90.0 / 240
  static let upperShare = 0.9

  /// Below it the lowest rung, s.
  private let reservoir: Double
  /// From it on the highest rung, s.
  private let upper: Double

  /// - Parameter maximumBuffer: s.
  public init(_ table: RungTable, maximumBuffer: Double) {
    let longest = max(maximumBuffer - table.segmentSeconds, table.segmentSeconds / 10)
    (reservoir, upper) = (longest * Self.reservoirShare, longest * Self.upperShare)
  }

  public func decide(_ situation: Situation) -> RungDecision {
    let (rates, level, previous) = (situation.table.bitrates, situation.buffer, situation.previousRung)
    let highest = rates.count - 1
    if level <= reservoir { return RungDecision(rung: 0) }
    if level >= upper { return RungDecision(rung: highest) }
    let mapped = rates[0] + (rates[highest] - rates[0]) * (level - reservoir) / (upper - reservoir)
    if mapped >= rates[min(previous + 1, highest)] {
      return RungDecision(rung: rates.lastIndex { $0 < mapped } ?? 0)
    }
    if mapped <= rates[max(previous - 1, 0)] {
      return RungDecision(rung: rates.firstIndex { $0 > mapped } ?? highest)
    }
    return RungDecision(rung: previous)
  }
}
