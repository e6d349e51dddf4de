import Frames

extension Record {
  /// One record with the trials of all of these, each once: those of the first, then the new ones of the second, and so
  /// on.
  ///
  /// Two trials of one session that began together and have the same statistics are one. They agree in all that
  /// `MergeCandidate.fields` lists, and are complete. Descriptive fields are the first record's; summaries are computed
  /// anew. Trials of several sessions keep theirs.
  static func joined(_ records: [Record]) -> Record? {
    guard var joined = records.first else { return nil }
    let sessions = Set(
      records.flatMap { record in
        record.scenarios.flatMap { $0.trials.map(record.session(of:)) }
      })
    var seen: Set<TrialKey> = []
    var scenarios = joined.scenarios.map { Collected(scenario: $0) }
    for (number, record) in records.enumerated() {
      var isNew = (trials: 0, all: 0)
      for (index, scenario) in record.scenarios.enumerated() {
        let place = scenarios.firstIndex {
          $0.scenario.name == scenario.name && $0.scenario.variant == scenario.variant
        }
        var mine: Set<TrialKey> = []
        for trial in scenario.trials {
          var key = TrialKey(scenario: index, session: record.session(of: trial), trial: trial)
          key.trial.session = nil
          key.trial.metrics = key.trial.metrics.mapValues { $0.with(samples: []) }
          isNew.all += 1
          // Equal trials within one record are two trials.
          guard let place, !seen.contains(key) else { continue }
          isNew.trials += 1
          mine.insert(key)
          var kept = trial
          kept.session = sessions.count > 1 ? key.session : nil
          scenarios[place].trials.append(kept)
        }
        seen.formUnion(mine)
      }
      if number > 0, isNew.all > 0 {
        let part = record.settings.repetition.trials.multipliedSaturated(by: isNew.trials) / isNew.all
        joined.settings.repetition.trials = joined.settings.repetition.trials.addingSaturated(part)
      }
      joined.settings.reasons.merge(record.settings.reasons) { first, _ in first }
      for warning in record.warnings where !joined.warnings.contains(where: { $0.code == warning.code }) {
        joined.warnings.append(warning)
      }
    }
    joined.session = sessions.count == 1 ? sessions.first ?? nil : nil
    joined.scenarios = scenarios.map(\.whole)
    joined.boundBy = StageRates(joined).bottleneck
    return joined
  }

  private struct TrialKey: Hashable {
    var scenario: Int
    var session: String?
    var trial: Trial
  }

  private struct Collected {
    var scenario: Scenario
    var trials: [Trial] = []

    var whole: Scenario {
      Scenario(name: scenario.name, variant: scenario.variant, presentSource: scenario.presentSource, trials: trials)
    }
  }
}
