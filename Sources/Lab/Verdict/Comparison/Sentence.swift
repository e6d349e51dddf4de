import FoundationEssentials
import Frames

/// What the numbers of one side are, one each.
enum ComparedValues: String {
  /// Of interleaved commands.
  case runs
  /// Of records.
  case trials
}

extension MetricComparison {
  /// The reason for a verdict, with its numbers; empty for a metric that is not gated.
  ///
  /// `reason` is nil for a gated metric that could not be tested because base and head are from different sessions.
  func sentence(_ reason: Reason?, of values: ComparedValues, alpha: Double, questions: Int) -> String {
    guard verdict != nil else { return "" }
    let more = "measure more \(values.rawValue)" + (values == .trials ? " (--trials N)" : "")
    let limit = "\(percentText(threshold, sign: false)) threshold"
    let interval = intervalText.map { "98 % interval \($0)" } ?? "too few \(values.rawValue) to bound it"
    let pText = p.map { "p \(comparedText($0, to: alpha))" } ?? ""
    switch reason {
    case nil:
      return "base and head were measured in different sessions, and how far sessions of the same thing lie apart is "
        + "not known: use 'bench360 ab', give --noise-floor, or measure base in five sessions or more"
    case .significant:
      return "\(movement), more than the \(limit) (\(interval); \(pText))"
    case .withinThreshold:
      return "no change beyond the \(limit) (\(interval))"
    case .tooFewRuns:
      let metrics = questions == 1 ? "one gated metric" : "\(questions) gated metrics"
      return "\(base.values.count) and \(head.values.count) \(values.rawValue) are too few to reach p below "
        + "\(shortText(alpha)) with \(metrics): \(more)"
    case .notSignificant:
      return "the interval reaches beyond the \(limit), and the change is not significant (\(interval); \(pText)): "
        + more
    case .belowThreshold:
      return "\(movement): surely there, but perhaps below the \(limit) (\(interval); \(pText)): \(more)"
    case .intervalSpansZero:
      return "\(movement), but the interval does not exclude zero (\(interval); \(pText)): \(more)"
    }
  }

  /// `5.2 % lower, which is worse`
  private var movement: String {
    guard let shift = estimate.shift else { return "no shift" }
    let direction = shift < 0 ? "lower" : "higher"
    let isBetter = (shift > 0) == (better == Metric.Polarity.high.rawValue)
    let size = percent(shift).map { "\(magnitude($0)) %" } ?? "\(ReportText.number(abs(shift))) \(unit)"
    return "\(size) \(direction), which is \(isBetter ? "better" : "worse")"
  }

  /// `−5.9 … −4.4 %`, or nil if it is not bounded.
  package var intervalText: String? {
    guard let low = estimate.low, let high = estimate.high else { return nil }
    guard let first = percent(low), let last = percent(high) else {
      return "\(ReportText.number(low)) … \(ReportText.number(high)) \(unit)"
    }
    return "\(signed(first)) … \(signed(last)) %"
  }

  /// `−5.2 %`, or in the unit if there is no percentage.
  package var shiftText: String {
    estimate.shift.map { percentText($0, sign: true) } ?? ReportText.unknown
  }

  private func percentText(_ value: Double, sign: Bool) -> String {
    guard let percent = percent(value) else { return "\(ReportText.number(value)) \(unit)" }
    return (sign ? signed(percent) : ReportText.shortest(percent, decimals: 2)) + " %"
  }

  /// Without its sign; with more decimals if two would hide the value.
  private func magnitude(_ value: Double) -> String {
    formatted(abs(value) < 1 ? "%.2f" : "%.1f", abs(value))
  }

  /// With a true minus sign.
  private func signed(_ value: Double) -> String {
    let text = magnitude(value)
    let isZero = !text.contains { ("1"..."9").contains($0) }
    return (isZero ? "" : value < 0 ? "−" : "+") + text
  }

  private func comparedText(_ p: Double, to alpha: Double) -> String {
    "\(shortText(p)) \(p < alpha ? "<" : "≥") \(shortText(alpha))"
  }
}

/// Two significant digits: `0.00012`, `0.01`, `1.2e-9`.
func shortText(_ p: Double) -> String {
  p == 0 ? "0" : p >= 1 ? "1" : p >= 0.0001 ? "\(Double(formatted("%.1e", p)) ?? p)" : formatted("%.1e", p)
}

extension Comparison {
  /// The joint answer about all gated metrics: the worst of their verdicts.
  public var outcome: Outcome { worst(of: Set(Outcome.allCases)) ?? .same }

  /// The worst verdict of the gated metrics that is one of these; nil if there is none.
  func worst(of outcomes: Set<Outcome>) -> Outcome? {
    let verdicts = Set(results.compactMap(\.verdict)).intersection(outcomes)
    return Outcome.worstFirst.first(where: verdicts.contains)
  }

  /// One sentence without a full stop: the answer.
  public var sentence: String {
    let wrong = incorrect.map { "\($0.side) was incorrect: \($0.counter) \($0.count) in \($0.scenario) of \($0.input)" }
    return (wrong + [verdictSentence]).joined(separator: "; ")
  }

  /// A result's title, after the clip's name where there are several.
  package func name(_ result: MetricComparison) -> String {
    let hasOneClip = results.allSatisfy { $0.input == result.input }
    return hasOneClip ? result.title : "\(ReportText.cut(result.input, to: 40)) · \(result.title)"
  }

  private var verdictSentence: String {
    let gated = results.filter { $0.verdict != nil }
    func list(_ outcome: Outcome) -> String {
      gated.filter { $0.verdict == outcome }
        .map { outcome == .inconclusive ? name($0) : "\(name($0)) \($0.shiftText)" }.joined(separator: ", ")
    }
    // Changes come before metrics without a decision.
    let others = [Outcome.regression, .improvement, .inconclusive].filter { !list($0).isEmpty }
    guard !others.isEmpty else {
      let metrics = gated.count == 1 ? "the gated metric" : "all \(gated.count) gated metrics"
      return "same: no change beyond the threshold in \(metrics)"
    }
    return others.map { "\($0.rawValue): \(list($0))" }.joined(separator: "; ")
  }

  /// The shifts of the gated metrics so far: `decode_fps +0.31 % (−0.42 … +1.1 %)`.
  public var gatedShifts: String {
    results.filter { $0.verdict != nil }.map {
      "\($0.metric) \($0.shiftText)" + ($0.intervalText.map { " (\($0))" } ?? "")
    }
    .joined(separator: ", ")
  }
}
