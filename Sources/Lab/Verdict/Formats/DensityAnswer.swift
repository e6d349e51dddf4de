/// The outcome of scenario `density`, in a clause: of its first variant.
struct DensityAnswer {
  /// Of the typical trial; nil where the number was given.
  private let most: Double?
  private let trials: [Density]

  /// Nil if it was not measured.
  init?(_ record: Record) {
    guard let scenario = record.scenarios(.density).first else { return nil }
    trials = scenario.trials.compactMap(\.density)
    guard !trials.isEmpty else { return nil }
    most = scenario.summary.metrics[.streamsMax]?.p50
  }

  var clause: String {
    guard let most else { return given }
    let number = ReportText.shortest(most, decimals: 1)
    return switch most {
    case 0: "not even one stream is in real time"
    case 1: "one stream is in real time, two at once are not"
    default: "\(number) streams at once are in real time"
    }
  }

  /// Of a number that was given.
  private var given: String {
    let streams = trials.flatMap(\.streams)
    let late = streams.count { !$0.isInRealTime }
    if streams.isEmpty { return "the streams did not play to their end" }
    if streams.count == 1 { return "one stream alone is \(late == 0 ? "" : "not ")in real time" }
    let place = trials.count == 1 ? "at once" : "in \(trials.count) trials"
    return "\(streams.count) streams \(place), \(late == 0 ? "all" : "\(late) of them not") in real time"
  }
}
