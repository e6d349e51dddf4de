import Foundation
import Frames
import Verdict

extension FuzzTarget {
  static let results = [
    // Also against itself: a comparison reads all of it.
    FuzzTarget("record") { bytes in
      try withFile(bytes, named: "record.json") { path in
        let set = try RecordSet.load(path, asDigests: false)
        _ = try JSONEncoder().encode(Comparison(base: set, head: set, options: ComparisonOptions()))
      }
    },
    FuzzTarget("comparison") { _ = try JSONDecoder().decode(Comparison.self, from: Data($0)) },
  ]
}
