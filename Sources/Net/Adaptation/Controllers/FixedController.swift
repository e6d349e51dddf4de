extension ControllerRow {
  static let fixed = ControllerRow(
    name: "fixed", summary: "rung N, counted from 0", takesNumber: true
  ) { FixedController(rung: $0.number) }

  static let lowest = ControllerRow(name: "lowest", summary: "the lowest rung", takesNumber: false) { _ in
    FixedController(rung: 0)
  }
}

/// Always the same rung.
public struct FixedController: AdaptationController {
  private let rung: Int

  public init(rung: Int) {
    self.rung = rung
  }

  public func firstRung(usual: Int) -> Int { rung }

  public func decide(_ situation: Situation) -> RungDecision { RungDecision(rung: rung) }
}
