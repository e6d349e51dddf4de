import Foundation
import Frames

/// What merging has to know of a record to find its place: a few hundred bytes, so that a hundred thousand fit into memory.
struct MergeCandidate {
  let path: String
  let created: String
  let cell: Record.Cell?
  let isComplete: Bool
  /// By position in `fields`: where two agree in all of them, their trials are trials of one thing.
  let values: [String?]
  /// A hash of each trial with its session: the same trial read from two files has the same, within this process.
  let trials: [Int]
  /// What a cell without a matrix has for an identity.
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

  /// All that makes records comparable, and all that a record says once for all its trials.
  static let fields: [ComparedField] =
    [
      ComparedField("clip") { $0.input.identity }, ComparedField("version") { $0.version },
      ComparedField("commit") { "\($0.commit)\($0.dirty == true ? ", modified" : "")" },
      ComparedField("label") { $0.label }, ComparedField("kernel") { $0.machine.kernel },
      ComparedField("os") { $0.machine.os }, ComparedField("governor") { $0.machine.governor },
      ComparedField("scenarios") { record in
        record.scenarios.map { [$0.name, $0.variant ?? ""].joined(separator: "/") }.joined(separator: ",")
      },
    ] + ComparedField.all

  /// Fields in which these do not agree, each with its values.
  static func differences(_ candidates: [MergeCandidate]) -> [String] {
    fields.indices.compactMap { index in
      let values = Set(candidates.map { $0.values[index] ?? "none" })
      return values.count < 2 ? nil : "\(fields[index].name) (\(values.sorted().joined(separator: " against ")))"
    }
  }
}

extension Record {
  /// A trial's session, where it is known: its own, else the record's.
  func session(of trial: Trial) -> String? { trial.session ?? session }
}
