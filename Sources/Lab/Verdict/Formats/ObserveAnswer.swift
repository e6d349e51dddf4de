/// The outcome of `observe`, in a clause for each program that was watched.
struct ObserveAnswer {
  private let players: [Player]

  private struct Player {
    var name: String
    var presented: Int
    /// Nil where frames carry no numbers: then pictures are counted.
    var dropped: Int?
    var faults: [String]
    /// ms
    var start: Double?
  }

  /// Nil if no program was watched.
  init?(_ record: Record) {
    players = record.scenarios(.observe).map { scenario in
      let counters = scenario.summary.counters
      func count(_ metric: Metric) -> Int { (counters[metric] ?? nil) ?? 0 }
      func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
      let frames = record.input.frames ?? 0
      let unreached = scenario.trials.reduce(0) { sum, trial in
        let last = trial.metrics[.lastFrame]?.samples.first.map { Int(saturating: $0) } ?? frames - 1
        return sum.addingSaturated(max(0, frames - 1 - last))
      }
      // A frame that the screen showed only in part is neither presented nor dropped.
      let reached =
        frames > 0
        ? frames.multipliedSaturated(by: scenario.trials.count).subtractingSaturated(unreached)
        : count(.presented).addingSaturated(count(.dropped))
      let faults = [
        count(.dropped) == 0
          ? nil : "drops \(count(.dropped)) of \(reached) frames",
        unreached == 0 ? nil : "ends \(unreached) frame\(unreached == 1 ? "" : "s") early",
        count(.torn) == 0 ? nil : "tears \(count(.torn))",
        count(.freezes) == 0 ? nil : "freezes \(times(count(.freezes)))",
        count(.outOfOrder) == 0 ? nil : "goes back \(times(count(.outOfOrder)))",
      ]
      return Player(
        name: scenario.variant ?? scenario.name, presented: count(.presented), dropped: counters[.dropped] ?? nil,
        faults: faults.compactMap { $0 }, start: scenario.summary.metrics[.timeToFirstFrame]?.p50)
    }
    guard !players.isEmpty else { return nil }
  }

  /// `mpv shows all 240 frames; vlc drops 3 of 240 frames, starts 0.4 s later`
  var clauses: [String] {
    let fastest = players.compactMap(\.start).min()
    return players.map { player in
      guard player.presented > 0 else { return "\(player.name) shows no frame" }
      var words = [
        player.name + " "
          + (player.dropped == nil
            ? joined(["shows \(player.presented) pictures"] + player.faults)
            : player.faults.isEmpty ? "shows all \(player.presented) frames" : joined(player.faults))
      ]
      if let start = player.start, let fastest, players.count > 1, start - fastest >= 50 {
        words.append("starts \(ReportText.shortest((start - fastest) / 1000, decimals: 1)) s later")
      }
      return words.joined(separator: ", ")
    }
  }

  private func joined(_ faults: [String]) -> String {
    guard let last = faults.last, faults.count > 1 else { return faults.first ?? "" }
    return faults.dropLast().joined(separator: ", ") + " and " + last
  }
}
