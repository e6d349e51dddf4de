extension ComparisonFormat {
  /// JUnit XML as CI systems read it: one test case per gated metric; a regression is a failure, an undecided metric is
  /// skipped, a wrong picture is an error.
  public static let junit = ComparisonFormat("junit", "JUnit XML for CI systems") { comparison, _ in
    let cases = comparison.results.filter { $0.verdict != nil }.map(testCase) + comparison.incorrect.map(testCase)
    func count(_ outcome: Outcome) -> Int { comparison.results.filter { $0.verdict == outcome }.count }
    let counts =
      #"tests="\#(cases.count)" failures="\#(count(.regression))" errors="\#(comparison.incorrect.count)" "#
      + #"skipped="\#(count(.inconclusive))""#
    let lines =
      [
        #"<?xml version="1.0" encoding="UTF-8"?>"#, #"<testsuites name="bench360" \#(counts)>"#,
        #"  <testsuite name="bench360" timestamp="\#(comparison.created.replacing("Z", with: ""))" \#(counts)>"#,
      ] + cases + [
        "    <system-out>\(xmlEscaped(comparison.sentence))</system-out>", "  </testsuite>", "</testsuites>",
      ]
    return lines.map { $0 + "\n" }.joined()
  }

  private static func testCase(_ result: MetricComparison) -> String {
    let name = [result.variant, result.metric].compactMap { $0 }.joined(separator: "/")
    let opening =
      #"    <testcase classname="\#(xmlEscaped("\(result.input).\(result.scenario)"))" name="\#(xmlEscaped(name))""#
    let why = xmlEscaped(result.why)
    switch result.verdict {
    case .regression: return opening + #"><failure type="regression" message="\#(why)"/></testcase>"#
    case .inconclusive: return opening + #"><skipped message="\#(why)"/></testcase>"#
    default: return opening + "><system-out>\(why)</system-out></testcase>"
    }
  }

  private static func testCase(_ incorrect: Comparison.Incorrect) -> String {
    let place = xmlEscaped("\(incorrect.input).\(incorrect.scenario)")
    let message = "\(incorrect.counter) is \(incorrect.count) in \(incorrect.side), it must be 0"
    return #"    <testcase classname="\#(place)" name="\#(xmlEscaped(incorrect.counter)) of \#(incorrect.side)">"#
      + #"<error type="incorrect" message="\#(message)"/></testcase>"#
  }
}
