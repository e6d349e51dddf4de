import Verdict

/// A source of noise, how it is detected, and the remedy.
package struct NoiseRule: Sendable {
  /// What a rule sees.
  package enum Observation: Sendable, Hashable {
    /// Nothing is wrong; a text where that is worth telling.
    case fine(String?)
    case spoils(String)
  }

  /// What a rule needs to see.
  package enum Need: Sendable {
    case before
    /// What changed from before to after.
    case difference
  }

  /// Stable, for scripts: the code of the record's warning.
  package let code: WarningCode
  package let need: Need
  package let remedy: String
  /// Nil: it cannot be told here.
  package let look: @Sendable (NoiseEvidence) -> Observation?
}

/// The evidence of noise: two snapshots, and the run's device.
package struct NoiseEvidence: Sendable {
  package enum Renderer: Sendable { case gpu, cpu }

  package var before: NoiseSnapshot
  package var after: NoiseSnapshot?
  /// Nil when nothing is rendered.
  package var renderer: Renderer?

  package init(before: NoiseSnapshot, after: NoiseSnapshot?, renderer: Renderer?) {
    self.before = before
    self.after = after
    self.renderer = renderer
  }

  /// Seconds between the two instants; nil when they are none.
  var seconds: Double? {
    after.map { $0.instant.seconds(since: before.instant) }.flatMap { $0 > 0 ? $0 : nil }
  }

  /// How much a value that only grows has grown; nil when unknown at either instant, or when it was reset between.
  func growth(_ value: (NoiseSnapshot) -> Double?) -> Double? {
    guard let after, let first = value(before), let last = value(after), last >= first else { return nil }
    return last - first
  }
}

/// The table of all rules. The codes are described in `results/README.md`.
package enum NoiseRules {
  package static let all = before + difference

  /// The warnings of all rules that match, in the table's order. Rules that compare need a second instant.
  package static func warnings(_ evidence: NoiseEvidence) -> [Record.Warning] {
    all.compactMap { rule in
      guard case .spoils(let text)? = observe(rule, evidence) else { return nil }
      return Record.Warning(code: rule.code, text: text, remedy: rule.remedy)
    }
  }

  static func observe(_ rule: NoiseRule, _ evidence: NoiseEvidence) -> NoiseRule.Observation? {
    rule.need == .difference && evidence.after == nil ? nil : rule.look(evidence)
  }
}
