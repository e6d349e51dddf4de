/// Judges a machine before a measurement: obstacles to `run`, sources of noise, and remedies.
public enum Doctor {
  /// One line of the list.
  public struct Finding: Sendable, Hashable, Codable {
    public enum Status: String, Sendable, Codable {
      case ok
      /// Worth knowing; spoils nothing by itself.
      case info
      /// Spoils numbers.
      case warning
      /// Makes `run` fail.
      case problem
    }

    /// Stable, for scripts. What noise rules find has their code.
    public var code: String
    public var status: Status
    public var text: String
    public var remedy: String?

    init(_ code: String, _ status: Status, _ text: String, remedy: String? = nil) {
      self.code = code
      self.status = status
      self.text = text
      self.remedy = remedy
    }
  }

  /// All findings from the facts, in a fixed order; unknown facts give none.
  package static func check(_ facts: DoctorFacts) -> [Finding] {
    graphics.compactMap { $0(facts) } + NoiseRules.all.compactMap { finding($0, facts.noise) }
      + timing.compactMap { $0(facts) } + extras.compactMap { $0(facts) }
  }

  private static func finding(_ rule: NoiseRule, _ evidence: NoiseEvidence) -> Finding? {
    switch NoiseRules.observe(rule, evidence) {
    case .spoils(let text): Finding(rule.code.rawValue, .warning, text, remedy: rule.remedy)
    case .fine(let text): text.map { Finding(rule.code.rawValue, .ok, $0) }
    case nil: nil
    }
  }

  /// The sentence that sums the findings up.
  public static func summary(_ findings: [Finding]) -> String {
    func codes(_ status: Finding.Status) -> [String] { findings.filter { $0.status == status }.map(\.code) }
    func things(_ codes: [String], _ verb: String, _ verbs: String) -> String {
      "\(codes.count) \(codes.count == 1 ? "thing \(verb)" : "things \(verbs)"): \(codes.joined(separator: ", "))"
    }
    let (problems, warnings) = (codes(.problem), codes(.warning))
    var parts: [String] = []
    if !problems.isEmpty { parts.append(things(problems, "makes 'run' fail", "make 'run' fail")) }
    if !warnings.isEmpty { parts.append(things(warnings, "will spoil numbers", "will spoil numbers")) }
    return parts.isEmpty ? "nothing seen here makes 'run' fail or spoils its numbers" : parts.joined(separator: "; ")
  }
}
