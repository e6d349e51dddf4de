/// One kind of fault: how it is written in a file of faults, and what it does to a response.
///
/// A kind is one file in `Kinds` and one row in `FaultTable.all`.
public protocol Fault: Sendable {
  /// As the file has it: `status`.
  static var kind: String { get }
  /// The fields of a rule that only this kind has.
  static var keys: [String] { get }

  /// Whether the first version of a file is served that a request under such a fault has seen.
  var servesFirstVersion: Bool { get }

  /// Throws `FaultFields.Refused` where a field is missing or has no value that it can have.
  init(_ fields: FaultFields) throws(FaultFields.Refused)

  /// Changes the plan; false where the fault has nothing to do with it, as a reset behind the end of the body.
  func apply(to plan: inout ResponsePlan) -> Bool
}

extension Fault {
  public var servesFirstVersion: Bool { false }
}

/// All kinds of faults.
public enum FaultTable {
  public static let all: [any Fault.Type] = [
    StatusFault.self, ResetFault.self, TruncatedFault.self, WrongLengthFault.self, StallFault.self,
    SlowHeadersFault.self, WrongTypeFault.self, StalePlaylistFault.self, ClockSkewFault.self,
  ]

  static func named(_ kind: String) -> (any Fault.Type)? { all.first { $0.kind == kind } }
}
