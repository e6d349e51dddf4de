import Foundation
import Support

extension Program {
  /// Runs the program as one of several runs of a session, so that it measures without a trial before that warms the machine up.
  ///
  /// For tests whose results do not depend on warm caches.
  static func measure(_ arguments: [String], in folder: String) throws -> CommandOutput {
    try run(arguments, in: folder, environment: ["BENCH360_SESSION": UUID().uuidString.lowercased()])
  }
}
