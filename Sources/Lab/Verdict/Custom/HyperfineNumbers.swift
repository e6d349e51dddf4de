import FoundationEssentials

extension CustomFormat {
  /// `hyperfine --export-json`: a result's times; of several results each is a variant.
  static let hyperfine = CustomFormat(name: "hyperfine") { json in
    guard let export = try? JSONDecoder().decode(Export.self, from: json) else { return nil }
    let hasSeveral = export.results.count > 1
    return CustomRun(
      metrics: export.results.flatMap { result in
        func number(_ name: String, _ values: [Double?], isMain: Bool = false) -> CustomRun.Number? {
          let known = values.compactMap { $0 }
          guard !known.isEmpty else { return nil }
          return CustomRun.Number(
            scenario: "hyperfine", variant: hasSeveral ? result.command : nil, name: name, unit: "s", better: .low,
            values: known, isMain: isMain)
        }
        return [
          number("time", result.times ?? [result.mean], isMain: true), number("user", [result.user]),
          number("system", [result.system]),
        ].compactMap { $0 }
      })
  }

  private struct Export: Decodable {
    var results: [Result]
  }

  /// Seconds.
  private struct Result: Decodable {
    var command: String
    var mean: Double
    var times: [Double]?
    var user: Double?
    var system: Double?
  }
}
