/// Resets the connection after so many bytes of the body.
public struct ResetFault: Fault {
  public static let kind = "reset"
  public static let keys = ["after"]

  /// Bytes of the body that are sent; nil: the connection is reset instead of an answer.
  public var after: Int64?

  public init(after: Int64?) {
    self.after = after
  }

  public init(_ fields: FaultFields) throws(FaultFields.Refused) {
    after = try fields.optionalWhole("after", in: 0...(1 << 50))
  }

  public func apply(to plan: inout ResponsePlan) -> Bool { plan.plant(.reset, after: after) }
}

extension ResponsePlan {
  /// False where the body is shorter, or another fault stops it before.
  mutating func plant(_ stop: Stop, after bytes: Int64?) -> Bool {
    if let bytes, bytes > bodyBytes { return false }
    if let accident, (accident.after ?? -1) <= (bytes ?? -1) { return false }
    accident = Accident(after: bytes, stop: stop)
    return true
  }
}
