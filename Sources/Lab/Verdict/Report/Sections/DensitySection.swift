extension ReportSection {
  /// Clips that were played at once: the numbers that were tried, and how each clip fared.
  static let density = ReportSection("density", "Several at once") { group, _ in
    group.newest.scenarios(.density).flatMap { scenario in
      scenario.trials.enumerated().flatMap { index, trial -> [Markup] in
        guard let density = trial.density else { return [] }
        let place = scenario.trials.count == 1 ? "" : ", trial \(index + 1) of \(scenario.trials.count)"
        return tries(density, scenario.title + place) + streams(density, scenario.title + place)
      }
    }
  }

  private static func tries(_ density: Density, _ place: String) -> [Markup] {
    let title = "Tried at once, \(place)"
    let rows = density.tries.enumerated().map { index, attempt in
      ["\(index + 1)", "\(attempt.streams)", attempt.held ? "all in real time" : attempt.problem ?? "too many"]
    }
    return [
      .element("p", ["class": "title"], title),
      Table(head: ["try", "streams", "outcome"], rows: rows, texts: [0, 2]).markup(caption: title),
    ]
  }

  private static func streams(_ density: Density, _ place: String) -> [Markup] {
    guard !density.streams.isEmpty else { return [] }
    let title = "Each of \(density.streams.count) streams, \(place)"
    let rows = density.streams.enumerated().map { index, stream in
      [
        "\(index + 1)", "\(stream.presented)", "\(stream.late)", "\(stream.dropped)", "\(stream.leftOut)",
        "\(stream.stalls)",
      ]
        + spread(stream.decodeLatencyMs) + spread(stream.frameOverrunMs)
    }
    return [
      .element("p", ["class": "title"], title),
      .element(
        "p", ["class": "note"],
        "In ms: packet handed to the decoder to its frame received, and a picture ready after its deadline (below 0: before it)."
      ),
      Table(
        head: [
          "stream", "shown", "late", "dropped", "left out", "stalls", "decode, mean", "p99", "max", "overrun, mean",
          "p99",
          "max",
        ], rows: rows
      ).markup(caption: title),
    ]
  }

  private static func spread(_ spread: Density.Spread?) -> [String] {
    [spread?.mean, spread?.p99, spread?.max].map { ReportText.number($0) }
  }
}
