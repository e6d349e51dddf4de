/// Sends nothing for a time, after so many bytes of the body.
public struct StallFault: Fault {
  public static let kind = "stall"
  public static let keys = ["after", "seconds"]

  /// Bytes of the body that are sent before; nil: not even the head is.
  public var after: Int64?
  /// Nil: for ever.
  public var seconds: Double?

  public init(after: Int64?, seconds: Double?) {
    self.after = after
    self.seconds = seconds
  }

  public init(_ fields: FaultFields) throws(FaultFields.Refused) {
    after = try fields.optionalWhole("after", in: 0...(1 << 50))
    seconds = try fields.optionalNumber("seconds", in: 0...86_400)
  }

  public func apply(to plan: inout ResponsePlan) -> Bool { plan.plant(.stall(seconds: seconds), after: after) }
}
