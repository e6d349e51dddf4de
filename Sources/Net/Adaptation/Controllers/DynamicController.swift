extension ControllerRow {
  static let dynamic = ControllerRow(
    name: "dynamic", summary: "by the throughput while the buffer is short, then BOLA", takesNumber: false
  ) { DynamicController($0.table, maximumBuffer: $0.maximumBuffer) }
}

/// The throughput rule while the buffer is short, and BOLA once it is long: sabre's `Dynamic`.
///
/// Spiteri, Sitaraman and Sparacio, MMSys 2018: the rule DYNAMIC. BOLA takes over at 10 s if its rung is not the lower one, and gives
/// back below 10 s if it is. Downloads are abandoned by the throughput rule.
public struct DynamicController: AdaptationController {
  /// s
  static let threshold = 10.0

  private var bola: BOLAFiniteController
  private var throughput = ThroughputController()
  private var usesBOLA = false

  /// - Parameter maximumBuffer: s.
  public init(_ table: RungTable, maximumBuffer: Double) {
    bola = BOLAFiniteController(table, maximumBuffer: maximumBuffer)
  }

  public mutating func decide(_ situation: Situation) -> RungDecision {
    // Both follow each segment, whichever is used.
    let (byBuffer, byThroughput) = (bola.decide(situation), throughput.decide(situation))
    let isLower = byBuffer.rung < byThroughput.rung
    if usesBOLA {
      if situation.buffer < Self.threshold, isLower { usesBOLA = false }
    } else if situation.buffer > Self.threshold, !isLower {
      usesBOLA = true
    }
    return usesBOLA ? byBuffer : byThroughput
  }

  public var abandonsDownloads: Bool { true }

  public func abandonment(of download: SegmentDownload, _ situation: Situation) -> Int? {
    throughput.abandonment(of: download, situation)
  }

  public mutating func sought(to segment: Int) { bola.sought(to: segment) }
}
