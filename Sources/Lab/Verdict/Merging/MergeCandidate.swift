import FoundationEssentials
import Frames

/// The identity of a record for merging: a few hundred bytes, so that a hundred thousand fit into memory.
struct MergeCandidate {
  let path: String
  let created: String
  let cell: Record.Cell?
  let isComplete: Bool
  /// By position in `fields`: if two candidates agree in all, their trials have the same subject.
  let values: [String?]
  /// A hash of each trial with its session: equal for the same trial from two files, within this process.
  let trials: [Int]
  /// The identity of a record without a matrix cell.
  var key: String { cell?.id ?? values.map { $0.map { "\($0.utf8.count) \($0)" } ?? "-" }.joined(separator: " ") }

  init(_ record: Record, path: String) {
    self.path = path
    created = record.created
    cell = record.cell
    isComplete = record.complete
    values = Self.fields.map { $0.value(record) }
    trials = record.scenarios.flatMap { scenario in
      scenario.trials.map { trial in
        var hasher = Hasher()
        hasher.combine(scenario.name)
        hasher.combine(scenario.variant)
        hasher.combine(record.session(of: trial))
        var bare = trial
        bare.session = nil
        hasher.combine(bare)
        return hasher.finalize()
      }
    }
  }

  /// All fields that make records comparable, and all that a record holds once for all its trials.
  static let fields: [ComparedField] =
    [
      ComparedField("clip") { $0.input.identity }, ComparedField("version") { $0.build.version },
      ComparedField("commit") { "\($0.build.commit)\($0.build.dirty == true ? ", modified" : "")" },
      ComparedField("label") { $0.label }, ComparedField("kernel") { $0.environment.machine.kernel },
      ComparedField("os") { $0.environment.machine.os }, ComparedField("governor") { $0.environment.machine.governor },
      ComparedField("scenarios") { record in
        record.scenarios.map { [$0.name, $0.variant ?? ""].joined(separator: "/") }.joined(separator: ",")
      },
    ] + ComparedField.all

  /// Fields in which these candidates differ, each with its values.
  static func differences(_ candidates: [MergeCandidate]) -> [String] {
    fields.indices.compactMap { index in
      let values = Set(candidates.map { $0.values[index] ?? "none" })
      return values.count < 2 ? nil : "\(fields[index].name) (\(values.sorted().joined(separator: " against ")))"
    }
  }
}

extension Record {
  /// A trial's session, if known: its own, else the record's.
  func session(of trial: Trial) -> String? { trial.session ?? session }
}
