import Run
import Verdict

/// The scenarios as `run --help` and `run --list-scenarios` print them.
enum ScenarioList {
  private static let width = (Scenario.runnable.map(\.name.count).max() ?? 0) + 2

  /// `  decode       decode only, unpaced, …`, a line each.
  static var scenarios: String {
    Scenario.runnable.map { "  " + filled($0.name) + $0.summary }.joined(separator: "\n")
  }

  /// Each scenario with its variants, a line each; variants that run where none is named are marked.
  static var text: String {
    Scenario.runnable.map { scenario in
      let names = scenario.variants.compactMap { $0 }
      let lines = names.map { name in
        "  \(scenario.name)/\(name)" + (scenario.usualVariants.contains(name) ? " *" : "")
      }
      return ([filled(scenario.name) + scenario.summary] + lines).joined(separator: "\n")
    }.joined(separator: "\n") + "\n\n* runs where the scenario is named without a variant"
  }

  private static func filled(_ name: String) -> String {
    name + String(repeating: " ", count: width - name.count)
  }
}
