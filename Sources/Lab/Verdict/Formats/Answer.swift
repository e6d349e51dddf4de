import FoundationEssentials
import Frames

/// The answer of a run: does this machine turn that clip into pixels on time?
///
/// A pure function of the record.
public struct Answer: Hashable, Sendable {
  /// One sentence without a full stop.
  public let sentence: String
  /// `pipeline_fps` (median over the trials) over the clip's frame rate; 1 is real time. Nil when either is unknown.
  public let headroom: Double?
  /// Frames whose picture did not match their number or rung, plus landings out of tolerance.
  public let incorrect: Int
  /// In real time, on time if played, and correct; nil if the run cannot tell, as for a still picture, or if other work
  /// may have slowed it down.
  public let isGood: Bool?

  public init(_ record: Record) {
    let rates = StageRates(record)
    let wrong = Answer.total(.wrongFrame, in: record)
    let missed = Answer.total(.outOfTolerance, in: record)
    let mistaken = Answer.total(.wrongRung, in: record)
    incorrect = wrong.addingSaturated(missed).addingSaturated(mistaken)
    let isStill = record.input.isStill
    let isBusy = record.warnings.contains { WarningCode(rawValue: $0.code).map(Answer.busyCodes.contains) ?? false }
    if !isStill, let pipeline = rates.pipeline, let clip = record.input.framesPerSecond {
      headroom = pipeline / clip
    } else {
      headroom = nil
    }
    let playing = PlayAnswer(record)
    let scrubbing = ScrubAnswer(record)
    let looking = InteractionAnswer(record)
    let stream = StreamAnswer(record)
    let density = DensityAnswer(record)
    let watched = ObserveAnswer(record)
    let paced = [playing?.isOnTime, stream?.isSmooth].compactMap { $0 }
    let isFast = paced.contains(false) ? false : headroom.map { $0 >= 1 } ?? paced.first
    // A run that was too slow beside other work gives no verdict on the machine.
    isGood = incorrect > 0 ? false : isStill || isBusy && isFast == false ? nil : isFast
    var clauses = [
      isStill ? "a still picture: no frame rate is there to keep" : nil,
      wrong == 0 ? nil : "the picture was wrong in \(wrong) frame\(wrong == 1 ? "" : "s")",
      missed == 0 ? nil : "\(missed) landing\(missed == 1 ? " was" : "s were") outside the tolerance",
      mistaken == 0 ? nil : "the picture was of another rung in \(mistaken) frame\(mistaken == 1 ? "" : "s")",
    ]
    clauses += stream?.clauses ?? []
    clauses += watched?.clauses ?? []
    clauses += [
      playing.map { $0.clause + (isBusy && !$0.isOnTime ? Answer.busy : "") },
      Answer.performance(
        record, rates, headroom: headroom, isPlayed: playing != nil,
        isScrubbed: scrubbing != nil || looking != nil || stream != nil || density != nil || watched != nil,
        place: isBusy ? Answer.busy : ""),
      scrubbing?.clause, looking?.clause, density?.clause, Answer.proof(record),
    ]
    sentence = clauses.compactMap { $0 }.joined(separator: "; ")
  }

  /// Warnings of work by other processes.
  private static let busyCodes: Set<WarningCode> = [.load, .otherCPU, .steal, .gpuUsers, .gpuShared]
  private static let busy = " on this busy machine"

  private static func total(_ counter: Metric, in record: Record) -> Int {
    record.scenarios.reduce(0) { $0.addingSaturated(($1.summary.counters[counter] ?? nil) ?? 0) }
  }

  /// What `--expect` found where every picture was right. Nil without it.
  private static func proof(_ record: Record) -> String? {
    guard let expected = record.settings.decoding.expect else { return nil }
    let counts = record.scenarios.compactMap { $0.summary.counters[.wrongFrame] ?? nil }
    guard !counts.isEmpty, counts.allSatisfy({ $0 == 0 }) else { return nil }
    let source = expected == "software" ? "the software decoder's" : "that of \(ReportText.printable(expected))"
    return "every frame checked is \(source)"
  }

  /// Nil if there is nothing to add.
  private static func performance(
    _ record: Record, _ rates: StageRates, headroom: Double?, isPlayed: Bool, isScrubbed: Bool, place: String
  ) -> String? {
    if let headroom, isPlayed {
      return headroom >= 1
        ? "unpaced there is \(factor(headroom)) headroom; \(rates.bound)"
        : "unpaced it reaches \(factor(headroom)) of real time\(place); \(rates.bound)"
    }
    if let headroom {
      return headroom >= 1
        ? "plays in real time with \(factor(headroom)) headroom; \(rates.bound)"
        : "does not play in real time\(place): \(factor(headroom)); \(rates.bound)"
    }
    if let pipeline = rates.pipeline {
      let unknown = record.input.isStill ? "" : ", but the clip's frame rate is not known"
      return "the pipeline reaches \(fps(pipeline))\(unknown); \(rates.bound)"
    }
    if !rates.stages.isEmpty {
      let clip = record.input.isStill ? nil : record.input.framesPerSecond
      let parts = rates.stages.map { stage in
        "\(stage.name) alone reaches \(fps(stage.rate))" + (clip.map { " (\(factor(stage.rate / $0)))" } ?? "")
      }
      return "\(parts.joined(separator: " and ")); the whole pipeline was not measured"
    }
    return isPlayed || isScrubbed ? nil : measured(record)
  }

  /// For runs that measured no rate.
  private static func measured(_ record: Record) -> String {
    let measured = record.scenarios.filter { !$0.summary.metrics.isEmpty || !$0.summary.counters.isEmpty }
    guard !measured.isEmpty else { return "nothing was measured" }
    var names: [String] = []
    for scenario in measured where !names.contains(scenario.name) { names.append(scenario.name) }
    return "whether it plays in real time was not measured, only \(names.joined(separator: ", "))"
  }

  /// `2.3 ×`, rounded down so that a miss never reads as a hit; finer near 1 and near 0.
  package static func factor(_ value: Double) -> String {
    // Times are kept to four decimals: 1000 ÷ 16.6667 must not fall below the 60 it stands for, nor 0.99999 become 1.
    let nudged = value * (1 + 1e-5)
    let value = value < 1 && nudged >= 1 ? value : nudged
    func down(_ scale: Double) -> Double { (value * scale).rounded(.down) / scale }
    if value < 0.01 { return "less than 0.01 ×" }
    if value >= 10 { return formatted("%.0f ×", down(1)) }
    let isFine = value < 0.1 || (0.9..<1.1).contains(value)
    return isFine ? formatted("%.2f ×", down(100)) : formatted("%.1f ×", down(10))
  }

  static func fps(_ value: Double) -> String {
    (value >= 10 ? formatted("%.0f", value) : formatted("%.1f", value)) + " fps"
  }
}
